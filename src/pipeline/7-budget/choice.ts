import type { Layouter } from "../layout/layout.ts";
import type { Layout } from "../layout/printed-parts.ts";
import type { WeighLines } from "./line-weights.ts";
import type { ItemPrintOptions, PrintOption } from "./print-options.ts";

/** What there is to choose from, and the room for it. */
export type BudgetProblem = {
  items: ItemPrintOptions[];
  layouter: Layouter;
  /** Tokens for the whole document, and for the items that were only reached by links. */
  budget: number;
  linkedBudget: number;
  /** Items by rank that are not worth their tokens, however much room there is. */
  unworthy: ReadonlySet<number>;
  weigh: WeighLines;
};

/** An option may turn out this much cheaper than it was priced alone: its imports or its file are there already. */
export const shared = 12;

/** Items by rank that are not printed for another reason than the budget: for variety, or because the reader has them. */
export type Left = { varied: ReadonlySet<number>; given: ReadonlySet<number> };

const nobody: Left = { varied: new Set(), given: new Set() };

/** A choice in progress, at most one print option for each item by rank, laid out and counted. */
export type BudgetChoice = Left & { chosen: (PrintOption | undefined)[]; layout: Layout };

export function choiceOf(
  problem: BudgetProblem,
  chosen: (PrintOption | undefined)[],
  left: Partial<Left> = nobody,
): BudgetChoice {
  const { varied, given } = { ...nobody, ...left };
  const shown = chosen.filter((option) => option !== undefined);
  const missing = (ranks: ReadonlySet<number>) => [...ranks].filter((rank) => !chosen[rank]).length;
  const counts = { varied: missing(varied), given: missing(given), unworthy: missing(problem.unworthy) };
  return { chosen, varied, given, layout: problem.layouter.lay(shown, counts) };
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

export function fits({ budget, linkedBudget }: BudgetProblem, { layout }: BudgetChoice): boolean {
  return layout.tokens <= budget && layout.linked <= linkedBudget;
}

export function valueOfChoice({ chosen }: BudgetChoice): number {
  return chosen.reduce((sum, option) => sum + (option?.value ?? 0), 0);
}
