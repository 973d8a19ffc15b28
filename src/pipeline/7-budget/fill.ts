import { type BudgetChoice, type BudgetProblem, fits, sharedSlack, withOption } from "./choice.ts";
import type { PrintOption } from "./levels/print-options.ts";

/**
 * Corrections after the knapsack, whose costs are exact except for parts that items share (imports, sources, titles).
 */

type Step = { rank: number; option: PrintOption | undefined; cost: number; value: number };

/** Removes or shrinks the items that lose the least value per freed token, until the document fits. */
export function repair(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (!fits(problem, current)) {
    const step = cheapestLoss(problem, current);
    if (!step) return current;
    current = withOption(problem, current, step.rank, step.option);
  }
  return current;
}

function cheapestLoss(problem: BudgetProblem, { chosen, layout }: BudgetChoice): Step | undefined {
  const onlyLinked = layout.tokens <= problem.budget;
  let best: Step | undefined;
  for (const [rank, now] of chosen.entries()) {
    if (!now || (onlyLinked && now.unique.distance === 0)) continue;
    const cheaper = problem.items[rank]!.options.filter(({ cost }) => cost < now.cost);
    for (const option of [...cheaper, undefined]) {
      const cost = now.cost - (option?.cost ?? 0);
      const value = now.value - (option?.value ?? 0);
      if (!best || value * best.cost < best.value * cost) best = { rank, option, cost, value };
    }
  }
  return best;
}

/** How many steps are tried, best first, before the document counts as full. */
const mostTries = 40;

/** Spends the remaining tokens on better levels and further items; items left out for diversity come last. */
export function fill(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  // The second round is for items left out for diversity.
  for (const allowVaried of draft.forDiversity.size > 0 ? [false, true] : [false]) {
    for (let next: BudgetChoice | undefined = current; next; next = bestGain(problem, current, allowVaried))
      current = next;
  }
  return current;
}

function bestGain(problem: BudgetProblem, draft: BudgetChoice, allowVaried: boolean): BudgetChoice | undefined {
  const slack = problem.budget - draft.layout.tokens;
  const steps: Step[] = [];
  for (const { rank, options } of problem.items) {
    if (!allowVaried && draft.forDiversity.has(rank)) continue;
    const now = draft.chosen[rank];
    for (const option of options) {
      const cost = option.cost - (now?.cost ?? 0);
      const value = option.value - (now?.value ?? 0);
      if (value > 0 && cost <= slack + sharedSlack) steps.push({ rank, option, cost, value });
    }
  }
  steps.sort((a, b) => b.value - a.value || a.rank - b.rank || a.cost - b.cost);
  for (const step of steps.slice(0, mostTries)) {
    const next = withOption(problem, draft, step.rank, step.option);
    if (fits(problem, next)) return next;
  }
  return undefined;
}
