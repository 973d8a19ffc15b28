import { isInFile, levels as levelNames } from "../../item.ts";
import type { Request } from "../../options.ts";
import { truncate } from "../../text/truncation/truncate.ts";
import { bonusOf, isExplicit, isFirstOfReference } from "../explicit.ts";
import type { Layouter } from "../layout/layout.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import type { Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";
import { chanceOf } from "./chance.ts";
import type { WeighLines } from "./line-weights.ts";
import { cutLevel, longestHead, ownText, shortLevels, textLevels, utilities } from "./print-levels.ts";

/** One way to print one item: what it costs and what it is worth. */
export type PrintOption = Shown & { cost: number; value: number };

/** Offers of one item, best first, and its whole text, from which it can be cut to any size. */
export type ItemPrintOptions = {
  unique: Unique;
  rank: number;
  weight: number;
  options: PrintOption[];
  whole: PrintLevel | undefined;
  terms: Terms;
};

/** How fast items count less down a ranking whose scores have a meaning of their own, as in a chat or a walk through notes. */
const fall = { rank: 3, power: 1.5 };
/** More characters than this for every token of the budget cannot fit; they are not even counted. */
const charactersPerToken = 12;
/** What costs no more than this is not offered in part: the heading would cost as much. */
const smallCost = 90;
/** Once better ranked texts would fill the budget this often, an item is offered by signature and place only. */
const horizon = 1.5;
/** What one item counts towards it at most, as a share of the budget: long items do not end it early. */
const mostOfHorizon = 1 / 8;
/** The best items, and what one of them is cut to when it is too long: half of the budget, nearly all of a small one. */
const bestItems = 3;
const largestCut = { share: 0.5, ofSmall: 0.95, tokens: 160 };
export const smallBudget = 256;
/** A note that has room for less than this is only named. */
const smallestNote = 50;
/** What the first of each reference is cut to when it is too long: nearly all of the budget, divided among the references. */
const largestReference = 0.85;

/** On which terms items are offered. */
export type Terms = {
  /** What one token of the document must be worth to be printed: nothing where the budget is to be filled. */
  price: number;
  /** Whether items count by how likely they are relevant, or by score and rank. */
  byChance: boolean;
  /** Where sections have a share each, what ranks low in all may still be the best of its section. */
  shareOf?: (unique: Unique) => unknown;
  namesOnly?: boolean;
  /** Whether what is printed must have text: then nothing is only named. */
  withText?: boolean;
};

export function optionsFor(
  all: readonly Unique[],
  request: Request,
  weigh: WeighLines,
  layouter: Layouter,
  terms: Terms,
): ItemPrintOptions[] {
  const { byChance, shareOf, namesOnly = false } = terms;
  const claimed = new Map<string, Set<string>>();
  const texts = new Map<unknown, number>();
  const enough = (shareOf ? 1 : horizon) * request.maxTokens;
  const references = all.filter((unique) => isFirstOfReference(unique) || unique.pinned).length;
  // A signature says no more of a file than a list of names would; what is too long is shown in part instead.
  const onlyTexts = terms.price > 0 && !namesOnly && request.includeCodeContent;
  const leads = all.filter(({ lead }) => lead).length;
  return all.map((unique, rank) => {
    const own = byChance ? chanceOf(unique, rank) : unique.score / (1 + rank / fall.rank) ** fall.power;
    const weight = own + bonusOf(unique);
    const first = !claimed.has(unique.item.path);
    const statements = claimed.get(unique.item.path) ?? new Set<string>();
    claimed.set(unique.item.path, statements);
    // What was named is measured by itself: however long it is, what was found may have the rest of the room.
    const share = isExplicit(unique) ? "named" : shareOf?.(unique);
    const before = texts.get(share) ?? 0;
    const near = before <= enough || isFirstOfReference(unique) || unique.lead || unique.pinned;
    const withShort = !onlyTexts || unique.lead === true || unique.pinned === true || !isInFile(unique.item.source);
    const levels = notAbove(unique, [
      ...(near && !namesOnly ? textLevels(unique, request, weigh) : []),
      ...(withShort ? shortLevels(unique) : []),
    ]);
    const options: PrintOption[] = [];
    for (const printLevel of levels) {
      if (terms.withText && printLevel.text.trim() === "" && unique.wantedLevel !== "pointer") continue;
      if (printLevel.text.length > charactersPerToken * request.maxTokens) continue;
      if (printLevel.level !== "pointer" && options.length > 0 && options.at(-1)!.cost <= smallCost) continue;
      // The name of a short note is nearly all of it.
      if (unique.item.source === "note" && options.length > 0 && options.at(-1)!.cost < smallestNote) continue;
      const shown = { rank, unique, printLevel };
      // The best ranked item of a file pays for the imports; the layout settles who prints them in the end.
      const imports = printLevel.imports.filter((statement) => !statements.has(statement));
      const cost = layouter.blockTokens(shown, imports) + layouter.sharedTokens(shown, first);
      if (options.length > 0 && cost >= options.at(-1)!.cost) continue;
      options.push({ ...shown, cost, value: 0 });
    }
    texts.set(share, before + Math.min(mostOfHorizon * request.maxTokens, options[0]?.cost ?? 0));
    for (const statement of levels[0]?.imports ?? []) statements.add(statement);
    // One of them names the reference; the names of the others say nothing that its reader does not know.
    const pointerWeight = isExplicit(unique) && !isFirstOfReference(unique) ? own : weight;
    setValues(options, weight, pointerWeight, terms);
    const whole = levels.findLast(({ level }) => level === "full");
    const item = { unique, rank, weight, options: options, whole, terms };
    return {
      ...item,
      options: unique.lead
        ? withLeadCut(item, leads, weigh, request, layouter)
        : withCut(item, references, request, layouter),
    };
  });
}

/** What was asked for and what is less, to fall back on where there is no room; all where an item has nothing so short. */
function notAbove({ wantedLevel }: Unique, levels: PrintLevel[]): PrintLevel[] {
  if (wantedLevel === undefined) return levels;
  const most = levelNames.indexOf(wantedLevel);
  const fitting = levels.filter(({ level }) => levelNames.indexOf(level) >= most);
  return fitting.length > 0 ? fitting : levels.slice(-1);
}

/** One of the best items that is too long to be printed whole or elided is offered cut, so that its text is not missing. */
function withCut(item: ItemPrintOptions, references: number, request: Request, layouter: Layouter): PrintOption[] {
  const { rank, unique, options, whole } = item;
  const named = isFirstOfReference(unique) || unique.pinned === true;
  const most = named
    ? (largestReference * request.maxTokens) / Math.max(1, references)
    : Math.max(
        largestCut.share * request.maxTokens,
        Math.min(largestCut.ofSmall * request.maxTokens, largestCut.tokens),
      );
  const isText = ({ printLevel, cost }: PrintOption) =>
    printLevel.text !== "" && printLevel.level !== "signature" && cost <= most;
  if ((rank >= bestItems && !named) || !whole || options.some(isText)) return options;
  return withOne(options, cutOption(item, Math.floor(most - headTokens(item, layouter)), request, layouter));
}

function withOne(options: PrintOption[], cut: PrintOption | undefined): PrintOption[] {
  return cut ? [...options, cut].sort((a, b) => b.cost - a.cost) : options;
}

/** What the reasons at the end may take more when it is known which of them is whose. */
const footerChange = 6;

/** Of a note that is too long, the share of the budget that it is cut to: what is beside it is named in the rest. */
const largestNote = 0.8;

/**
 * What was asked for is not given in fragments: where it does not fit whole, it is cut to the room that there is. Notes that were asked for
 * together share it.
 */
function withLeadCut(
  item: ItemPrintOptions,
  leads: number,
  weigh: WeighLines,
  request: Request,
  layouter: Layouter,
): PrintOption[] {
  const { unique, rank, options, whole } = item;
  const isNote = unique.item.source === "note";
  const room = request.maxTokens - footerChange;
  const wholeFits = (shown: Shown) => layouter.lay([shown]).tokens <= (isNote ? room / leads : room);
  const fitsAlone = (shown: Shown) => layouter.lay([shown]).tokens <= (isNote ? (largestNote * room) / leads : room);
  if (!whole || options.some((option) => option.printLevel.level === "full" && wholeFits(option))) return options;
  const option = (printLevel: PrintLevel): PrintOption => {
    const shown = { rank, unique, printLevel };
    const cost = layouter.blockTokens(shown, printLevel.imports) + layouter.sharedTokens(shown, true);
    return { ...shown, cost, value: item.weight * printLevel.utility - item.terms.price * cost };
  };
  const isCode = isInFile(unique.item.source) && request.truncation === "signature-first";
  const longest = isCode
    ? longestHead(unique, whole, weigh, (printLevel) => fitsAlone({ rank, unique, printLevel }))
    : undefined;
  const cut = longest ? option(longest) : firstCut(item, request, layouter, fitsAlone);
  // Less of the best than what fits is no better for being shorter.
  const others =
    rank === 0 && cut
      ? options.filter(({ printLevel }) => printLevel.level !== "elided" && printLevel.level !== "full")
      : options;
  return withOne(others, cut);
}

/** Shares of the room that are tried: what is around a text is only known with it. */
const cutShares = [1, 0.97, 0.92, 0.85, 0.75, 0.7, 0.5, 0.35, 0.2, 0.1];

function firstCut(
  item: ItemPrintOptions,
  request: Request,
  layouter: Layouter,
  fitsAlone: (shown: Shown) => boolean,
): PrintOption | undefined {
  const room = request.maxTokens - layouter.lay([]).tokens - headTokens(item, layouter);
  for (const share of cutShares) {
    const cut = cutOption(item, Math.floor(room * share), request, layouter);
    if (cut && fitsAlone(cut)) return cut;
  }
  return undefined;
}

/** Tokens of an item's block without its text. */
export function headTokens({ rank, unique }: ItemPrintOptions, layouter: Layouter, rest?: string): number {
  const printLevel: PrintLevel = {
    level: "elided",
    text: "",
    imports: [],
    utility: 0,
    ...(rest === undefined ? {} : { rest }),
  };
  const head = { rank, unique, printLevel };
  return layouter.blockTokens(head, []) + layouter.sharedTokens(head, false);
}

/** An item's own text cut to at most so many tokens, in the way that was asked for. */
export function cutOption(
  { unique, rank, weight, whole, options, terms }: ItemPrintOptions,
  maxTokens: number,
  request: Request,
  layouter: Layouter,
  rest?: string,
): PrintOption | undefined {
  if (!whole || maxTokens < 1) return undefined;
  const { language, source } = unique.item;
  if (source === "note" && maxTokens < smallestNote) return undefined;
  const { counter } = layouter;
  const isRecord = !isInFile(source);
  // Only where there is no better use for the room.
  if (terms.price > 0 && request.maxTokens >= smallBudget && isSmall({ unique, options: options })) return undefined;
  const text = ownText(unique, whole);
  const cut = truncate(text, {
    maxTokens,
    strategy: isRecord ? "head" : request.truncation,
    counter,
    countWhole: layouter.countOwn,
    ...(language ? { language } : {}),
  });
  const mayTear = isRecord || request.maxTokens < roomyBudget;
  if (!cut?.cut || (!mayTear && isTorn(cut.text, text))) return undefined;
  // Less than the signature is worse than the signature; only the smallest budgets have no room for better.
  const signature = request.maxTokens < smallBudget ? 0 : signatureLength(options);
  if (cut.text.length <= signature) return undefined;
  const printLevel = { ...cutLevel(whole, cut.text, cut.lines ?? []), ...(rest === undefined ? {} : { rest }) };
  const shown = { rank, unique, printLevel };
  const cost = layouter.blockTokens(shown, printLevel.imports) + layouter.sharedTokens(shown, true);
  const value =
    weight * utilities.signature + addedValue(weight, printLevel.utility - utilities.signature, cost, terms);
  return { ...shown, cost, value: value - terms.price * cost };
}

/** What is so short that the heading of a piece of it would cost as much as the piece says. */
export function isSmall({ unique, options }: Pick<ItemPrintOptions, "unique" | "options">): boolean {
  return (
    isInFile(unique.item.source) &&
    options.some(({ printLevel, cost }) => printLevel.level === "full" && cost <= smallCost)
  );
}

/** A line of code cut in the middle says something else than the line; only a line that is a page by itself may be cut. */
function isTorn(cut: string, text: string): boolean {
  const [first] = text.split("\n", 1);
  return first!.length <= longestUncut && !cut.startsWith(first!);
}

const longestUncut = 300;
/** Of a smaller budget, half a line is a share worth filling. */
const roomyBudget = 1000;

/** Text beyond this many tokens adds less and less, so that one long function does not crowd out ten good small ones. */
const longText = 600;

/** Each level adds to the value of the one below. How likely an item is relevant takes its length into account already. */
function addedValue(weight: number, gain: number, cost: number, { byChance }: Terms): number {
  return weight * gain * (byChance ? 1 : Math.min(1, longText / Math.max(1, cost)));
}

/** From the cheapest on, which is the last; what the tokens cost is taken off. */
function setValues(options: PrintOption[], weight: number, pointerWeight: number, terms: Terms): void {
  let value = 0;
  let utility = 0;
  for (const option of options.toReversed()) {
    const worth = option.printLevel.level === "pointer" ? pointerWeight : weight;
    value += addedValue(worth, Math.max(0, option.printLevel.utility - utility), option.cost, terms);
    utility = Math.max(utility, option.printLevel.utility);
    option.value = value - terms.price * option.cost;
  }
}

function signatureLength(options: PrintOption[]): number {
  return options.find(({ printLevel }) => printLevel.level === "signature")?.printLevel.text.length ?? 0;
}
