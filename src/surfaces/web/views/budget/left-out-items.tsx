import { Button } from "../../components/button.tsx";
import { LeftOutName, SourceBadge } from "../../components/item-name.tsx";
import { count, decimal } from "../../components/numbers.ts";
import { Paged } from "../../components/paged.tsx";
import { Table } from "../../components/table.tsx";
import type { LeftOutItem } from "../../question/answer.ts";
import { toggleExclude, togglePin, useDecisions } from "../../question/choices.ts";
import { reasonWords } from "../../question/reasons.ts";

export function LeftOutItems({ items }: { items: LeftOutItem[] }) {
  const { isExcluded } = useDecisions();
  if (items.length === 0) return null;
  const leastOf = ({ levels = [] }: LeftOutItem) => levels.find(({ level }) => level === "full")?.tokens;
  return (
    <section class="stack" aria-labelledby="left-out">
      <h2 id="left-out">
        Left out <span class="soft number">{count(items.length)}</span>
      </h2>
      <Paged rows={items}>
        {(page) => (
          <Table
            caption="Items that were left out"
            rows={page}
            keyOf={({ id }) => id}
            columns={[
              {
                title: "Item",
                cell: ({ source, title }) => (
                  <span class="item-cell">
                    <SourceBadge source={source} />
                    <LeftOutName title={title} />
                  </span>
                ),
              },
              { title: "Reason", cell: ({ reason }) => reasonWords(reason) },
              { title: "Score", numeric: true, cell: ({ score }) => decimal(score) },
              {
                title: "In full",
                numeric: true,
                cell: (item) => {
                  const tokens = leastOf(item);
                  return tokens === undefined ? "" : count(tokens);
                },
              },
              {
                title: "Decide",
                cell: ({ id, title }) =>
                  isExcluded(id) ? (
                    <Button label={`Allow again: ${title}`} onClick={() => toggleExclude(id)}>
                      Allow again
                    </Button>
                  ) : (
                    <Button label={`Pin ${title}`} onClick={() => togglePin(id)}>
                      Pin
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Paged>
    </section>
  );
}
