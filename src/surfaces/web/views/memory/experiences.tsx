import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { usePages } from "../../api/pages.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { useDoing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { forgetting, restoring } from "./forget.ts";
import { RecordFilterBar, RecordList, useRecordFilter } from "./record-list.tsx";

type ListedExperience = Output<"experiences">["experiences"][number];

const outcomes = ["confirmed", "falsified", "abandoned", "active"] as const;
type Outcome = (typeof outcomes)[number];

const tones: Record<string, string> = { confirmed: "good", falsified: "bad", abandoned: "warning", active: "accent" };

export function ExperiencesPart() {
  const { find, show } = useRecordFilter();
  const { state } = useLocation();
  const outcome = outcomes.find((each) => each === state.get("outcome"));
  const asked = { query: find, deleted: show === "forgotten", ...(outcome && { outcome }) };
  const pages = usePages(JSON.stringify(asked), async (client, after, signal) => {
    const { experiences, total, next } = await client.experiences({ ...asked, after }, { signal });
    return { entries: experiences, total, next };
  });
  const doing = useDoing(pages.again);
  const mayWrite = useMay("write");
  return (
    <>
      <RecordFilterBar noun="experiences">
        <select
          aria-label="How it ended"
          value={outcome ?? ""}
          onChange={(event) => {
            const value = event.currentTarget.value as Outcome | "";
            restate((next) => (value === "" ? next.delete("outcome") : next.set("outcome", value)));
          }}
        >
          <option value="">Any outcome</option>
          {outcomes.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </RecordFilterBar>
      <RecordList
        pages={pages}
        doing={doing}
        noun="experience"
        keyOf={({ id }) => id}
        empty={
          <Empty title="Nothing was tried yet">
            <p>
              Agents write down what they try and what comes of it; <code>dossier experience start</code> does it by
              hand.
            </p>
          </Empty>
        }
      >
        {(experience) => (
          <>
            <Facts experience={experience} />
            <p class="record-text">
              <b>{experience.goal}</b>
            </p>
            <Story experience={experience} />
            {mayWrite && (
              <div class="row record-actions">
                {experience.forgotten === undefined ? (
                  <Button
                    kind="danger"
                    disabled={doing.busy}
                    onClick={() => doing.run(forgetting([experience.id], "experience"))}
                  >
                    Forget
                  </Button>
                ) : (
                  <Button disabled={doing.busy} onClick={() => doing.run(restoring([experience.id], "experience"))}>
                    Restore
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </RecordList>
    </>
  );
}

function Facts({ experience }: { experience: ListedExperience }) {
  const { outcome, active, tier, domain, strategy, created, forgotten, id, score } = experience;
  const status = active ? "active" : (outcome?.status ?? "active");
  return (
    <p class="row record-facts">
      <span class="source source-experience">{domain}</span>
      <span class={`badge ${tones[status] ?? ""}`}>{status}</span>
      {tier && (
        <span class="badge" title="How sure the outcome is">
          {tier}
        </span>
      )}
      <span class="badge">{strategy}</span>
      {forgotten !== undefined && (
        <span class="badge bad">
          forgotten <Time iso={forgotten} />
        </span>
      )}
      <span class="small soft">
        <Time iso={created} />
      </span>
      {score !== undefined && <span class="small soft number">score {score.toFixed(2)}</span>}
      <span class="mono soft record-id">{id}</span>
    </p>
  );
}

function Story({ experience }: { experience: ListedExperience }) {
  const { hypothesis, action, prediction, outcome, surprise, rootCause, lesson, notes } = experience;
  const lines: [name: string, text: string | undefined][] = [
    ["Hypothesis", hypothesis],
    ["Action", action],
    ["Prediction", prediction],
    ["Result", outcome?.result],
    ["Surprise", surprise],
    ["Root cause", rootCause && `${rootCause.category}: ${rootCause.description}`],
    ["What worked", lesson?.whatWorked],
    ["Takeaway", lesson?.takeaway],
    ...notes.map(({ text }): [string, string] => ["Note", text]),
  ];
  return (
    <details class="story">
      <summary class="small">What was tried, and what came of it</summary>
      <dl class="facts">
        {lines.flatMap(([name, text]) =>
          text === undefined || text === ""
            ? []
            : [<dt key={`${name} ${text}`}>{name}</dt>, <dd key={`of ${name} ${text}`}>{text}</dd>],
        )}
      </dl>
    </details>
  );
}
