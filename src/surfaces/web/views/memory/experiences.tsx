import { useState } from "preact/hooks";
import type { Input, Output } from "../../../../client/client.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import type { Doing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { RecordActions, RecordFacts } from "./record-actions.tsx";
import { RecordForm } from "./record-form.tsx";
import { RecordFilterBar, RecordList, useRecordFilter, useRecords } from "./record-list.tsx";

type ListedExperience = Output<"experiences">["experiences"][number];
type ExperienceStep = "note" | "amend" | "update" | "resolve";

const outcomes = ["confirmed", "falsified", "abandoned", "active"] as const;
type Outcome = (typeof outcomes)[number];

const tones: Record<string, string> = { confirmed: "good", falsified: "bad", abandoned: "warning", active: "accent" };

export function ExperiencesPart() {
  const { find, show } = useRecordFilter();
  const { state } = useLocation();
  const outcome = outcomes.find((each) => each === state.get("outcome"));
  const input = { query: find, deleted: show === "forgotten", ...(outcome && { outcome }) };
  const { pages, doing } = useRecords(input, async (client, page, options) => {
    const { experiences, total, next } = await client.experiences({ ...input, ...page }, options);
    return { entries: experiences, total, next };
  });
  const [edited, setEdited] = useState<{ id: string; step: ExperienceStep }>();
  const take = (input: Input<"experience">) =>
    doing.run(async () => {
      const { message } = await perform((client) => client.experience(input));
      setEdited(undefined);
      return { sentence: message };
    });
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
          <ExperienceCard
            experience={experience}
            doing={doing}
            step={edited?.id === experience.id ? edited.step : undefined}
            onStep={(step) => setEdited(step && { id: experience.id, step })}
            onSave={take}
          />
        )}
      </RecordList>
    </>
  );
}

type CardProps = {
  experience: ListedExperience;
  doing: Doing;
  /** The step whose form is open. */
  step: ExperienceStep | undefined;
  onStep: (step: ExperienceStep | undefined) => void;
  onSave: (input: Input<"experience">) => void;
};

function ExperienceCard({ experience, doing, step, onStep, onSave }: CardProps) {
  const { id, goal, forgotten, active } = experience;
  const offered = stepsOf(experience).filter(({ fields }) => Object.keys(fields).length > 0);
  const chosen = offered.find((each) => each.step === step);
  return (
    <>
      <Facts experience={experience} />
      <p class="record-text">
        <b>{goal}</b>
      </p>
      <Story experience={experience} />
      {chosen ? (
        <>
          {!active && <p class="small soft">What was stated when it ended stays; what it lacks can be added.</p>}
          <RecordForm
            key={chosen.step}
            operation="experience"
            fields={chosen.fields}
            needs={chosen.needs}
            busy={doing.busy}
            action="Save"
            onSave={(values) => onSave({ step: chosen.step, id, ...values })}
            onCancel={() => onStep(undefined)}
          />
        </>
      ) : (
        <RecordActions id={id} noun="experience" forgotten={forgotten} doing={doing}>
          {offered.map(({ step: each, title }) => (
            <Button key={each} disabled={doing.busy} onClick={() => onStep(each)}>
              {title}
            </Button>
          ))}
        </RecordActions>
      )}
    </>
  );
}

type Fields = Record<string, string>;
type Offered = { step: ExperienceStep; title: string; fields: Fields; needs: string[] };

/** The steps that can be taken: an open experience can go on or end; one that ended can get what it lacks. */
function stepsOf({ active, surprise, rootCause, lesson }: ListedExperience): Offered[] {
  const reasons: Fields = {
    ...(surprise === undefined && { surprise: "What was not expected" }),
    ...(rootCause === undefined && { rootCause: "Root cause", rootCauseDescription: "The root cause in words" }),
    ...(lesson === undefined && { lesson: "What worked" }),
    ...(lesson?.takeaway === undefined && { takeaway: "What to do next time" }),
  };
  const note: Offered = { step: "note", title: "Add a note", fields: { text: "Note" }, needs: ["text"] };
  if (!active) return [{ step: "amend", title: "Add what it lacks", fields: reasons, needs: [] }, note];
  const attempt = { observed: "What was seen", hypothesis: "Hypothesis", action: "Action", prediction: "Prediction" };
  const end = { status: "How it ended", result: "What happened", ...reasons };
  return [
    { step: "resolve", title: "Resolve", fields: end, needs: ["status"] },
    { step: "update", title: "Try something else", fields: attempt, needs: [] },
    note,
  ];
}

function Facts({ experience }: { experience: ListedExperience }) {
  const { outcome, active, tier, domain, strategy } = experience;
  const status = active ? "active" : (outcome?.status ?? "active");
  return (
    <RecordFacts source="experience" kind={domain} record={experience}>
      <span class={`badge ${tones[status] ?? ""}`}>{status}</span>
      {tier && (
        <span class="badge" title="How sure the outcome is">
          {tier}
        </span>
      )}
      <span class="badge">{strategy}</span>
    </RecordFacts>
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
