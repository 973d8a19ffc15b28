import type { LevelCost } from "../../document.ts";
import type { Request } from "../../options.ts";
import type { Shown } from "../layout/printed-parts.ts";
import type { BudgetProblem } from "./choice.ts";
import type { Printed } from "./fit-budget.ts";
import { shortLevels, textLevels } from "./levels/print-levels.ts";

/**
 * Adds `content` (tokens of the item's own text) and `levels`. Only on request, because it takes as long as choosing
 * the items.
 */
export function withReport(problem: BudgetProblem, printed: Printed, request: Request): Printed {
  if (!request.report) return printed;
  const { text } = printed.printLevel;
  const own = text === "" ? 0 : problem.layouter.countOwn(text);
  return {
    ...printed,
    // A text counted alone may take a token more than inside its block.
    ...(request.report.includes("parts") ? { content: Math.min(printed.tokens, own) } : {}),
    ...levelsOf(problem, printed, request),
  };
}

/** The token cost of an item at each of its levels, including shared headings. */
export function levelsOf(
  { layouter, weigh }: BudgetProblem,
  { unique, rank }: Pick<Shown, "unique" | "rank">,
  request: Request,
): { levels?: LevelCost[] } {
  if (!request.report?.includes("levels")) return {};
  const costs = new Map<LevelCost["level"], number>();
  for (const printLevel of [...textLevels(unique, request, weigh), ...shortLevels(unique)]) {
    const shown = { rank, unique, printLevel };
    const tokens = layouter.blockTokens(shown, printLevel.imports) + layouter.sharedTokens(shown, true);
    // A level may occur with and without context lines: the first one is printed if there is room.
    if (!costs.has(printLevel.level)) costs.set(printLevel.level, tokens);
  }
  return { levels: [...costs].map(([level, tokens]) => ({ level, tokens })) };
}
