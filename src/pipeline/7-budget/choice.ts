import type { Layouter } from "../layout/layout.ts";
import type { Layout } from "../layout/printed-parts.ts";
import type { WeighLines } from "./levels/line-weights.ts";
import type { ItemPrintOptions, PrintOption } from "./levels/print-options.ts";

/** The knapsack problem: the options of every item, and the budget. */
export type BudgetProblem = {
  items: ItemPrintOptions[];
  layouter: Layouter;
  /** Tokens for the whole document, and for items that were only reached by links. */
  budget: number;
  linkedBudget: number;
  /** Ranks of items that are not worth their tokens, even if there is room. */
  unworthy: ReadonlySet<number>;
  weigh: WeighLines;
};

/**
 * Tokens by which an option may be cheaper than its price alone: its imports or its file heading may already be
 * printed.
 */
export const sharedSlack = 12;

/**
 * Ranks of items that are left out for a reason other than the budget: for diversity, or because the reader already has
 * them.
 */
export type LeftOutRanks = { forDiversity: ReadonlySet<number>; alreadySent: ReadonlySet<number> };

const noneLeftOut: LeftOutRanks = { forDiversity: new Set(), alreadySent: new Set() };

/** A choice of at most one print option per item (by rank), laid out and counted. */
export type BudgetChoice = LeftOutRanks & { chosen: (PrintOption | undefined)[]; layout: Layout };

/** Lays out these options and counts them. */
export function choiceOf(
  problem: BudgetProblem,
  chosen: (PrintOption | undefined)[],
  leftOut: Partial<LeftOutRanks> = noneLeftOut,
): BudgetChoice {
  const { forDiversity, alreadySent } = { ...noneLeftOut, ...leftOut };
  const shown = chosen.filter((option) => option !== undefined);
  const missing = (ranks: ReadonlySet<number>) => [...ranks].filter((rank) => !chosen[rank]).length;
  const counts = {
    forDiversity: missing(forDiversity),
    alreadySent: missing(alreadySent),
    unworthy: missing(problem.unworthy),
  };
  return { chosen, forDiversity, alreadySent, layout: problem.layouter.lay(shown, counts) };
}

/** The same draft with another option, or none, for one item. */
export function withOption(
  problem: BudgetProblem,
  draft: BudgetChoice,
  rank: number,
  option: PrintOption | undefined,
): BudgetChoice {
  return choiceOf(problem, draft.chosen.with(rank, option), draft);
}

/** Whether the document is within both budgets. */
export function fits({ budget, linkedBudget }: BudgetProblem, { layout }: BudgetChoice): boolean {
  return layout.tokens <= budget && layout.linked <= linkedBudget;
}

export function valueOfChoice({ chosen }: BudgetChoice): number {
  return chosen.reduce((sum, option) => sum + (option?.value ?? 0), 0);
}

/** Tokens around the items: titles, opening and closing, the note about what was left out. */
export function frameTokens(problem: BudgetProblem): number {
  return shortestTokens(problem) - cheapest(problem).reduce((sum, { cost }) => sum + cost, 0);
}

function cheapest({ items }: BudgetProblem): PrintOption[] {
  return items.flatMap(({ options }) => options.slice(-1));
}

const shortestByItems = new WeakMap<ItemPrintOptions[], number>();

/** Tokens of the document with every item at its shortest level. */
export function shortestTokens(problem: BudgetProblem): number {
  let tokens = shortestByItems.get(problem.items);
  if (tokens === undefined)
    shortestByItems.set(problem.items, (tokens = problem.layouter.lay(cheapest(problem)).tokens));
  return tokens;
}
