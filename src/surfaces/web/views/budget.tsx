import { useRef } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { type AnswerDocument, useAnswer } from "../question/answer.ts";
import { clearDecisions, useDecisions } from "../question/choices.ts";
import { isAsked } from "../question/question.ts";
import { BudgetBar } from "./budget/budget-bar.tsx";
import { BudgetSlider } from "./budget/budget-slider.tsx";
import { ChosenItems } from "./budget/chosen-items.tsx";
import { LeftOutItems } from "./budget/left-out-items.tsx";

/** How the tokens are spent, and how other budgets and decisions would change that. */
export function BudgetView() {
  const { result, question } = useAnswer();
  const { count: decisions } = useDecisions();
  const entered = useEntered(result);
  if (!isAsked(question)) {
    return (
      <Empty title="No question yet">
        <p>Ask something, and see what each token of the answer is spent on.</p>
      </Empty>
    );
  }
  if (!result) return null;
  return (
    <div class="stack">
      <section class="panel budget" aria-label="Budget">
        <BudgetSlider budget={result.tokens.budget} />
        <BudgetBar document={result} isMoving={entered.sameQuestion} />
        <p class="small soft" role="status">
          {entered.ids.size + entered.left > 0
            ? `${count(entered.ids.size)} entered, ${count(entered.left)} left with the last change.`
            : "Drag the budget: items enter and leave, and the text fits exactly."}
        </p>
      </section>
      <div class="row spread">
        <h2>In the document</h2>
        {decisions > 0 && (
          <Button kind="quiet" onClick={clearDecisions}>
            Undo {count(decisions)} decisions
          </Button>
        )}
      </div>
      <ChosenItems items={result.items} entered={entered.ids} />
      <LeftOutItems items={result.dropped} />
    </div>
  );
}

type Change = { ids: ReadonlySet<string>; left: number; sameQuestion: boolean };

const unchanged: Change = { ids: new Set(), left: 0, sameQuestion: false };

/**
 * Items of this answer that the one before to the same words did not have. Computed while rendering: the tables are
 * drawn once for each answer.
 */
function useEntered(result: AnswerDocument | undefined): Change {
  const last = useRef<{ result?: AnswerDocument; change: Change }>({ change: unchanged });
  if (result && result !== last.current.result)
    last.current = { result, change: changeOf(last.current.result, result) };
  return last.current.change;
}

function changeOf(before: AnswerDocument | undefined, now: AnswerDocument): Change {
  if (before?.query !== now.query) return unchanged;
  const [then, ids] = [before, now].map(({ items }) => new Set(items.map(({ id }) => id))) as [
    Set<string>,
    Set<string>,
  ];
  return {
    ids: new Set([...ids].filter((id) => !then.has(id))),
    left: [...then].filter((id) => !ids.has(id)).length,
    sameQuestion: true,
  };
}
