import { useRequest } from "../../api/request.ts";
import { LeftOutName, SourceBadge } from "../../components/item-name.tsx";
import { count } from "../../components/numbers.ts";
import { Paged } from "../../components/paged.tsx";
import { type LeftOutItem, useAnswer } from "../../question/answer.ts";
import { reasonWords } from "../../question/reasons.ts";

type Props = { items: LeftOutItem[]; chosen?: string; onChoose: (id: string) => void };

/** Asked for by itself: it fits the document to many budgets, which takes a second or so. */
export function LeftOutList({ items, chosen, onChoose }: Props) {
  const { question, loading: isAnswering } = useAnswer();
  const input = { ...question, report: ["budgets" as const] };
  const { result, loading } = useRequest(
    isAnswering ? undefined : JSON.stringify(input),
    (client, signal) => client.context(input, { signal }),
    300,
  );
  const budgets = new Map(result?.dropped.map(({ id, entersAt }) => [id, entersAt]));
  if (items.length === 0) return <p class="soft">Nothing was left out.</p>;
  return (
    <>
      {loading && (
        <p class="small soft" role="status">
          Looking for the budget of each…
        </p>
      )}
      <Paged rows={items} page={100}>
        {(page) => (
          <ol class="picks">
            {page.map(({ id, title, source, reason }) => {
              const budget = budgets.get(id);
              return (
                <li key={id}>
                  <button type="button" class="pick left-out" aria-current={id === chosen} onClick={() => onChoose(id)}>
                    <span class="item-name">
                      <LeftOutName title={title} />
                      <span class="small soft">
                        {reasonWords(reason)}
                        {budget !== undefined && (
                          <>
                            {" "}
                            · fits with <b class="number">{count(budget)}</b> tokens
                          </>
                        )}
                      </span>
                    </span>
                    <SourceBadge source={source} />
                  </button>
                </li>
              );
            })}
          </ol>
        )}
      </Paged>
    </>
  );
}
