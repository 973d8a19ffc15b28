import { type BudgetChoice, type BudgetProblem, fits, withOption } from "./choice.ts";
import { fill } from "./fill.ts";
import type { ItemPrintOptions, PrintOption } from "./print-options.ts";

/**
 * Pinned items are worth so much that they are nearly always chosen. Where a rule of shares or variety left one out, or at another level
 * than was asked for, what was only found makes way for it, the least valuable first. The budget holds: what does not fit alone is left out.
 */
export function keepPinned(given: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  // What somebody asked for by its id is not limited as what was reached by links.
  const problem = { ...given, linkedBudget: Number.POSITIVE_INFINITY };
  const pinned = problem.items.filter(({ unique }) => unique.pinned);
  let current = draft;
  for (const item of pinned) current = placed(problem, current, item) ?? current;
  return current === draft ? draft : fill(problem, current);
}

/** With the item at the best level that finds room, or undefined where it stands well already or fits at none. */
function placed(problem: BudgetProblem, draft: BudgetChoice, item: ItemPrintOptions): BudgetChoice | undefined {
  const now = draft.chosen[item.rank];
  const wanted = item.unique.wantedLevel;
  if (now && (wanted === undefined || now.printLevel.level === wanted)) return undefined;
  for (const option of item.options) {
    if (now && option.value <= now.value) return undefined;
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

/** What was pinned and does not fit, or is printed otherwise than was asked for, in a sentence each. */
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
