import { isTurn } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { ConversationShares } from "../../recipes/recipe.ts";
import { isExplicit, isFirstOfReference } from "../explicit.ts";
import type { Unique } from "../unique.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, withOption } from "./choice.ts";
import { cutToFit } from "./cut.ts";
import { fill, repair } from "./fill.ts";
import { cutOption, headTokens } from "./levels/cut-option.ts";
import type { ItemPrintOptions, PrintOption } from "./levels/print-options.ts";

/**
 * Why an item of a chat is printed. Each reason has its own part of the budget, so that one never pushes out another.
 */
export type BudgetClaim = "named" | "latest" | "earlier" | "found";

/** Which part of a chat's budget pays for an item. */
export function claimOf(unique: Unique): BudgetClaim {
  if (isExplicit(unique)) return "named";
  if (!isTurn(unique.item.source)) return "found";
  return unique.signals.recent === undefined ? "earlier" : "latest";
}

/** Tokens. A shorter piece of text is useless. */
const smallestText = 16;

/** Chooses the most valuable options within a capacity (knapsack). */
type Choose = (items: ItemPrintOptions[], capacity: number) => (PrintOption | undefined)[];

/**
 * Spends the budget of a chat in this order: the first item of every reference; the latest turns and the most relevant
 * earlier ones, each within its share; the other items of references; found items. Unused tokens go to the next.
 * Everything that is chosen has text.
 */
export function shareConversation(
  problem: BudgetProblem,
  request: Request,
  shares: ConversationShares,
  frame: number,
  choose: Choose,
): BudgetChoice {
  const spending: Spending = {
    left: problem.budget - frame,
    problem,
    request,
    chosen: problem.items.map(() => undefined),
  };
  const claims = new Map<BudgetClaim, ItemPrintOptions[]>();
  for (const item of problem.items) {
    const claim = claimOf(item.unique);
    claims.set(claim, [...(claims.get(claim) ?? []), item]);
  }
  const itemsOf = (claim: BudgetClaim) => claims.get(claim) ?? [];
  const named = itemsOf("named");
  takeEvenly(
    spending,
    named.filter(({ unique }) => isFirstOfReference(unique)),
  );
  // Newest first, not by relevance: "it" and "that" refer to the latest turns.
  const latest = [...itemsOf("latest")].sort((a, b) => b.unique.signals.recent! - a.unique.signals.recent!);
  takeInOrder(spending, latest, shares.latest * problem.budget);
  takeInOrder(spending, itemsOf("earlier"), shares.earlier * problem.budget);
  const otherNamed = named.filter(({ unique }) => !isFirstOfReference(unique));
  takeInOrder(spending, otherNamed.sort(byPlace), spending.left);
  const foundItems = itemsOf("found");
  choose(foundItems, spending.left).forEach((option, i) => {
    if (option) take(spending, foundItems[i]!, option);
  });
  const draft = withinBudget(problem, choiceOf(problem, spending.chosen));
  return cutToFit(problem, fill(problem, draft), request);
}

type Spending = { left: number; problem: BudgetProblem; request: Request; chosen: (PrintOption | undefined)[] };

function take(spending: Spending, { rank }: ItemPrintOptions, option: PrintOption): void {
  spending.chosen[rank] = option;
  spending.left -= option.cost;
}

function byPlace(a: ItemPrintOptions, b: ItemPrintOptions): number {
  const { place = 0, priority = 1 } = a.unique.signals;
  const { place: placeOfB = 0, priority: priorityOfB = 1 } = b.unique.signals;
  return place - placeOfB || priorityOfB - priority || a.rank - b.rank;
}

/**
 * Divides the budget evenly among the references if they do not all fit. If even their shares are too small, drops the
 * least important references.
 */
function takeEvenly(spending: Spending, firsts: ItemPrintOptions[]): void {
  const open = [...firsts].sort(byPlace);
  const minCostOf = (item: ItemPrintOptions) =>
    Math.min(costOf(item), headTokens(item, spending.problem.layouter) + smallestText);
  while (open.length > 1 && open.reduce((sum, item) => sum + minCostOf(item), 0) > spending.left) open.pop();
  // Shortest first: the tokens that a short item does not need go to the others.
  for (const [i, item] of open.sort((a, b) => costOf(a) - costOf(b)).entries()) {
    const option = optionWithin(spending, item, Math.floor(spending.left / (open.length - i)));
    if (option) take(spending, item, option);
  }
}

function costOf({ options }: ItemPrintOptions): number {
  return options[0]?.cost ?? 0;
}

/** One item takes at most half of a share: two turns are worth more than one long one. */
const mostPerItem = 0.5;

/** Takes items in this order while they fit into the share. */
function takeInOrder(spending: Spending, items: readonly ItemPrintOptions[], share: number): void {
  let left = Math.min(Math.floor(share), spending.left);
  const itemLimit = Math.floor(left * mostPerItem);
  for (const item of items) {
    if (left < smallestText) return;
    const option = optionWithin(spending, item, Math.min(left, itemLimit));
    if (!option) continue;
    take(spending, item, option);
    left -= option.cost;
  }
}

/** The best option of an item that fits, or a cut of its text. */
function optionWithin({ problem, request }: Spending, item: ItemPrintOptions, limit: number): PrintOption | undefined {
  const fitting = item.options.find(({ cost }) => cost <= limit);
  if (fitting) return fitting;
  let tokens = limit - headTokens(item, problem.layouter);
  for (let tries = 0; tries < 3 && tokens >= smallestText; tries++) {
    const cut = cutOption(item, tokens, request, problem.layouter);
    if (!cut || cut.cost <= limit) return cut;
    tokens -= cut.cost - limit;
  }
  return undefined;
}

/** Removes the weakest found items until the document fits: costs are exact except for parts that items share. */
function withinBudget(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (!fits(problem, current)) {
    const weakest = current.chosen.findLast((option) => option && claimOf(option.unique) === "found");
    if (!weakest) return repair(problem, current);
    current = withOption(problem, current, weakest.rank, undefined);
  }
  return current;
}
