import type { Request } from "../options.ts";
import { truncate } from "../text/truncate.ts";
import { type Draft, fits, type Room, withOffer } from "./draft.ts";
import { cutRung, utilities } from "./levels.ts";
import { addedValue, type Offer, type Offers } from "./offers.ts";
import { ownSpan } from "./unique.ts";

/** Less room than this is not worth another block. */
const smallestRoom = 6;
/** Share of the budget that may stay empty. */
const goodFill = 0.985;
/** Items tried for the rest of the room, best ranked first, and texts tried for each. */
const mostItems = 16;
const mostTexts = 6;
/** Items cut in one document. */
const mostCuts = 3;

/** Fills what is left with the best items that do not fit whole, cut to the room there is. */
export function cutToFit(room: Room, draft: Draft, request: Request): Draft {
  let current = draft;
  for (let cuts = 0; cuts < mostCuts; cuts++) {
    const slack = room.budget - current.layout.tokens;
    if (slack < smallestRoom || current.layout.tokens >= goodFill * room.budget) break;
    const next = firstCut(room, current, request);
    if (!next) break;
    current = next;
  }
  return current;
}

function firstCut(room: Room, draft: Draft, request: Request): Draft | undefined {
  let tried = 0;
  for (const offers of byNeed(room, draft)) {
    if (++tried > mostItems) return undefined;
    const next = cutOne(room, draft, offers, request);
    if (next) return next;
  }
  return undefined;
}

/** Items whose text is not printed yet come before those that are printed in part. */
function byNeed(room: Room, { chosen }: Draft): Offers[] {
  const open = room.items.filter(({ rank, whole }) => whole && chosen[rank]?.rung.level !== "full");
  const without = open.filter(({ rank }) => chosen[rank]?.rung.level !== "elided");
  return [...without, ...open.filter((offers) => !without.includes(offers))];
}

/** The longest cut of one item's text with which the document still fits, if it tells more than what is printed now. */
function cutOne(room: Room, draft: Draft, item: Offers, request: Request): Draft | undefined {
  const now = draft.chosen[item.rank];
  let tokens = room.budget - draft.layout.tokens + (now ? room.layouter.blockTokens(now, []) : 0);
  let best: Draft | undefined;
  for (let tries = 0; tries < mostTexts && tokens > 0; tries++) {
    const offer = cutOffer(room, item, tokens, request);
    if (!offer || offer.value <= (now?.value ?? 0) || offer.rung.text.length <= (now?.rung.text.length ?? 0)) break;
    const next = withOffer(room, draft, item.rank, offer);
    const over = next.layout.tokens - room.budget;
    if (fits(room, next)) {
      best = next;
      if (-over < smallestRoom) break;
      tokens += Math.floor(-over * 0.8);
    } else if (best || over <= 0) break;
    else tokens -= over;
  }
  return best;
}

function cutOffer({ layouter }: Room, item: Offers, maxTokens: number, request: Request): Offer | undefined {
  const { unique, rank, weight, whole } = item;
  if (!whole) return undefined;
  const { startLine, endLine } = ownSpan(unique);
  const own = whole.text.split("\n").slice(startLine - unique.startLine, endLine - unique.startLine + 1);
  const cut = truncate(own.join("\n"), {
    maxTokens,
    strategy: request.truncation,
    counter: layouter.counter,
    ...(unique.item.language ? { language: unique.item.language } : {}),
  });
  if (!cut) return undefined;
  const rung = cutRung(whole, cut.text);
  const below = weight * utilities.signature;
  const shown = { rank, unique, rung };
  const cost = layouter.blockTokens(shown, rung.imports) + layouter.sourceTokens(shown, true);
  return { ...shown, cost, value: below + addedValue(weight, rung.utility - utilities.signature, cost) };
}

/**
 * A soft budget: the best item is printed whole, and otherwise the first item that would have to be cut or left out.
 * The document exceeds its budget by that one item at most.
 */
export function spill(room: Room, draft: Draft): Draft {
  const best = byNeed(room, draft).sort((a, b) => a.rank - b.rank)[0];
  const whole = best?.offers.find(({ rung }) => rung.level === "full");
  return best && whole ? withOffer(room, draft, best.rank, whole) : draft;
}
