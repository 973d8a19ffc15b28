import { useMemo } from "preact/hooks";
import { Empty } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { Tabs } from "../components/tabs.tsx";
import { useAnswer } from "../question/answer.ts";
import { isAsked } from "../question/question.ts";
import { restate, useLocation } from "../shell/router.ts";
import { Certainty } from "./why/certainty.tsx";
import { ItemReasons } from "./why/item-reasons.tsx";
import { LeftOutList } from "./why/left-out-list.tsx";
import { LeftOutReasons } from "./why/left-out-reasons.tsx";
import { RankedList } from "./why/ranked-list.tsx";

const lists = ["printed", "left-out"] as const;

/** Why each item is where it is, and why others are not there. */
export function WhyView() {
  const { result, question } = useAnswer();
  const { state } = useLocation();
  const ranked = useMemo(() => [...(result?.items ?? [])].sort((a, b) => a.rank - b.rank), [result]);
  if (!isAsked(question)) {
    return (
      <Empty title="No question yet">
        <p>Ask something, and see why each piece is in the answer.</p>
      </Empty>
    );
  }
  if (!result) return null;
  const list = lists.find((name) => name === state.get("list")) ?? "printed";
  const chosenId = state.get("item");
  const item = ranked.find(({ id }) => id === chosenId) ?? (list === "printed" ? ranked[0] : undefined);
  const leftOut = result.dropped.find(({ id }) => id === chosenId) ?? (item ? undefined : result.dropped[0]);
  const choose = (id: string) => restate((next) => next.set("item", id));
  return (
    <div class="stack">
      <Certainty document={result} />
      <div class="why">
        <div class="why-list">
          <Tabs
            label="Items"
            names={lists}
            chosen={list}
            titleOf={(name) =>
              name === "printed"
                ? `In the document ${count(ranked.length)}`
                : `Left out ${count(result.dropped.length)}`
            }
            onChoose={(name) =>
              restate((next) => {
                next.set("list", name);
                next.delete("item");
              })
            }
          />
          {list === "printed" ? (
            <RankedList items={ranked} chosen={item?.id} onChoose={choose} />
          ) : (
            <LeftOutList items={result.dropped} chosen={leftOut?.id} onChoose={choose} />
          )}
        </div>
        <div class="why-detail">
          {item && <ItemReasons key={item.id} item={item} of={result.items.length + result.dropped.length} />}
          {!item && leftOut && <LeftOutReasons key={leftOut.id} item={leftOut} />}
          {!item && !leftOut && (
            <p class="soft">{list === "printed" ? "Nothing is printed." : "Nothing was left out."}</p>
          )}
        </div>
      </div>
    </div>
  );
}
