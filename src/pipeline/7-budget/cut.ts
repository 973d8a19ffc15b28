import type { Request } from "../../options.ts";
import { type BudgetChoice, type BudgetProblem, fits, valueOfChoice, withOption } from "./choice.ts";
import { cutOption, headTokens, isSmall, smallBudget } from "./levels/cut-option.ts";
import type { ItemPrintOptions } from "./levels/print-options.ts";

/** Tokens. With less room, no item is cut. */
const smallestRoom = 6;
/** A document filled to this share counts as full. */
const goodFill = 0.985;
/** How many items are tried, best ranked first, and how many cuts of each. */
const mostItems = 8;
const mostTexts = 4;
/** How many items of one document are cut. */
const mostCuts = 3;

/** Fills the remaining room with cuts of the best items that do not fit whole. */
export function cutToFit(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  let current = draft;
  for (let cuts = 0; cuts < mostCuts && !isFull(problem, current); cuts++) {
    const next = bestCut(problem, current, request);
    if (!next) break;
    current = next;
  }
  return current;
}

/** Below this share, a weak item is given up for the cut of another. */
const poorFill = 0.95;
/** How many weak items are tried, and the share of the value that must remain. */
const mostExchanges = 3;
const minValueShare = 0.8;

/** If nothing is small enough for the remaining room, replaces a weak item by a cut that fills it. */
export function exchangeToFit(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  if (draft.layout.tokens >= poorFill * problem.budget || byNeed(problem, draft).length === 0) return draft;
  const weakest = draft.chosen
    .filter((option) => option !== undefined)
    .sort((a, b) => a.value - b.value || b.rank - a.rank);
  let best = draft;
  for (const { rank } of weakest.slice(0, mostExchanges)) {
    const next = cutToFit(problem, withOption(problem, draft, rank, undefined), request);
    if (valueOfChoice(next) >= minValueShare * valueOfChoice(draft) && next.layout.tokens > best.layout.tokens)
      best = next;
    if (isFull(problem, best)) break;
  }
  return best;
}

function isFull({ budget }: BudgetProblem, { layout }: BudgetChoice): boolean {
  return budget - layout.tokens < smallestRoom || layout.tokens >= goodFill * budget;
}

/** The first cut that fills the room, otherwise the one that leaves the least. */
function bestCut(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice | undefined {
  let best: BudgetChoice | undefined;
  let tried = 0;
  const isGood = draft.layout.tokens >= poorFill * problem.budget;
  for (const item of byNeed(problem, draft)) {
    if (isGood && problem.budget >= smallBudget && isSmall(item)) continue;
    const tokens = roomFor(problem, draft, item);
    if (tokens < smallestRoom) continue;
    const next = cutOne(problem, draft, item, tokens, request);
    if (next && next.layout.tokens > (best?.layout.tokens ?? 0)) best = next;
    if ((best && isFull(problem, best)) || ++tried >= mostItems) break;
  }
  return best;
}

/** Items that are not printed whole: first those without text, then those printed in part. */
function byNeed(problem: BudgetProblem, { chosen }: BudgetChoice): ItemPrintOptions[] {
  const open = problem.items.filter(({ rank, whole }) => whole && chosen[rank]?.printLevel.level !== "full");
  const withoutText = open.filter(({ rank }) => chosen[rank]?.printLevel.level !== "elided");
  return [...withoutText, ...open.filter((options) => !withoutText.includes(options))];
}

/** Tokens for an item's text if the item gets all the remaining room. */
function roomFor(
  { budget, layouter }: BudgetProblem,
  { chosen, layout }: BudgetChoice,
  item: ItemPrintOptions,
): number {
  const now = chosen[item.rank];
  const freed = now ? layouter.blockTokens(now, []) + layouter.sharedTokens(now, false) : 0;
  return budget - layout.tokens + freed - headTokens(item, layouter);
}

/** The longest cut of an item's text that still fits into the document, if it is longer than the printed text. */
function cutOne(
  problem: BudgetProblem,
  draft: BudgetChoice,
  item: ItemPrintOptions,
  firstTokens: number,
  request: Request,
): BudgetChoice | undefined {
  const now = draft.chosen[item.rank];
  let best: BudgetChoice | undefined;
  let shown = now?.printLevel.text.length ?? 0;
  let tokens = firstTokens;
  for (let tries = 0; tries < mostTexts && tokens > 0; tries++) {
    const option = cutOption(item, tokens, request, problem.layouter);
    if (!option || option.value <= (now?.value ?? 0) || option.printLevel.text.length <= shown) break;
    const next = withOption(problem, draft, item.rank, option);
    const over = next.layout.tokens - problem.budget;
    if (fits(problem, next)) {
      best = next;
      shown = option.printLevel.text.length;
      if (-over < smallestRoom) break;
      tokens += Math.ceil(-over * 0.8);
    } else if (best || over <= 0) break;
    else tokens -= over;
  }
  return best;
}

/** A soft budget may be exceeded by this share. */
const softShare = 0.25;

/** The same problem with the largest budget that a soft one allows. */
export function softened(problem: BudgetProblem): BudgetProblem {
  return { ...problem, budget: Math.floor(problem.budget * (1 + softShare)) };
}

/**
 * For a soft budget: prints the first item that would be cut or left out, whole or cut to the room above the budget.
 */
export function exceedSoftly(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  const wider = softened(problem);
  const [first] = byNeed(problem, draft).sort((a, b) => a.rank - b.rank);
  if (!first?.whole) return draft;
  const shown = { rank: first.rank, unique: first.unique, printLevel: first.whole };
  const cost = problem.layouter.blockTokens(shown, first.whole.imports);
  const whole = withOption(wider, draft, first.rank, { ...shown, cost, value: first.weight });
  if (fits(wider, whole)) return whole;
  const tokens = roomFor(wider, draft, first);
  return (tokens >= smallestRoom && cutOne(wider, draft, first, tokens, request)) || draft;
}
