import { isTurn } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { ConversationShares } from "../../recipes/recipe.ts";
import { isExplicit, isFirstOfReference } from "../explicit.ts";
import type { Unique } from "../unique.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, withOption } from "./choice.ts";
import { cutToFit } from "./cut.ts";
import { fill, repair } from "./fill.ts";
import { cutOption, headTokens, type ItemPrintOptions, type PrintOption } from "./print-options.ts";

/** What an item of a chat is there for. Each has its own part of the budget, so that much of one never pushes another out. */
export type BudgetClaim = "named" | "latest" | "earlier" | "found";

export function claimOf(unique: Unique): BudgetClaim {
  if (isExplicit(unique)) return "named";
  if (!isTurn(unique.item.source)) return "found";
  return unique.signals.recent === undefined ? "earlier" : "latest";
}

/** Fewer tokens of a text say nothing. */
const smallestText = 16;

/** Chooses the best of what was found for so many tokens. */
type Choose = (items: ItemPrintOptions[], capacity: number) => (PrintOption | undefined)[];

/**
 * The budget of a chat, in this order: the first of everything that was named; the latest turns and the most relevant earlier ones, each
 * as far as its share goes; the rest of what was named; what was found. What one of them leaves goes to the others. Whatever is chosen has
 * text.
 */
export function shareConversation(
  problem: BudgetProblem,
  request: Request,
  shares: ConversationShares,
  frame: number,
  choose: Choose,
): BudgetChoice {
  const purse: Purse = {
    left: problem.budget - frame,
    problem: problem,
    request,
    chosen: problem.items.map(() => undefined),
  };
  const claims = new Map<BudgetClaim, ItemPrintOptions[]>();
  for (const item of problem.items) {
    const claim = claimOf(item.unique);
    claims.set(claim, [...(claims.get(claim) ?? []), item]);
  }
  const of = (claim: BudgetClaim) => claims.get(claim) ?? [];
  const named = of("named");
  takeEvenly(
    purse,
    named.filter(({ unique }) => isFirstOfReference(unique)),
  );
  // By place, not by how well it fits: what was said last is what "it" and "that" mean.
  const latest = [...of("latest")].sort((a, b) => b.unique.signals.recent! - a.unique.signals.recent!);
  takeInOrder(purse, latest, shares.latest * problem.budget);
  takeInOrder(purse, of("earlier"), shares.earlier * problem.budget);
  const further = named.filter(({ unique }) => !isFirstOfReference(unique));
  takeInOrder(purse, further.sort(byPlace), purse.left);
  const found = of("found");
  choose(found, purse.left).forEach((option, i) => {
    if (option) take(purse, found[i]!, option);
  });
  const draft = withinBudget(problem, choiceOf(problem, purse.chosen));
  return cutToFit(problem, fill(problem, draft), request);
}

type Purse = { left: number; problem: BudgetProblem; request: Request; chosen: (PrintOption | undefined)[] };

function take(purse: Purse, { rank }: ItemPrintOptions, option: PrintOption): void {
  purse.chosen[rank] = option;
  purse.left -= option.cost;
}

function byPlace(a: ItemPrintOptions, b: ItemPrintOptions): number {
  const { place = 0, priority = 1 } = a.unique.signals;
  const { place: placeOfB = 0, priority: priorityOfB = 1 } = b.unique.signals;
  return place - placeOfB || priorityOfB - priority || a.rank - b.rank;
}

/** Of every reference as much as of the others, where they do not all fit; the least important goes where there is no room for that. */
function takeEvenly(purse: Purse, firsts: ItemPrintOptions[]): void {
  const open = [...firsts].sort(byPlace);
  const leastOf = (item: ItemPrintOptions) =>
    Math.min(costOf(item), headTokens(item, purse.problem.layouter) + smallestText);
  while (open.length > 1 && open.reduce((sum, item) => sum + leastOf(item), 0) > purse.left) open.pop();
  // The shortest first: what it does not need is for the others.
  for (const [i, item] of open.sort((a, b) => costOf(a) - costOf(b)).entries()) {
    const option = offerWithin(purse, item, Math.floor(purse.left / (open.length - i)));
    if (option) take(purse, item, option);
  }
}

function costOf({ options }: ItemPrintOptions): number {
  return options[0]?.cost ?? 0;
}

/** One text takes at most half of a share: two turns tell more than one long one. */
const mostOfShare = 0.5;

/** In this order, as much as fits into the share. */
function takeInOrder(purse: Purse, items: readonly ItemPrintOptions[], share: number): void {
  let left = Math.min(Math.floor(share), purse.left);
  const most = Math.floor(left * mostOfShare);
  for (const item of items) {
    if (left < smallestText) return;
    const option = offerWithin(purse, item, Math.min(left, most));
    if (!option) continue;
    take(purse, item, option);
    left -= option.cost;
  }
}

/** An item whole, or in the best way that fits, or cut to what fits. */
function offerWithin({ problem, request }: Purse, item: ItemPrintOptions, most: number): PrintOption | undefined {
  const fitting = item.options.find(({ cost }) => cost <= most);
  if (fitting) return fitting;
  let tokens = most - headTokens(item, problem.layouter);
  for (let tries = 0; tries < 3 && tokens >= smallestText; tries++) {
    const cut = cutOption(item, tokens, request, problem.layouter);
    if (!cut || cut.cost <= most) return cut;
    tokens -= cut.cost - most;
  }
  return undefined;
}

/** Costs are exact but for what items share. What was found goes first, the weakest of it. */
function withinBudget(problem: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (!fits(problem, current)) {
    const weakest = current.chosen.findLast((option) => option && claimOf(option.unique) === "found");
    if (!weakest) return repair(problem, current);
    current = withOption(problem, current, weakest.rank, undefined);
  }
  return current;
}
