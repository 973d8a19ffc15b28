import type { Dropped, DropReason, Header, LevelCost } from "../../document.ts";
import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import { sectionOf } from "../layout/groups.ts";
import { type Layouter, layouter } from "../layout/layout.ts";
import type { Layout, LayoutPart, Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";
import { isAlreadySent } from "./already-sent.ts";
import { type BudgetChoice, type BudgetProblem, choiceOf, fits, valueOfChoice, withOption } from "./choice.ts";
import { claimOf, shareConversation } from "./conversation-budget.ts";
import { cutToFit, exchangeToFit, softened, spill } from "./cut.ts";
import { diversify } from "./diversity.ts";
import { fill, repair } from "./fill.ts";
import { withForemost } from "./foremost.ts";
import { keepPinned, pinWarnings } from "./keep-pinned.ts";
import { choose, upperBound } from "./knapsack.ts";
import { chooseExactly } from "./knapsack-exact.ts";
import { lineWeights } from "./line-weights.ts";
import { type ItemPrintOptions, optionsFor, type PrintOption } from "./print-options.ts";
import { byChance, byRelevance, tokenPriceFor, withLeads } from "./relevance-floor.ts";
import { levelsOf, withReport } from "./report.ts";
import { shareOut } from "./section-shares.ts";

/** An item with its block as it is printed, and the tokens of that. Where it is asked for: tokens of its text alone, and what its levels take. */
export type Printed = Shown & { tokens: number; block: string; content?: number; levels?: LevelCost[] };

/** The document's parts, in order, and what is in it and what is not. */
export type Fit = {
  kept: Printed[];
  /** What the earlier stages left out, and what found no room. */
  dropped: Dropped[];
  parts: readonly LayoutPart[];
  tokens: { used: number; encoding: string; exact: boolean };
  optimality: number;
  warnings: string[];
  /** Of a document about a notes graph: what it says of itself. */
  header?: Header;
};

/** How sure the ranking is of its best, and what is said where that is little. */
export type Assurance = { confidence: number; notice?: string; nearMisses: readonly Unique[] };

const certain: Assurance = { confidence: 1, nearMisses: [] };

/**
 * Enforces the token budget: chooses the items, and a level for each, that are worth most within it. Everything that is printed is
 * counted, in the format it is printed in; `leftOut` is what earlier stages left out, which the document mentions.
 */
export function fitBudget(
  all: readonly Unique[],
  leftOutBefore: readonly Dropped[],
  request: Request,
  query: Query,
  look: Look,
  { confidence, notice, nearMisses }: Assurance = certain,
): Fit {
  const { likely, unlikely } = byChance(withLeads(all, look), confidence, query, request, look);
  const unique = withForemost(likely, look);
  const leftOut = [...leftOutBefore, ...unlikely.map((each) => droppedFor(each, "below-score"))];
  if (unique.length === 0) return onlyNames(nearMisses, notice ?? nothing, leftOut, request, look);
  const counted = layouter(unique, leftOut, request, look, notice);
  const namesOnly = isTooSmall(look, request);
  const weigh = lineWeights(query);
  const items = optionsFor(unique, request, weigh, counted, {
    price: tokenPriceFor(unique, request, look),
    byChance: byRelevance(look),
    ...(look.budget === "shares" ? { shareOf: (each: Unique) => sectionOf(each, look) } : {}),
    ...(look.conversation ? { shareOf: claimOf, withText: true } : {}),
    namesOnly,
  });
  const room: BudgetProblem = {
    items,
    layouter: counted,
    budget: request.maxTokens,
    linkedBudget: request.expandTokens ?? Number.POSITIVE_INFINITY,
    unworthy: unworthyOf(items),
    weigh,
  };
  const chosen = chosenFrom(room, request, look);
  const soft = softened(room);
  const full =
    request.budget === "soft"
      ? within(soft, keepPinned(soft, spill(room, chosen, request)))
      : within(room, keepPinned(room, chosen));
  const fit = fitOf(room, withoutGiven(room, full, request), leftOut, request);
  return namesOnly ? { ...fit, warnings: [...fit.warnings, namesOnlyWarning] } : fit;
}

function chosenFrom(room: BudgetProblem, request: Request, look: Look): BudgetChoice {
  if (look.budget === "shares") return shareOut(room, request, look, frame(room));
  if (!look.conversation) return mostWorth(room, request, look);
  const best = (items: ItemPrintOptions[], capacity: number) => solve(items, capacity, look.exact === true);
  return shareConversation(room, request, look.conversation, frame(room), best);
}

/** Tokens for what is named where there is nothing to print. */
const mostForNames = 150;

/** Where nothing was found: the sentence that says so, and what is called something like it. Or the names alone, where they are asked for. */
export function onlyNames(
  near: readonly Unique[],
  sentence: string,
  leftOut: readonly Dropped[],
  request: Request,
  look: Look,
  budget = Math.min(request.maxTokens, mostForNames),
): Fit {
  if (near.length === 0) return nothingFound(sentence, leftOut, layouter([], leftOut, request, look));
  const isAsked = request.overflowFrom !== undefined;
  const counted = layouter(near, leftOut, request, look, isAsked ? undefined : sentence);
  const items = optionsFor(near, request, () => [], counted, { price: 0, byChance: true, namesOnly: true });
  const room: BudgetProblem = {
    items,
    layouter: counted,
    budget,
    linkedBudget: Number.POSITIVE_INFINITY,
    unworthy: new Set(),
    weigh: () => [],
  };
  const pointers = items.map(({ offers }) => offers.at(-1));
  let draft = choiceOf(room, pointers);
  for (let rank = items.length - 1; rank >= 0 && !fits(room, draft); rank--)
    draft = withOption(room, draft, rank, undefined);
  if (draft.chosen.every((offer) => !offer)) {
    return nothingFound(sentence, leftOut, layouter([], leftOut, request, look));
  }
  const fit = fitOf(room, draft, leftOut, request);
  return isAsked ? fit : { ...fit, warnings: [sentence, ...fit.warnings] };
}

/**
 * The choice without what the reader has already. Nothing takes its place: what ranks lower was not worth printing the first time, and is
 * not now.
 */
function withoutGiven(room: BudgetProblem, draft: BudgetChoice, { given }: Request): BudgetChoice {
  if (!given || given.size === 0) return draft;
  const isTold = (offer: PrintOption) => !offer.unique.pinned && isAlreadySent(offer, given);
  const told = new Set(draft.chosen.flatMap((offer) => (offer && isTold(offer) ? [offer.rank] : [])));
  const news = draft.chosen.map((offer) => (offer && told.has(offer.rank) ? undefined : offer));
  return told.size === 0 ? draft : choiceOf(room, news, { varied: draft.varied, given: told });
}

/** A smaller budget has no room for what notes say: they are only named. */
const smallestGraph = 500;
export function isTooSmall({ header }: Look, { maxTokens }: Request): boolean {
  return header !== undefined && maxTokens < smallestGraph;
}

export const namesOnlyWarning = `Below ${smallestGraph} tokens notes are only named; raise the budget to read them.`;

/** The choice that is worth most, whatever it comes from. */
function mostWorth(room: BudgetProblem, request: Request, { exact = false }: Look): BudgetChoice {
  const first = repair(room, choiceOf(room, withLead(room, chooseOffers(room, exact))));
  const varied = fill(room, diversify(room, first));
  if (request.budget === "soft") return varied;
  const cut = cutToFit(room, varied, request);
  return request.fill ? exchangeToFit(room, cut, request) : cut;
}

/** What was asked for as well as it fits alone: the knapsack cannot know that nothing else needs to be there. */
function withLead(room: BudgetProblem, chosen: (PrintOption | undefined)[]): (PrintOption | undefined)[] {
  const lead = room.items[0];
  if (!lead?.unique.lead) return chosen;
  const alone = lead.offers.filter((offer) => room.layouter.lay([offer]).tokens <= room.budget);
  const best = alone.reduce((a, b) => (b.value > a.value ? b : a), alone[0]!);
  return best && best.value > (chosen[0]?.value ?? 0) ? chosen.with(0, best) : chosen;
}

/** The knapsack over all items; those reached by links are first limited to what fits into their own budget. */
function chooseOffers(room: BudgetProblem, exact: boolean): (PrintOption | undefined)[] {
  const capacity = room.budget - frame(room);
  if (room.linkedBudget >= room.budget) return solve(room.items, capacity, exact);
  const linked = room.items.filter(({ unique }) => unique.distance > 0);
  const within = new Map(
    solve(linked, room.linkedBudget, exact).map((offer, index) => [linked[index]!.rank, offer?.cost ?? 0]),
  );
  const limited = room.items.map((item) => ({
    ...item,
    offers: item.offers.filter(({ cost }) => cost <= (within.get(item.rank) ?? Number.POSITIVE_INFINITY)),
  }));
  return solve(limited, capacity, exact);
}

function solve(items: ItemPrintOptions[], capacity: number, exact: boolean): (PrintOption | undefined)[] {
  const classes = items.map(({ offers }) => offers);
  const chosen = (exact ? chooseExactly(classes, capacity) : undefined) ?? choose(classes, capacity).chosen;
  return chosen.map((index, rank) => items[rank]!.offers[index]);
}

/** Tokens around the items: titles, opening and closing, what was left out. */
function frame(room: BudgetProblem): number {
  return leastTokens(room) - cheapest(room).reduce((sum, { cost }) => sum + cost, 0);
}

function cheapest({ items }: BudgetProblem): PrintOption[] {
  return items.flatMap(({ offers }) => offers.slice(-1));
}

const leastByItems = new WeakMap<ItemPrintOptions[], number>();

/** Tokens of the document with everything in it as short as it gets. */
function leastTokens(room: BudgetProblem): number {
  let tokens = leastByItems.get(room.items);
  if (tokens === undefined) leastByItems.set(room.items, (tokens = room.layouter.lay(cheapest(room)).tokens));
  return tokens;
}

/**
 * The parts' sum is exact for exact counters. Should the joined text ever count more, the last blocks go until it fits:
 * the budget is hard.
 */
function within(room: BudgetProblem, draft: BudgetChoice): BudgetChoice {
  let current = draft;
  while (room.layouter.tokensOf(textOf(current.layout)) > room.budget) {
    const last = current.layout.parts.findLast(({ owner }) => owner)?.owner;
    if (!last) return current;
    current = withOption(room, current, last.rank, undefined);
  }
  return current;
}

function fitOf(room: BudgetProblem, draft: BudgetChoice, leftOut: readonly Dropped[], request: Request): Fit {
  const { counter } = room.layouter;
  const shown = draft.chosen.filter((offer) => offer !== undefined);
  const missing = room.items.filter(({ rank }) => !draft.chosen[rank]);
  const leftNow = missing.map((item) => ({
    ...droppedFor(item.unique, reasonOf(room, draft, item.rank)),
    ...levelsOf(room, item, request),
  }));
  const dropped = [...leftNow, ...leftOut];
  if (shown.length === 0 && draft.given.size > 0) return nothingFound(nothingNew, dropped, room.layouter);
  const warnings = pinWarnings(room, draft);
  let { layout } = draft;
  if (shown.length === 0) {
    layout = room.layouter.nothing(`Nothing fits into ${request.maxTokens} tokens.`);
    warnings.push(`Not even the name and place of the best result fit into ${request.maxTokens} tokens.`);
  }
  const used = room.layouter.tokensOf(textOf(layout));
  if (used > request.maxTokens)
    warnings.push(`The soft budget of ${request.maxTokens} tokens is exceeded by ${used - request.maxTokens}.`);
  return {
    kept: printedOrder(layout).map((printed) => withReport(room, printed, request)),
    dropped,
    parts: layout.parts,
    tokens: { used, encoding: counter.encoding, exact: counter.exact },
    optimality: optimalityOf(room, draft),
    warnings,
  };
}

/** Items that no way to print is worth its tokens. */
function unworthyOf(items: readonly ItemPrintOptions[]): ReadonlySet<number> {
  const isWorthy = ({ offers }: ItemPrintOptions) => offers.some(({ value }) => value > 0);
  return new Set(items.filter((item) => item.terms.price > 0 && !isWorthy(item)).map(({ rank }) => rank));
}

function reasonOf({ unworthy }: BudgetProblem, { varied, given }: BudgetChoice, rank: number): DropReason {
  if (given.has(rank)) return "given";
  return varied.has(rank) ? "diversity" : unworthy.has(rank) ? "below-score" : "over-budget";
}

const nothing = "Nothing relevant was found.";
const nothingNew = "Nothing new: all that is relevant was given before.";

function nothingFound(sentence: string, leftOut: readonly Dropped[], counted: Layouter): Fit {
  const layout = counted.nothing(sentence);
  const { counter } = counted;
  return {
    kept: [],
    dropped: [...leftOut],
    parts: layout.parts,
    tokens: { used: layout.tokens, encoding: counter.encoding, exact: counter.exact },
    optimality: 1,
    warnings: [sentence],
  };
}

function textOf({ parts }: Layout): string {
  return parts.map(({ text }) => text).join("");
}

/** The items in the order of print, each with the tokens of its block. */
function printedOrder({ parts }: Layout): Printed[] {
  const kept = new Map<number, Printed>();
  for (const { owner, tokens, text } of parts) {
    if (!owner) continue;
    const { rank, unique, printLevel } = owner;
    const { tokens: before, block } = kept.get(rank) ?? { tokens: 0, block: "" };
    kept.set(rank, { rank, unique, printLevel, tokens: before + tokens, block: block + text });
  }
  return [...kept.values()];
}

/**
 * Value over an upper bound of every possible choice. What items of one file share (imports, the file's line among the
 * sources) is divided among them here: however many are chosen, that is at most what they cost together.
 */
function optimalityOf(room: BudgetProblem, draft: BudgetChoice): number {
  const { layouter } = room;
  const sharers = new Map<string, number>();
  for (const { unique } of room.items) sharers.set(unique.item.path, (sharers.get(unique.item.path) ?? 0) + 1);
  const costOf = (offer: PrintOption) => {
    // Records share nothing.
    if (!isInFile(offer.unique.item.source)) return offer.cost;
    const alone = layouter.blockTokens(offer, []);
    const shared = layouter.blockTokens(offer, offer.printLevel.imports) - alone + layouter.sharedTokens(offer, true);
    return alone + shared / sharers.get(offer.unique.item.path)!;
  };
  const classes = room.items.map(({ offers, rank }) => {
    const taken = draft.chosen[rank];
    const all = taken && !offers.includes(taken) ? [...offers, taken] : offers;
    return all.map((offer) => ({
      cost: costOf(offer),
      value: offer.value,
      pointer: offer.printLevel.level === "pointer",
    }));
  });
  const capacity = Math.max(room.budget, draft.layout.tokens);
  const pointers = classes.map((options) => options.filter(({ pointer }) => pointer));
  const bound = Math.max(upperBound(classes, capacity - leastFrame(room)), upperBound(pointers, capacity));
  return bound === 0 ? 1 : Math.min(1, valueOfChoice(draft) / bound);
}

/** Tokens that every document with some text in it needs besides its items, unless nothing at all is left out. */
function leastFrame(room: BudgetProblem): number {
  const text = room.items.flatMap(({ offers }) => offers).find(({ printLevel }) => printLevel.level !== "pointer");
  if (!text || leastTokens(room) <= room.budget) return 0;
  const { tokens } = room.layouter.lay([text]);
  return tokens - room.layouter.blockTokens(text, text.printLevel.imports) - room.layouter.sharedTokens(text, true);
}
