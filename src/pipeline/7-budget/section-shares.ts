import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { sectionOf } from "../layout/groups.ts";
import type { Unique } from "../unique.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, withOption } from "./choice.ts";
import { fill, repair } from "./fill.ts";
import { cutOffer, headTokens, type ItemPrintOptions, type PrintOption } from "./print-options.ts";

/** One section of the document: its share, what it spends of that or more, and what one item of it may take. */
type Share = {
  weight: number;
  items: ItemPrintOptions[];
  entitled: number;
  tokens: number;
  cap: number;
  most: number;
};

/** A smaller cap would leave no item room for more than its heading. */
const smallestCap = 48;
const smallestCut = 16;
/** One short item, in any format. */
const smallestMost = 100;

/**
 * Each section has its share of the budget by weight, and no item takes more than a part of its section's. What a section
 * does not need goes to those that do, by their weights, until nobody needs it.
 */
export function shareOut(room: BudgetProblem, request: Request, look: Look, frame: number): BudgetChoice {
  // Where there is room for all of it, nobody needs to be kept from taking more than a share.
  const shares = sharesOf(room, look);
  const whole = choiceOf(room, room.items.map(startOf));
  const isAllowed = shares.every(
    ({ items, most }) => items.reduce((sum, item) => sum + (startOf(item)?.cost ?? 0), 0) <= most,
  );
  if (isAllowed && room.items.every((item) => startOf(item)) && fits(room, whole)) return whole;
  allotAll(shares, room.budget - frame, look);
  const capped = { ...room, items: [...room.items] };
  const chosen: (PrintOption | undefined)[] = room.items.map(() => undefined);
  for (const share of shares) {
    let spent = 0;
    for (const item of share.items) {
      const left = share.tokens - spent;
      const limited = cappedItem(item, share, room, request, left);
      const offer = firstOffer(limited, left);
      capped.items[item.rank] = limited;
      chosen[item.rank] = offer;
      spent += offer?.cost ?? 0;
    }
  }
  const limited = withoutOver(capped, chosen, shares);
  const shared = fill(limited, repair(limited, choiceOf(limited, chosen)));
  return lastCut(limited, fill(uncapped(room, limited, shared, shares), shared), shares, request);
}

/** What found no place within its part may have what is left over: a part of a small budget may be too small for any item. */
function uncapped(
  room: BudgetProblem,
  limited: BudgetProblem,
  { chosen }: BudgetChoice,
  shares: readonly Share[],
): BudgetProblem {
  const items = limited.items.map((item) => {
    if (chosen[item.rank] || !mayGrow(shareOf(item, shares))) return item;
    return {
      ...item,
      offers: room.items[item.rank]!.offers.filter(({ printLevel }) => printLevel.level !== "pointer"),
    };
  });
  return { ...limited, items };
}

function sharesOf(room: BudgetProblem, look: Look): Share[] {
  return look.sections.flatMap((section) => {
    const items = room.items.filter(({ unique }) => sectionOf(unique, look) === section);
    if (items.length === 0) return [];
    const most = section.most === undefined ? Number.POSITIVE_INFINITY : mostOf(room.budget, section.most);
    return [{ weight: section.weight ?? 1, items, entitled: 0, tokens: 0, cap: smallestCap, most }];
  });
}

/** Of a small budget more, so that one short item fits. */
function mostOf(budget: number, share: number): number {
  return Math.max(Math.floor(budget * share), Math.min(smallestMost, Math.floor(budget / 2)));
}

function allotAll(shares: Share[], capacity: number, look: Look): void {
  let left = capacity;
  // What has a limit of its own is there in any case.
  for (const share of shares.filter((each) => !mayGrow(each))) {
    entitle(share, Math.min(share.most, left), look);
    share.tokens = Math.min(share.tokens, spendable(share));
    left -= share.tokens;
  }
  for (let open = shares.filter(mayGrow); open.length > 0; ) {
    const total = weightOf(open);
    for (const share of open) entitle(share, Math.floor((Math.max(0, left) * share.weight) / total), look);
    const content = open.filter((share) => spendable(share) <= share.tokens);
    if (content.length === 0) return;
    // Its cap stays what its whole share allowed: to need little is no reason to be cut.
    for (const share of content) share.tokens = spendable(share);
    left -= content.reduce((sum, { tokens }) => sum + tokens, 0);
    open = open.filter((share) => !content.includes(share));
  }
  loosen(shares, left, look);
}

/** How often what is left over is offered to those whose items are cut. */
const rounds = 3;

/** Everyone has what it can spend, and something is left: sections whose items are cut may cut them less. */
function loosen(shares: Share[], rest: number, look: Look): void {
  let left = rest;
  for (let round = 0; round < rounds && left > 0; round++) {
    const wanting = shares.filter(({ items, cap }) => items.some(({ offers }) => (offers[0]?.cost ?? 0) > cap));
    const total = weightOf(wanting);
    for (const share of wanting) {
      const { tokens } = share;
      entitle(share, share.entitled + Math.floor((left * share.weight) / total), look);
      share.tokens = Math.min(tokens + left, spendable(share));
      left -= share.tokens - tokens;
    }
  }
}

function weightOf(shares: Share[]): number {
  return shares.reduce((sum, { weight }) => sum + weight, 0);
}

function entitle(share: Share, tokens: number, look: Look): void {
  share.entitled = Math.min(tokens, share.most);
  share.tokens = share.entitled;
  // What has a limit of its own may be one long text.
  const part = mayGrow(share) ? (look.itemCap ?? 1) : 1;
  share.cap = Math.max(smallestCap, Math.floor(share.tokens * part));
}

/** What a section could spend: all of its items in full, or cut at their cap. */
function spendable({ items, cap, most }: Share): number {
  return Math.min(
    most,
    items.reduce((sum, { offers }) => sum + Math.min(offers[0]?.cost ?? 0, cap), 0),
  );
}

/** How an item enters: whole. What its cap does not allow enters as much as it does, what its section has no room for as much as that has. */
function startOf({ offers }: ItemPrintOptions): PrintOption | undefined {
  return offers.find(({ printLevel }) => printLevel.level === "full");
}

/** The item with what its cap allows: an offer that is too large is cut to it, and says where the rest is. */
function cappedItem(
  item: ItemPrintOptions,
  { cap }: Share,
  room: BudgetProblem,
  request: Request,
  left: number,
): ItemPrintOptions {
  const fitting = item.offers.filter(({ cost, printLevel }) => cost <= cap && printLevel.level !== "pointer");
  // Cutting is the dearest of all: where its section has no room for it, there is no need to.
  const wanted = left >= smallestCap && !fitting.some(({ printLevel }) => printLevel.level === "full");
  const cut = wanted ? cutTo(item, cap, room, request) : undefined;
  const offers = [...fitting, ...(cut ? [cut] : [])].sort((a, b) => b.cost - a.cost);
  return { ...item, offers };
}

/** What found no room in a section that may not grow is offered no other. */
function withoutOver(
  room: BudgetProblem,
  chosen: readonly (PrintOption | undefined)[],
  shares: readonly Share[],
): BudgetProblem {
  const over = new Set(
    shares
      .filter((share) => !mayGrow(share))
      .flatMap(({ items }) => items.map(({ rank }) => rank).filter((rank) => !chosen[rank])),
  );
  if (over.size === 0) return room;
  return { ...room, items: room.items.map((item) => (over.has(item.rank) ? { ...item, offers: [] } : item)) };
}

function shareOf({ rank }: ItemPrintOptions, shares: readonly Share[]): Share {
  return shares.find(({ items }) => items.some((item) => item.rank === rank))!;
}

function mayGrow({ most }: Share): boolean {
  return most === Number.POSITIVE_INFINITY;
}

function cutTo(item: ItemPrintOptions, cap: number, room: BudgetProblem, request: Request): PrintOption | undefined {
  const rest = restOf(item.unique);
  const head = headTokens(item, room.layouter, rest);
  for (let tokens = cap - head, tries = 0; tokens >= smallestCut && tries < 4; tries++) {
    const offer = cutOffer(item, tokens, request, room.layouter, rest);
    if (!offer) return undefined;
    if (offer.cost <= cap) return offer;
    tokens -= offer.cost - cap;
  }
  return undefined;
}

function restOf({ item, citation, facts }: Unique): string {
  if (isInFile(item.source)) return `see full at ${item.path}:${citation.startLine}`;
  return item.source === "experience" ? `full experience ID: ${facts?.id ?? item.id}` : "";
}

/** The first level that an item enters with, or the largest that fits. */
function firstOffer(item: ItemPrintOptions, tokens: number): PrintOption | undefined {
  const start = startOf(item) ?? item.offers[0];
  return start && start.cost <= tokens ? start : item.offers.find(({ cost }) => cost <= tokens);
}

/** The room that no whole item fits into is given to the best one that is missing, cut. */
function lastCut(room: BudgetProblem, draft: BudgetChoice, shares: Share[], request: Request): BudgetChoice {
  const slack = room.budget - draft.layout.tokens;
  for (const item of room.items) {
    if (draft.chosen[item.rank] || item.offers.length === 0) continue;
    const offer = cutTo(item, Math.min(slack, shareOf(item, shares).cap), room, request);
    const next = offer && withOption(room, draft, item.rank, offer);
    if (next && fits(room, next)) return next;
  }
  return draft;
}
