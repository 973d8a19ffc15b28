import type { Item } from "../../item.ts";
import { isExplicit } from "../explicit.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, shared, withOption } from "./choice.ts";

/** No source and no file gives more than this share of the items, once there are more than a handful. */
const largestShare = 0.7;
const handful = 5;
/** An outsider wants the room of an item when it has at least this share of its score; noise does not. */
const wanting = 0.5;

/** Items given up for one outsider. */
const mostGivenUp = 8;

const keys: ((item: Item) => string)[] = [(item) => item.source, (item) => item.path];

/**
 * While something else wants the room, the weakest items of a source or file that dominates make way for it. What
 * they leave unused is filled again afterwards, so variety never costs budget.
 */
export function diversify(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  return keys.reduce((current, keyOf) => diversifyBy(problem, current, keyOf), draft);
}

function diversifyBy(problem: BudgetProblem, draft: BudgetChoice, keyOf: (item: Item) => string): BudgetChoice {
  let current = draft;
  for (;;) {
    const key = dominant(current, keyOf);
    if (key === undefined) return current;
    const next = makeWay(problem, current, (item) => keyOf(item) === key);
    if (!next) return current;
    current = next;
  }
}

function dominant({ chosen }: BudgetChoice, keyOf: (item: Item) => string): string | undefined {
  const counts = new Map<string, number>();
  let total = 0;
  for (const option of chosen) {
    if (!option) continue;
    total++;
    const key = keyOf(option.unique.item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (total <= handful) return undefined;
  for (const [key, count] of counts) if (count > largestShare * total) return key;
  return undefined;
}

/** Gives up the weakest insiders, one after another, until the best outsider that is left out fits; what was named stays. */
function makeWay(
  problem: BudgetProblem,
  draft: BudgetChoice,
  inside: (item: Item) => boolean,
): BudgetChoice | undefined {
  const outsiders = problem.items.filter(({ rank, unique }) => !draft.chosen[rank] && !inside(unique.item));
  if (outsiders.length === 0) return undefined;
  const insiders = problem.items.filter(({ rank, unique }) => draft.chosen[rank] && inside(unique.item)).reverse();
  const mayGo = insiders.slice(0, -1).filter(({ unique }) => !isExplicit(unique) && !unique.pinned);
  let current = draft;
  for (const { rank, unique } of mayGo.slice(0, mostGivenUp)) {
    current = choiceOf(problem, current.chosen.with(rank, undefined), { varied: new Set([...current.varied, rank]) });
    const slack = problem.budget - current.layout.tokens + shared;
    for (const outsider of outsiders) {
      if (outsider.unique.score < wanting * unique.score) continue;
      for (const option of outsider.options) {
        if (option.cost > slack) continue;
        const next = withOption(problem, current, outsider.rank, option);
        if (fits(problem, next)) return next;
      }
    }
  }
  return undefined;
}
