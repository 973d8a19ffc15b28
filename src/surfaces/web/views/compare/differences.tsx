import type { ComponentChildren } from "preact";
import type { Output } from "../../../../client/client.ts";
import { ItemName, LeftOutName } from "../../components/item-name.tsx";
import { count, decimal } from "../../components/numbers.ts";
import { Paged } from "../../components/paged.tsx";
import type { DocumentItem } from "../../question/answer.ts";
import { wordsOf } from "../../question/reasons.ts";

type Difference = Output<"diff">;

/** Items that entered, left, moved or changed from the first run to the second. */
export function Differences({
  difference,
  items,
}: {
  difference: Difference;
  items: ReadonlyMap<string, DocumentItem>;
}) {
  // Records have names that their ids do not tell.
  const nameOf = (id: string, name: string) => {
    const item = items.get(id);
    return item ? <ItemName item={item} /> : <LeftOutName title={name} />;
  };
  const { entered, left, moved, changed, summary } = difference;
  return (
    <div class="stack">
      <p role="status">{summary}</p>
      <div class="differences">
        <List title="Only in the first" tone="bad" rows={left} keyOf={({ id }) => id}>
          {({ id, rank, name, level, reason }) => (
            <>
              <span class="number soft">{rank}</span>
              {nameOf(id, name)}
              <span class="soft small">
                {[level, reason && `not in the second: ${wordsOf(reason)}`].filter(Boolean).join(", ")}
              </span>
            </>
          )}
        </List>
        <List title="Only in the second" tone="good" rows={entered} keyOf={({ id }) => id}>
          {({ id, rank, name, level, reason }) => (
            <>
              <span class="number soft">{rank}</span>
              {nameOf(id, name)}
              <span class="soft small">
                {[level, reason && `not in the first: ${wordsOf(reason)}`].filter(Boolean).join(", ")}
              </span>
            </>
          )}
        </List>
        <List title="Moved" rows={moved} keyOf={({ id }) => id}>
          {({ id, name, before, after }) => (
            <>
              <span class="number soft">
                {before} → {after}
              </span>
              {nameOf(id, name)}
            </>
          )}
        </List>
        <List title="Changed" rows={changed} keyOf={({ id }) => id}>
          {({ id, name, rank, level, score, text }) => (
            <>
              <span class="number soft">{rank}</span>
              {nameOf(id, name)}
              <span class="soft small">
                {[
                  level && `${level.before ?? "?"} → ${level.after ?? "?"}`,
                  score?.before !== undefined &&
                    score.after !== undefined &&
                    `${decimal(score.before)} → ${decimal(score.after)}`,
                  text && `${count(text.removed)} lines less, ${count(text.added)} more`,
                ]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </>
          )}
        </List>
      </div>
    </div>
  );
}

type Props<Row> = {
  title: string;
  tone?: "good" | "bad";
  rows: Row[];
  keyOf: (row: Row) => string;
  children: (row: Row) => ComponentChildren;
};

function List<Row>({ title, tone, rows, keyOf, children }: Props<Row>) {
  if (rows.length === 0) return null;
  return (
    <section class={`panel difference ${tone ?? ""}`} aria-label={title}>
      <h2>
        {title} <span class="soft number">{count(rows.length)}</span>
      </h2>
      <Paged rows={rows}>
        {(page) => (
          <ul>
            {page.map((row) => (
              <li key={keyOf(row)}>{children(row)}</li>
            ))}
          </ul>
        )}
      </Paged>
    </section>
  );
}
