import { type BudgetChoice, type BudgetProblem, fits, shared, withOption } from "./choice.ts";
import type { PrintOption } from "./print-options.ts";

/** The knapsack's costs are exact but for what items share (imports, sources, titles); these settle the rest. */

type Step = { rank: number; offer: PrintOption | undefined; cost: number; value: number };

/** Takes back what costs least in value for the tokens it frees, until the document fits. */
export function repair(room: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (!fits(room, current)) {
    const step = cheapestLoss(room, current);
    if (!step) return current;
    current = withOption(room, current, step.rank, step.offer);
  }
  return current;
}

function cheapestLoss(room: BudgetProblem, { chosen, layout }: BudgetChoice): Step | undefined {
  const onlyLinked = layout.tokens <= room.budget;
  let best: Step | undefined;
  for (const [rank, now] of chosen.entries()) {
    if (!now || (onlyLinked && now.unique.distance === 0)) continue;
    const cheaper = room.items[rank]!.offers.filter(({ cost }) => cost < now.cost);
    for (const offer of [...cheaper, undefined]) {
      const cost = now.cost - (offer?.cost ?? 0);
      const value = now.value - (offer?.value ?? 0);
      if (!best || value * best.cost < best.value * cost) best = { rank, offer, cost, value };
    }
  }
  return best;
}

/** Steps that are tried, best first, before the room counts as full. */
const mostTries = 40;

/** Spends what is left on better levels and further items, those left for variety last. */
export function fill(room: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  // Where nothing was left for variety, a second round would try the same again.
  for (const allowVaried of draft.varied.size > 0 ? [false, true] : [false]) {
    for (let next: BudgetChoice | undefined = current; next; next = bestGain(room, current, allowVaried))
      current = next;
  }
  return current;
}

function bestGain(room: BudgetProblem, draft: BudgetChoice, allowVaried: boolean): BudgetChoice | undefined {
  const slack = room.budget - draft.layout.tokens;
  const steps: Step[] = [];
  for (const { rank, offers } of room.items) {
    if (!allowVaried && draft.varied.has(rank)) continue;
    const now = draft.chosen[rank];
    for (const offer of offers) {
      const cost = offer.cost - (now?.cost ?? 0);
      const value = offer.value - (now?.value ?? 0);
      if (value > 0 && cost <= slack + shared) steps.push({ rank, offer, cost, value });
    }
  }
  steps.sort((a, b) => b.value - a.value || a.rank - b.rank || a.cost - b.cost);
  for (const step of steps.slice(0, mostTries)) {
    const next = withOption(room, draft, step.rank, step.offer);
    if (fits(room, next)) return next;
  }
  return undefined;
}
