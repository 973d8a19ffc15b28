import { type BudgetChoice, type BudgetProblem, fits, withOption } from "./choice.ts";
import { fill } from "./fill.ts";
import type { ItemPrintOptions, PrintOption } from "./levels/print-options.ts";

/**
 * Pinned items have such a high value that they are nearly always chosen. If shares or diversity left one out, or put
 * it at a level other than the requested one, items that are not pinned make room, least valuable first. The budget
 * stays hard: an item that does not fit alone is left out.
 */
export function keepPinned(limited: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  // Pinned items do not count against the budget for linked items.
  const problem = { ...limited, linkedBudget: Number.POSITIVE_INFINITY };
  const pinned = problem.items.filter(({ unique }) => unique.pinned);
  let current = draft;
  for (const item of pinned) current = withPinnedItem(problem, current, item) ?? current;
  return current === draft ? draft : fill(problem, current);
}

/** The choice with the item at the best level that fits; undefined if it is already well placed or fits at no level. */
function withPinnedItem(problem: BudgetProblem, draft: BudgetChoice, item: ItemPrintOptions): BudgetChoice | undefined {
  const current = draft.chosen[item.rank];
  const wanted = item.unique.wantedLevel;
  if (current && (wanted === undefined || current.printLevel.level === wanted)) return undefined;
  for (const option of item.options) {
    if (current && option.value <= current.value) return undefined;
    const next = withRoomFor(problem, draft, item.rank, option);
    if (next) return next;
  }
  return undefined;
}

function withRoomFor(
  problem: BudgetProblem,
  draft: BudgetChoice,
  rank: number,
  option: PrintOption,
): BudgetChoice | undefined {
  let current = withOption(problem, draft, rank, option);
  while (!fits(problem, current)) {
    const weakest = current.chosen
      .filter((each) => each !== undefined && !each.unique.pinned)
      .reduce((a, b) => (!a || b!.value < a.value || (b!.value === a.value && b!.rank > a.rank) ? b : a), undefined);
    if (!weakest) return undefined;
    current = withOption(problem, current, weakest.rank, undefined);
  }
  return current;
}

/** Warnings for pinned items that do not fit or are printed at a level other than the requested one. */
export function pinWarnings({ items, budget }: BudgetProblem, { chosen }: BudgetChoice): string[] {
  return items.flatMap(({ unique, rank }) => {
    if (!unique.pinned) return [];
    const { citation, item, wantedLevel } = unique;
    const name = `${item.name} ${citation.id}`;
    const printed = chosen[rank]?.printLevel.level;
    if (!printed) return [`${name} is pinned and does not fit into ${budget} tokens.`];
    if (wantedLevel === undefined || printed === wantedLevel) return [];
    return [`${name} is printed as ${printed}: as ${wantedLevel} it does not exist or does not fit.`];
  });
}
