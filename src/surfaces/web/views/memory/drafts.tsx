import { useMay } from "../../api/caller.ts";
import { perform, useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { DoneNotice, useDoing } from "../../components/undo.tsx";

/** What sessions left, waiting to be accepted or dropped. */
export function DraftsPart() {
  const { result, failure, again } = useRequest("drafts", (client, signal) => client.memory({}, { signal }));
  const doing = useDoing(again);
  const mayWrite = useMay("write");
  const drafts = result?.drafts ?? [];
  const accept = (ids: string[]) =>
    doing.run(async () => {
      const { accepted, warnings } = await perform((client) => client.memory({ step: "accept", ids }));
      const told = [
        accepted.length > 0 ? `${counted(accepted.length, "memory", "memories")} remembered.` : "",
        ...warnings,
      ];
      const made = accepted.map(({ id }) => id);
      return {
        sentence: told.filter((each) => each !== "").join(" "),
        ...(made.length > 0 && { undo: () => perform((client) => client.forget({ ids: made })) }),
      };
    });
  const drop = (ids: string[]) =>
    doing.run(async () => {
      const { dropped } = await perform((client) => client.memory({ step: "drop", ids }));
      return { sentence: `${counted(dropped.length, "draft")} dropped.` };
    });
  return (
    <>
      <DoneNotice doing={doing} />
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading />}
      {result && drafts.length === 0 && (
        <Empty title="No drafts wait">
          <p>
            What sessions decided and tried is drafted by hooks, or with dossier capture; here it is accepted or
            dropped.
          </p>
        </Empty>
      )}
      {drafts.length > 0 && (
        <div class="row spread record-filter">
          <span class="small soft">{counted(drafts.length, "draft")}</span>
          {mayWrite && (
            <Button disabled={doing.busy} onClick={() => accept(drafts.map(({ id }) => id))}>
              Accept all
            </Button>
          )}
        </div>
      )}
      <ul class="records">
        {drafts.map(({ id, content, category, said, created }) => (
          <li key={id} class="panel record">
            <p class="row record-facts">
              <span class="source source-memory">{category}</span>
              <span class="badge">{said === "user" ? "said by a person" : "said by an agent"}</span>
              <span class="small soft">
                <Time iso={created} />
              </span>
              <span class="mono soft record-id">{id}</span>
            </p>
            <p class="record-text">{content}</p>
            {mayWrite && (
              <div class="row record-actions">
                <Button kind="main" disabled={doing.busy} onClick={() => accept([id])}>
                  Accept
                </Button>
                <Button disabled={doing.busy} onClick={() => drop([id])}>
                  Drop
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
