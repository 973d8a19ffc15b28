import { useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { perform, useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { Tabs } from "../../components/tabs.tsx";
import { type Doing, DoneNotice, useDoing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { memoryFields } from "./memories.tsx";
import { RecordFacts } from "./record-actions.tsx";
import { type FormValues, RecordForm } from "./record-form.tsx";

type Draft = Output<"memory">["drafts"][number];

const shows = { waiting: "Waiting", decided: "Decided on" };
type Shows = keyof typeof shows;

/** Drafts from sessions, to be accepted, reworded or dropped. */
export function DraftsPart() {
  const { state } = useLocation();
  const show: Shows = state.get("show") === "decided" ? "decided" : "waiting";
  const deleted = show === "decided";
  const { result, failure, again } = useRequest(`drafts ${show}`, (client, signal) =>
    client.memory({ deleted }, { signal }),
  );
  const doing = useDoing(again);
  const mayWrite = useMay("write");
  const drafts = result?.drafts ?? [];
  return (
    <>
      <div class="row spread record-filter">
        <Tabs
          label="Which drafts"
          names={Object.keys(shows) as Shows[]}
          chosen={show}
          titleOf={(each) => shows[each]}
          onChoose={(each) => restate((next) => (each === "waiting" ? next.delete("show") : next.set("show", each)))}
        />
        {mayWrite && !deleted && drafts.length > 0 && (
          <Button disabled={doing.busy} onClick={() => doing.run(() => accept(drafts.map(({ id }) => id)))}>
            Accept all
          </Button>
        )}
      </div>
      <DoneNotice doing={doing} />
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading />}
      {result && drafts.length === 0 && (
        <Empty title={deleted ? "Nothing was decided on yet" : "No drafts wait"}>
          <p>
            What sessions decided and tried is drafted by hooks, or with dossier capture; here it is accepted or
            dropped.
          </p>
        </Empty>
      )}
      {drafts.length > 0 && <p class="small soft number">{counted(drafts.length, "draft")}</p>}
      <ul class="records">
        {drafts.map((draft) => (
          <li key={draft.id} class="panel record">
            <DraftCard draft={draft} doing={doing} mayWrite={mayWrite} isDecided={deleted} />
          </li>
        ))}
      </ul>
    </>
  );
}

const speakerLabels = { user: "said by a person", agent: "said by an agent", nobody: "seen in the session" };

type CardProps = { draft: Draft; doing: Doing; mayWrite: boolean; isDecided: boolean };

function DraftCard({ draft, doing, mayWrite, isDecided }: CardProps) {
  const { id, content, category, said } = draft;
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <RecordForm
        operation="edit"
        fields={memoryFields}
        values={{ content, category, importance: 0.5 }}
        needs={["content"]}
        busy={doing.busy}
        action="Accept so"
        onSave={(values) => doing.run(() => acceptAs(id, values))}
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <>
      <RecordFacts source="memory" kind={category} record={draft}>
        <span class="badge">{speakerLabels[said]}</span>
      </RecordFacts>
      <p class="record-text">{content}</p>
      {mayWrite && (
        <div class="row record-actions">
          {isDecided ? (
            <Button disabled={doing.busy} onClick={() => doing.run(() => bringBack([id]))}>
              Restore
            </Button>
          ) : (
            <>
              <Button kind="main" disabled={doing.busy} onClick={() => doing.run(() => accept([id]))}>
                Accept
              </Button>
              <Button disabled={doing.busy} onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button disabled={doing.busy} onClick={() => doing.run(() => drop([id]))}>
                Drop
              </Button>
            </>
          )}
        </div>
      )}
    </>
  );
}

async function accept(ids: string[]) {
  const { accepted, warnings } = await perform((client) => client.memory({ step: "accept", ids }));
  const sentences = [
    accepted.length > 0 ? `${counted(accepted.length, "memory", "memories")} remembered.` : "",
    ...warnings,
  ];
  return {
    sentence: sentences.filter((each) => each !== "").join(" "),
    undo: () =>
      undecide(
        ids,
        accepted.map(({ id }) => id),
      ),
  };
}

/** Accepts a draft in other words: stores the new text, and marks the draft as decided. */
async function acceptAs(draft: string, values: FormValues) {
  const { memory, duplicates } = await perform((client) => client.remember(values as { content: string }));
  if (!memory) return { sentence: `It is known already: ${duplicates[0]?.memory.content ?? ""}` };
  await perform((client) => client.memory({ step: "drop", ids: [draft] }));
  return { sentence: "1 memory remembered.", undo: () => undecide([draft], [memory.id]) };
}

async function drop(ids: string[]) {
  await perform((client) => client.memory({ step: "drop", ids }));
  return { sentence: `${counted(ids.length, "draft")} dropped.`, undo: () => undecide(ids, []) };
}

async function bringBack(ids: string[]) {
  await perform((client) => client.restore({ ids }));
  return {
    sentence: "The draft waits again.",
    undo: () => perform((client) => client.memory({ step: "drop", ids })),
  };
}

/** The drafts wait again, and what was remembered of them is forgotten. */
async function undecide(drafts: string[], memories: string[]): Promise<void> {
  if (memories.length > 0) await perform((client) => client.forget({ ids: memories }));
  await perform((client) => client.restore({ ids: drafts }));
}
