import { useMay } from "../../api/caller.ts";
import { usePages } from "../../api/pages.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import { counted, decimal } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { useDoing } from "../../components/undo.tsx";
import { forgetting, restoring } from "./forget.ts";
import { RecordFilterBar, RecordList, useRecordFilter } from "./record-list.tsx";

/** Principles that experiences led to. */
export function ValuesPart() {
  const { find, show } = useRecordFilter();
  const asked = { query: find, deleted: show === "forgotten" };
  const pages = usePages(JSON.stringify(asked), async (client, after, signal) => {
    const { values, total, next } = await client.values({ ...asked, after }, { signal });
    return { entries: values, total, next };
  });
  const doing = useDoing(pages.again);
  const mayWrite = useMay("write");
  return (
    <>
      <RecordFilterBar noun="values" />
      <RecordList
        pages={pages}
        doing={doing}
        noun="value"
        keyOf={({ id }) => id}
        empty={
          <Empty title="No principle emerged yet">
            <p>
              When enough experiences are alike, <code>dossier value propose</code> words what they have in common.
            </p>
          </Empty>
        }
      >
        {({ id, text, axis, state, size, distance, threshold, created, forgotten }) => (
          <>
            <p class="row record-facts">
              <span class="source source-value">{axis}</span>
              <span class={`badge ${state === "valid" ? "good" : "warning"}`}>{state}</span>
              <span class="small soft">{counted(size, "experience")}</span>
              <span class="small soft number" title="How far its text is from the middle of its cluster">
                {decimal(distance)} of at most {decimal(threshold)} away
              </span>
              {forgotten !== undefined && (
                <span class="badge bad">
                  forgotten <Time iso={forgotten} />
                </span>
              )}
              <span class="small soft">
                <Time iso={created} />
              </span>
              <span class="mono soft record-id">{id}</span>
            </p>
            <p class="record-text">{text}</p>
            {mayWrite && (
              <div class="row record-actions">
                {forgotten === undefined ? (
                  <Button kind="danger" disabled={doing.busy} onClick={() => doing.run(forgetting([id], "value"))}>
                    Forget
                  </Button>
                ) : (
                  <Button disabled={doing.busy} onClick={() => doing.run(restoring([id], "value"))}>
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
