import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, frameTokens, withOption } from "./choice.ts";
import { cutToFit, exchangeToFit } from "./cut.ts";
import { diversify } from "./diversity.ts";
import { fill, repair } from "./fill.ts";
import { choose } from "./knapsack.ts";
import { chooseOptimal } from "./knapsack-exact.ts";
import { isCutByLines } from "./levels/cut-option.ts";
import { leadOption } from "./levels/lead-cut.ts";
import { isMention } from "./levels/mentions.ts";
import { longestHead } from "./levels/print-levels.ts";
import type { ItemPrintOptions, PrintOption } from "./levels/print-options.ts";

/** The choice with the highest value, whatever sections or sources it comes from. */
export function highestValue(problem: BudgetProblem, request: Request, { exact = false }: Look): BudgetChoice {
  const first = repair(problem, choiceOf(problem, withLead(problem, chooseOptions(problem, exact))));
  const varied = growLeads(problem, fill(problem, diversify(problem, first)), request);
  if (request.budget === "soft") return varied;
  const cut = cutToFit(problem, wholeBest(problem, bodyBeforeLower(problem, varied, request)), request);
  return request.fill ? exchangeToFit(problem, cut, request) : cut;
}

/**
 * Prints the lead item at the best level that fits alone: the knapsack does not model that the lead alone can be
 * enough.
 */
function withLead(problem: BudgetProblem, chosen: (PrintOption | undefined)[]): (PrintOption | undefined)[] {
  const lead = problem.items[0];
  if (!lead?.unique.lead) return chosen;
  const alone = lead.options.filter((option) => problem.layouter.lay([option]).tokens <= problem.budget);
  const best = alone.reduce((a, b) => (b.value > a.value ? b : a), alone[0]!);
  return best && best.value > (chosen[0]?.value ?? 0) ? chosen.with(0, best) : chosen;
}

/**
 * Spends the room that all others leave on the leading item if it is cut, and on every item that was requested by name.
 */
function growLeads(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  const leads = problem.items.filter(({ unique }) => unique.lead);
  return leads.reduce((current, lead) => growLead(problem, current, lead, request), draft);
}

function growLead(problem: BudgetProblem, draft: BudgetChoice, lead: ItemPrintOptions, request: Request): BudgetChoice {
  const { rank, unique, whole } = lead;
  const now = draft.chosen[rank];
  if (!whole || now?.printLevel.level !== "elided" || isMention(unique) || !isCutByLines(lead, request)) return draft;
  const withCut = (printLevel: PrintLevel) =>
    withOption(problem, draft, rank, leadOption(lead, printLevel, problem.layouter));
  const inFull = withCut(whole);
  if (fits(problem, inFull)) return inFull;
  const longest = longestHead(unique, whole, problem.weigh, (level) => fits(problem, withCut(level)));
  return longest && longest.text.length > now.printLevel.text.length ? withCut(longest) : draft;
}

/**
 * Tokens. Larger answers have room for both items: printing the second item whole before all lower ones costs them .8
 * points of files and lines (226 questions).
 */
const smallAnswer = 2000;
/** The largest share of the budget that the second item takes from lower ones. */
const mostOfSecond = 0.75;

/**
 * In a small answer, prints the body of the second item before lower items: the deciding lines often have no word of
 * the question, while short neighbours are printed whole. Lower items give way, the lowest first.
 */
function bodyBeforeLower(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  const rank = 1;
  const item = problem.items[rank];
  const now = draft.chosen[rank];
  if (problem.budget > smallAnswer || !item?.whole || now?.printLevel.level !== "elided") return draft;
  const whole = item.options.find(({ printLevel }) => printLevel.level === "full");
  if (!whole || whole.cost > mostOfSecond * problem.budget || !isCutByLines(item, request)) return draft;
  const { unique, whole: level } = item;
  let current = draft;
  for (let lower = draft.chosen.length; lower > rank; lower--) {
    const other = draft.chosen[lower];
    if (other?.unique.lead || other?.unique.pinned) return draft;
    if (other) current = withOption(problem, current, lower, undefined);
    const attempt = withOption(problem, current, rank, whole);
    if (fits(problem, attempt)) return fill(problem, attempt);
  }
  const withCut = (cut: PrintLevel) => withOption(problem, current, rank, leadOption(item, cut, problem.layouter));
  const longest = longestHead(unique, level, problem.weigh, (cut) => fits(problem, withCut(cut)));
  return longest && longest.text.length > now.printLevel.text.length ? withCut(longest) : draft;
}

/**
 * How many of the best items are printed whole if there is room, and how likely each must be to be relevant. An unsure
 * ranking says nothing about its second item: a German question was answered with 2,900 tokens of two tables of
 * symbols.
 */
const wholeFirst = { items: 3, chance: 0.06 };

/**
 * Any other item with this chance of being the answer is also printed whole, if each of its tokens is worth this share
 * of the price.
 */
const grown = { chance: 0.15, priceShare: 0.6 };

/**
 * Prints the second and third item whole, if the others leave enough room: the words of the question often do not show
 * which of their lines decide, and tokens that no other item gets are worth less than their price. Then any other cut
 * item, best first, if it is likely to be the answer.
 */
function wholeBest(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  for (const item of problem.items.slice(1)) {
    const now = current.chosen[item.rank];
    if (now?.printLevel.level !== "elided") continue;
    const whole = item.options.find(({ printLevel }) => printLevel.level === "full");
    if (!whole || !(isAmongFirst(item) || isWorthGrowing(item, now, whole))) continue;
    const attempt = withOption(problem, current, item.rank, whole);
    if (fits(problem, attempt)) current = attempt;
  }
  return current;
}

function isAmongFirst({ rank, weight }: ItemPrintOptions): boolean {
  return rank < wholeFirst.items && weight >= wholeFirst.chance;
}

function isWorthGrowing({ weight, valuation }: ItemPrintOptions, now: PrintOption, whole: PrintOption): boolean {
  const gain = weight * (whole.printLevel.utility - now.printLevel.utility);
  return (
    valuation.chanceOf !== undefined &&
    weight >= grown.chance &&
    gain >= grown.priceShare * valuation.price * (whole.cost - now.cost)
  );
}

/** Solves the knapsack over all items. Items reached by links are first limited to their own budget. */
function chooseOptions(problem: BudgetProblem, exact: boolean): (PrintOption | undefined)[] {
  const capacity = problem.budget - frameTokens(problem);
  if (problem.linkedBudget >= problem.budget) return solve(problem.items, capacity, exact);
  const linked = problem.items.filter(({ unique }) => unique.distance > 0);
  const linkedCosts = new Map(
    solve(linked, problem.linkedBudget, exact).map((option, index) => [linked[index]!.rank, option?.cost ?? 0]),
  );
  const limited = problem.items.map((item) => ({
    ...item,
    options: item.options.filter(({ cost }) => cost <= (linkedCosts.get(item.rank) ?? Number.POSITIVE_INFINITY)),
  }));
  return solve(limited, capacity, exact);
}

/**
 * The best option of each item within the capacity: the exact optimum if requested and affordable, otherwise nearly the
 * best.
 */
export function solve(items: ItemPrintOptions[], capacity: number, exact: boolean): (PrintOption | undefined)[] {
  const classes = items.map(({ options }) => options);
  const chosen = (exact ? chooseOptimal(classes, capacity) : undefined) ?? choose(classes, capacity).chosen;
  return chosen.map((index, rank) => items[rank]!.options[index]);
}
