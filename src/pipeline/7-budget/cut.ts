import type { Request } from "../../options.ts";
import { type BudgetChoice, type BudgetProblem, fits, valueOfChoice, withOption } from "./choice.ts";
import { cutOffer, headTokens, type ItemPrintOptions, isSmall, smallBudget } from "./print-options.ts";

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
export function cutToFit(room: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  let current = draft;
  for (let cuts = 0; cuts < mostCuts && !isFull(room, current); cuts++) {
    const next = bestCut(room, current, request);
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
export function exchangeToFit(room: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  if (draft.layout.tokens >= poorFill * room.budget || byNeed(room, draft).length === 0) return draft;
  const weakest = draft.chosen
    .filter((offer) => offer !== undefined)
    .sort((a, b) => a.value - b.value || b.rank - a.rank);
  let best = draft;
  for (const { rank } of weakest.slice(0, mostExchanges)) {
    const next = cutToFit(room, withOption(room, draft, rank, undefined), request);
    if (valueOfChoice(next) >= leastValue * valueOfChoice(draft) && next.layout.tokens > best.layout.tokens)
      best = next;
    if (isFull(room, best)) break;
  }
  return best;
}

function isFull({ budget }: BudgetProblem, { layout }: BudgetChoice): boolean {
  return budget - layout.tokens < smallestRoom || layout.tokens >= goodFill * budget;
}

/** The first cut that fills the room, or else the one that leaves least of it. */
function bestCut(room: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice | undefined {
  let best: BudgetChoice | undefined;
  let tried = 0;
  const isGood = draft.layout.tokens >= poorFill * room.budget;
  for (const item of byNeed(room, draft)) {
    if (isGood && room.budget >= smallBudget && isSmall(item)) continue;
    const tokens = roomFor(room, draft, item);
    if (tokens < smallestRoom) continue;
    const next = cutOne(room, draft, item, tokens, request);
    if (next && next.layout.tokens > (best?.layout.tokens ?? 0)) best = next;
    if ((best && isFull(room, best)) || ++tried >= mostItems) break;
  }
  return best;
}

/** Items whose text is not printed yet come before those that are printed in part. */
function byNeed(room: BudgetProblem, { chosen }: BudgetChoice): ItemPrintOptions[] {
  const open = room.items.filter(({ rank, whole }) => whole && chosen[rank]?.printLevel.level !== "full");
  const without = open.filter(({ rank }) => chosen[rank]?.printLevel.level !== "elided");
  return [...without, ...open.filter((offers) => !without.includes(offers))];
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
  room: BudgetProblem,
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
    const offer = cutOffer(item, tokens, request, room.layouter);
    if (!offer || offer.value <= (now?.value ?? 0) || offer.printLevel.text.length <= shown) break;
    const next = withOption(room, draft, item.rank, offer);
    const over = next.layout.tokens - room.budget;
    if (fits(room, next)) {
      best = next;
      shown = offer.printLevel.text.length;
      if (-over < smallestRoom) break;
      tokens += Math.ceil(-over * 0.8);
    } else if (best || over <= 0) break;
    else tokens -= over;
  }
  return best;
}

/** A soft budget is exceeded by no more than this share of it. */
const softShare = 0.25;

export function softened(room: BudgetProblem): BudgetProblem {
  return { ...room, budget: Math.floor(room.budget * (1 + softShare)) };
}

/**
 * A soft budget: the first item that would have to be cut or left out is printed whole, or cut to the quarter that the document may exceed
 * its budget by.
 */
export function spill(room: BudgetProblem, draft: BudgetChoice, request: Request): BudgetChoice {
  const wider = softened(room);
  const [first] = byNeed(room, draft).sort((a, b) => a.rank - b.rank);
  if (!first?.whole) return draft;
  const shown = { rank: first.rank, unique: first.unique, printLevel: first.whole };
  const cost = room.layouter.blockTokens(shown, first.whole.imports);
  const whole = withOption(wider, draft, first.rank, { ...shown, cost, value: first.weight });
  if (fits(wider, whole)) return whole;
  const tokens = roomFor(wider, draft, first);
  return (tokens >= smallestRoom && cutOne(wider, draft, first, tokens, request)) || draft;
}
