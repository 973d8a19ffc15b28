import { Button } from "../../components/button.tsx";
import { ItemName, SourceBadge } from "../../components/item-name.tsx";
import { count } from "../../components/numbers.ts";
import { Paged } from "../../components/paged.tsx";
import { Table } from "../../components/table.tsx";
import type { DocumentItem } from "../../question/answer.ts";
import { itemLevels, toggleExclude, toggleLevel, togglePin, useDecisions } from "../../question/choices.ts";

/** The printed items in order, with the decisions that can be made for each. */
export function ChosenItems({ items, entered }: { items: DocumentItem[]; entered: ReadonlySet<string> }) {
  const { isPinned } = useDecisions();
  if (items.length === 0) return <p class="soft">No item fits into this budget.</p>;
  return (
    <Paged rows={items}>
      {(page) => (
        <Table
          caption="Items in the document"
          rows={page}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Item",
              cell: (item) => (
                <span class="item-cell">
                  <SourceBadge source={item.source} />
                  <ItemName item={item} />
                  {entered.has(item.id) && <span class="badge good">new</span>}
                </span>
              ),
            },
            { title: "Level", cell: (item) => <Levels item={item} /> },
            { title: "Content", numeric: true, cell: (item) => count(item.content ?? 0) },
            { title: "Frame", numeric: true, cell: (item) => count(item.tokens - (item.content ?? 0)) },
            { title: "Tokens", numeric: true, cell: (item) => <b>{count(item.tokens)}</b> },
            {
              title: "Decide",
              cell: ({ id, name }) => (
                <span class="row decide">
                  <Button pressed={isPinned(id)} label={`Pin ${name}`} onClick={() => togglePin(id)}>
                    Pin
                  </Button>
                  <Button label={`Exclude ${name}`} onClick={() => toggleExclude(id)}>
                    Exclude
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
    </Paged>
  );
}

const short = { full: "Full", elided: "Part", signature: "Sign.", pointer: "Name" } as const;

/** The level that it has, and what others would take. One that was chosen is marked; a click on it takes that back. */
function Levels({ item }: { item: DocumentItem }) {
  const { levelOf } = useDecisions();
  const costs = new Map(item.levels?.map(({ level, tokens }) => [level, tokens]));
  return (
    <span class="levels">
      {itemLevels.map((level) => {
        const cost = costs.get(level);
        const isNow = item.level === level;
        const isChosen = levelOf(item.id) === level;
        const costText = cost === undefined ? "not possible here" : `about ${count(cost)} tokens`;
        return (
          <button
            key={level}
            type="button"
            class={`level ${isNow ? "now" : ""}`}
            aria-pressed={isChosen}
            aria-current={isNow ? "true" : undefined}
            disabled={cost === undefined && !isNow}
            aria-label={`${short[level]}: print ${item.name} as ${level}, ${costText}${isNow ? "; it is so now" : ""}`}
            title={`${level}: ${costText}`}
            onClick={() => toggleLevel(item.id, level)}
          >
            {short[level]}
          </button>
        );
      })}
    </span>
  );
}
