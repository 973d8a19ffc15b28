import type { Item } from "../../item.ts";
import { isExplicit } from "../explicit.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, sharedSlack, withOption } from "./choice.ts";

/** No source and no file may have more than this share of the items, once there are more than `handful`. */
const largestShare = 0.7;
const handful = 5;
/** An item of another source or file may replace a printed one if its score is at least this share of the other's. */
const minScoreShare = 0.5;

/** Most items that are given up for one outsider. */
const mostGivenUp = 8;

const keys: ((item: Item) => string)[] = [(item) => item.source, (item) => item.path];

/**
 * Diversity: the weakest items of a dominant source or file make room for good enough items of others. Unused room is
 * filled again afterwards, so diversity never wastes budget.
 */
export function diversify(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  return keys.reduce((current, keyOf) => diversifyBy(problem, current, keyOf), draft);
}

function diversifyBy(problem: BudgetProblem, draft: BudgetChoice, keyOf: (item: Item) => string): BudgetChoice {
  let current = draft;
  for (;;) {
    const key = dominant(current, keyOf);
    if (key === undefined) return current;
    const next = makeRoom(problem, current, (item) => keyOf(item) === key);
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

/** Gives up the weakest insiders, one at a time, until the best outsider fits. Named and pinned items stay. */
function makeRoom(
  problem: BudgetProblem,
  draft: BudgetChoice,
  isInsider: (item: Item) => boolean,
): BudgetChoice | undefined {
  const outsiders = problem.items.filter(({ rank, unique }) => !draft.chosen[rank] && !isInsider(unique.item));
  if (outsiders.length === 0) return undefined;
  const insiders = problem.items.filter(({ rank, unique }) => draft.chosen[rank] && isInsider(unique.item)).reverse();
  const removable = insiders.slice(0, -1).filter(({ unique }) => !isExplicit(unique) && !unique.pinned);
  let current = draft;
  for (const { rank, unique } of removable.slice(0, mostGivenUp)) {
    current = choiceOf(problem, current.chosen.with(rank, undefined), {
      forDiversity: new Set([...current.forDiversity, rank]),
    });
    const slack = problem.budget - current.layout.tokens + sharedSlack;
    for (const outsider of outsiders) {
      if (outsider.unique.score < minScoreShare * unique.score) continue;
      for (const option of outsider.options) {
        if (option.cost > slack) continue;
        const next = withOption(problem, current, outsider.rank, option);
        if (fits(problem, next)) return next;
      }
    }
  }
  return undefined;
}
