import { useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import { counted, decimal } from "../../components/numbers.ts";
import { RecordActions, RecordFacts } from "./record-actions.tsx";
import { RecordForm } from "./record-form.tsx";
import { RecordFilterBar, RecordList, useRecordFilter, useRecords } from "./record-list.tsx";

type ListedValue = Output<"values">["values"][number];

/** Principles that experiences led to. */
export function ValuesPart() {
  const { find, show } = useRecordFilter();
  const input = { query: find, deleted: show === "forgotten" };
  const { pages, doing } = useRecords(input, async (client, page, options) => {
    const { values, total, next } = await client.values({ ...input, ...page }, options);
    return { entries: values, total, next };
  });
  const [edited, setEdited] = useState<string>();
  /** A value is known by its words, so other words are another value, which must fit the same experiences. */
  const reword = ({ id, cluster, axis }: ListedValue, text: string) =>
    doing.run(async () => {
      const [added] = (await perform((client) => client.value({ step: "add", id: cluster, axis, text }))).values;
      setEdited(undefined);
      if (!added || added.id === id) return { sentence: "Nothing was different." };
      await perform((client) => client.forget({ ids: [id] }));
      return {
        sentence: "The value was reworded.",
        undo: async () => {
          await perform((client) => client.restore({ ids: [id] }));
          await perform((client) => client.forget({ ids: [added.id] }));
        },
      };
    });
  return (
    <>
      <RecordFilterBar noun="values" />
      <RecordList
        pages={pages}
        doing={doing}
        noun="value"
        empty={
          <Empty title="No principle emerged yet">
            <p>
              When enough experiences are alike, <code>dossier value propose</code>, or Clusters here, words what they
              have in common.
            </p>
          </Empty>
        }
      >
        {(value) => (
          <>
            <RecordFacts source="value" kind={value.axis} record={value}>
              <span class={`badge ${value.state === "valid" ? "good" : "warning"}`}>{value.state}</span>
              <span class="small soft">{counted(value.size, "experience")}</span>
              <span class="small soft number" title="How far its text is from the middle of its cluster">
                {decimal(value.distance)} of at most {decimal(value.threshold)} away
              </span>
            </RecordFacts>
            {edited === value.id ? (
              <RecordForm
                operation="value"
                fields={{ text: "What it says" }}
                values={{ text: value.text }}
                needs={["text"]}
                busy={doing.busy}
                action="Save"
                onSave={({ text }) => reword(value, String(text))}
                onCancel={() => setEdited(undefined)}
              />
            ) : (
              <>
                <p class="record-text">{value.text}</p>
                <RecordActions id={value.id} noun="value" forgotten={value.forgotten} doing={doing}>
                  <Button onClick={() => setEdited(value.id)} disabled={doing.busy}>
                    Reword
                  </Button>
                </RecordActions>
              </>
            )}
          </>
        )}
      </RecordList>
    </>
  );
}
