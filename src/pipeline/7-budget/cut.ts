import type { Request } from "../../options.ts";
import { type BudgetChoice, type BudgetProblem, fits, valueOfChoice, withOption } from "./choice.ts";
import { cutOption, headTokens, type ItemPrintOptions, isSmall, smallBudget } from "./print-options.ts";

/** Less room than this is not worth a cut. */
const smallestRoom = 6;
/** A document filled to this share is full. */
const goodFill = 0.985;
/** Items tried for the rest of the room, best ranked first, and texts tried for each. */
const mostItems = 8;
const mostTexts = 4;
/** Items cut in one document. */
const mostCuts = 3;

/** Fills what is left with the best items that do not fit whole, cut to the room there is. */
export function cutToFit(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  let current = draft;
  for (let cuts = 0; cuts < mostCuts && !isFull(problem, current); cuts++) {
    const next = bestCut(problem, current, request);
    if (!next) break;
    current = next;
  }
  return current;
}

/** A document less full than this is worth giving up a weak item for the cut of another. */
const poorFill = 0.95;
/** Weak items tried, and the share of the value that must be left without one. */
const mostExchanges = 3;
const leastValue = 0.8;

/** When nothing small enough is left for the room, a weak item makes place for a cut that fills it. */
export function exchangeToFit(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  if (draft.layout.tokens >= poorFill * problem.budget || byNeed(problem, draft).length === 0) return draft;
  const weakest = draft.chosen
    .filter((option) => option !== undefined)
    .sort((a, b) => a.value - b.value || b.rank - a.rank);
  let best = draft;
  for (const { rank } of weakest.slice(0, mostExchanges)) {
    const next = cutToFit(problem, withOption(problem, draft, rank, undefined), request);
    if (valueOfChoice(next) >= leastValue * valueOfChoice(draft) && next.layout.tokens > best.layout.tokens)
      best = next;
    if (isFull(problem, best)) break;
  }
  return best;
}

function isFull({ budget }: BudgetProblem, { layout }: BudgetChoice): boolean {
  return budget - layout.tokens < smallestRoom || layout.tokens >= goodFill * budget;
}

/** The first cut that fills the room, or else the one that leaves least of it. */
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

/** Items whose text is not printed yet come before those that are printed in part. */
function byNeed(problem: BudgetProblem, { chosen }: BudgetChoice): ItemPrintOptions[] {
  const open = problem.items.filter(({ rank, whole }) => whole && chosen[rank]?.printLevel.level !== "full");
  const without = open.filter(({ rank }) => chosen[rank]?.printLevel.level !== "elided");
  return [...without, ...open.filter((options) => !without.includes(options))];
}

/** Tokens for an item's text if the rest of the room were its own. */
function roomFor(
  { budget, layouter }: BudgetProblem,
  { chosen, layout }: BudgetChoice,
  item: ItemPrintOptions,
): number {
  const now = chosen[item.rank];
  const freed = now ? layouter.blockTokens(now, []) + layouter.sharedTokens(now, false) : 0;
  return budget - layout.tokens + freed - headTokens(item, layouter);
}

/** The longest cut of one item's text with which the document still fits, if it tells more than what is printed now. */
function cutOne(
  problem: BudgetProblem,
  draft: BudgetChoice,
  item: ItemPrintOptions,
  most: number,
  request: Request,
): BudgetChoice | undefined {
  const now = draft.chosen[item.rank];
  let best: BudgetChoice | undefined;
  let shown = now?.printLevel.text.length ?? 0;
  let tokens = most;
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

/** A soft budget is exceeded by no more than this share of it. */
const softShare = 0.25;

export function softened(problem: BudgetProblem): BudgetProblem {
  return { ...problem, budget: Math.floor(problem.budget * (1 + softShare)) };
}

/**
 * A soft budget: the first item that would have to be cut or left out is printed whole, or cut to the quarter that the document may exceed
 * its budget by.
 */
export function spill(problem: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
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
