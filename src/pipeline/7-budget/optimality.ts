import { isInFile } from "../../item.ts";
import { type BudgetChoice, type BudgetProblem, shortestTokens, valueOfChoice } from "./choice.ts";
import { upperBound } from "./knapsack.ts";
import type { PrintOption } from "./levels/print-options.ts";

/** Rounding tolerance: both values are sums of the same numbers in another order. */
const rounding = 1e-9;

/**
 * The value divided by an upper bound of every possible choice. The cost of parts that items of one file share
 * (imports, the file's line among the sources) is divided among all of them. However many are chosen, this is at most
 * their real cost together, so the bound stays valid.
 */
export function optimalityOf(problem: BudgetProblem, draft: BudgetChoice): number {
  const { layouter } = problem;
  const itemsPerFile = new Map<string, number>();
  for (const { unique } of problem.items)
    itemsPerFile.set(unique.item.path, (itemsPerFile.get(unique.item.path) ?? 0) + 1);
  const costOf = (option: PrintOption) => {
    // Records do not share anything.
    if (!isInFile(option.unique.item.source)) return option.cost;
    const alone = layouter.blockTokens(option, []);
    const shared =
      layouter.blockTokens(option, option.printLevel.imports) - alone + layouter.sharedTokens(option, true);
    return alone + shared / itemsPerFile.get(option.unique.item.path)!;
  };
  const classes = problem.items.map(({ options, rank }) => {
    const taken = draft.chosen[rank];
    const all = taken && !options.includes(taken) ? [...options, taken] : options;
    return all.map((option) => ({
      cost: costOf(option),
      value: option.value,
      pointer: option.printLevel.level === "pointer",
    }));
  });
  const capacity = Math.max(problem.budget, draft.layout.tokens);
  const pointers = classes.map((options) => options.filter(({ pointer }) => pointer));
  const bound = Math.max(upperBound(classes, capacity - smallestFrame(problem)), upperBound(pointers, capacity));
  const value = valueOfChoice(draft);
  return value >= bound * (1 - rounding) ? 1 : value / bound;
}

/** Tokens that every document with text needs besides its items; 0 if nothing has to be left out. */
function smallestFrame(problem: BudgetProblem): number {
  const text = problem.items.flatMap(({ options }) => options).find(({ printLevel }) => printLevel.level !== "pointer");
  if (!text || shortestTokens(problem) <= problem.budget) return 0;
  const { tokens } = problem.layouter.lay([text]);
  return (
    tokens - problem.layouter.blockTokens(text, text.printLevel.imports) - problem.layouter.sharedTokens(text, true)
  );
}
