import { isInFile, isNode, levels as levelNames } from "../../item.ts";
import type { Request } from "../../options.ts";
import { truncate } from "../../text/truncation/truncate.ts";
import { bonusOf, isExplicit, isFirstOfReference } from "../explicit.ts";
import type { Layouter } from "../layout/layout.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import type { Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";
import type { ChanceOf } from "./chance.ts";
import { losesFocus } from "./kept-lines.ts";
import type { WeighLines } from "./line-weights.ts";
import { cutByLines, hasLongLine, isTorn } from "./longest-beginning.ts";
import { isMention, withoutLongWhole } from "./mentions.ts";
import { cutLevel, longestHead, ownText, shortLevels, textLevels, utilities } from "./print-levels.ts";
import { isShortRecord, shortRecord } from "./short-records.ts";
import { isSkeleton } from "./skeleton.ts";

/** One way to print an item, with its cost in tokens and its value. */
export type PrintOption = Shown & { cost: number; value: number };

/** The print options of one item, best first, and its whole text, which can be cut to any size. */
export type ItemPrintOptions = {
  unique: Unique;
  rank: number;
  weight: number;
  options: PrintOption[];
  whole: PrintLevel | undefined;
  valuation: Valuation;
  weigh: WeighLines;
};

/** How fast the weight falls with the rank, where scores count by themselves: in a chat or a walk through notes. */
const rankDecay = { rank: 3, power: 1.5 };
/** Text with more characters per token of the budget cannot fit, so it is not counted. */
const charactersPerToken = 12;
/** In tokens. A cheaper item has no partial options: the heading would cost as much. */
const smallCost = 90;
/** Once better ranked texts would fill the budget this many times, an item gets only signature and pointer. */
const horizon = 1.5;
/** The most that one item counts towards it, as a share of the budget, so that long items do not end it early. */
const mostOfHorizon = 1 / 8;
/** How many of the best items are cut when they are too long, and to which share of the budget: half, or nearly all of a small one. */
const bestItems = 3;
const largestCut = { share: 0.5, ofSmall: 0.95, tokens: 160 };
export const smallBudget = 256;
/** In tokens. A note with less room is only named. */
const smallestNote = 50;
/** The share of the budget to which the first item of each reference is cut, divided among the references. */
const largestReference = 0.85;

/** How print options are made and valued. */
export type Valuation = {
  /** The value that one token must have to be printed; 0 where the budget is to be filled. */
  price: number;
  /** The probability that an item is relevant, where items count by it and not by score and rank. */
  chanceOf?: ChanceOf;
  /** With shares: the section of an item. An item that ranks low overall may be the best of its section. */
  shareOf?: (unique: Unique) => unknown;
  namesOnly?: boolean;
  /** Whether every option must have text: then nothing is only named. */
  withText?: boolean;
  /** Whether an item may also be printed in its short form. */
  mayBeShort?: (unique: Unique) => boolean;
};

/** The print options of every item, with exact costs (except for what items share) and values. */
export function optionsFor(
  all: readonly Unique[],
  request: Request,
  weigh: WeighLines,
  layouter: Layouter,
  valuation: Valuation,
): ItemPrintOptions[] {
  const { chanceOf, shareOf, namesOnly = false } = valuation;
  const claimed = new Map<string, Set<string>>();
  const texts = new Map<unknown, number>();
  const horizonTokens = (shareOf ? 1 : horizon) * request.maxTokens;
  const references = all.filter((unique) => isFirstOfReference(unique) || unique.pinned).length;
  // Signatures alone are hardly better than a list of names: what is too long is printed in part instead.
  const onlyTexts = valuation.price > 0 && !namesOnly && request.includeCodeContent;
  const leads = all.filter(({ lead }) => lead).length;
  return all.map((unique, rank) => {
    const ownWeight = chanceOf?.(unique, rank) ?? unique.score / (1 + rank / rankDecay.rank) ** rankDecay.power;
    const weight = ownWeight + bonusOf(unique);
    const first = !claimed.has(unique.item.path);
    const statements = claimed.get(unique.item.path) ?? new Set<string>();
    claimed.set(unique.item.path, statements);
    // Named items are counted separately, so that long ones do not take the room of found items.
    const share = isExplicit(unique) ? "named" : shareOf?.(unique);
    const tokensBefore = texts.get(share) ?? 0;
    const isWithinHorizon =
      tokensBefore <= horizonTokens || isFirstOfReference(unique) || unique.lead || unique.pinned || unique.companion;
    const withShort = !onlyTexts || unique.lead === true || unique.pinned === true || !isInFile(unique.item.source);
    const levels = upToLevel(unique, [
      ...(isWithinHorizon && !namesOnly ? textLevels(unique, request, weigh) : []),
      ...(valuation.mayBeShort?.(unique) && !namesOnly ? [shortRecord(unique) ?? []].flat() : []),
      ...(withShort ? shortLevels(unique) : []),
    ]);
    const priced = pricedOptions({ unique, rank }, levels, { first, statements, valuation }, request, layouter);
    const options = isMention(unique) ? withoutLongWhole(priced) : priced;
    texts.set(share, tokensBefore + Math.min(mostOfHorizon * request.maxTokens, options[0]?.cost ?? 0));
    for (const statement of levels[0]?.imports ?? []) statements.add(statement);
    // One pointer per reference is enough: the bonus of the others does not count for a pointer.
    const pointerWeight = isExplicit(unique) && !isFirstOfReference(unique) ? ownWeight : weight;
    setValues(options, weight, pointerWeight, valuation);
    const whole = levels.findLast(({ level }) => level === "full");
    const item = { unique, rank, weight, options, whole, valuation, weigh };
    return {
      ...item,
      options: unique.lead
        ? withLeadCut(item, leads, weigh, request, layouter)
        : withCut(item, references, request, layouter),
    };
  });
}

/** What was placed before an item: of its file `first` says whether nothing was, `statements` which imports were. */
type Place = { first: boolean; statements: ReadonlySet<string>; valuation: Valuation };

/** An option for each level that is worth one: with text where that is wanted, cheaper than the one before, and no piece of what is short. */
function pricedOptions(
  { unique, rank }: Pick<ItemPrintOptions, "unique" | "rank">,
  levels: readonly PrintLevel[],
  { first, statements, valuation }: Place,
  request: Request,
  layouter: Layouter,
): PrintOption[] {
  const options: PrintOption[] = [];
  for (const printLevel of levels) {
    if (valuation.withText && printLevel.text.trim() === "" && unique.wantedLevel !== "pointer") continue;
    if (printLevel.text.length > charactersPerToken * request.maxTokens) continue;
    const cheapest = options.at(-1)?.cost ?? Number.POSITIVE_INFINITY;
    const isPartial = printLevel.level !== "pointer" && !isShortRecord({ unique, printLevel });
    if (isPartial && cheapest <= smallCost) continue;
    // A short note is hardly longer than its name.
    if (isNode(unique.item.source) && cheapest < smallestNote) continue;
    const shown = { rank, unique, printLevel };
    // The best ranked item of a file pays for the imports; the layout decides in the end which block prints them.
    const imports = printLevel.imports.filter((statement) => !statements.has(statement));
    const cost = layouter.blockTokens(shown, imports) + layouter.sharedTokens(shown, first);
    if (cost < cheapest) options.push({ ...shown, cost, value: 0 });
  }
  return options;
}

/** The requested level and those below it, to fall back on; only the last one if the item has none of these. */
function upToLevel({ wantedLevel }: Unique, levels: PrintLevel[]): PrintLevel[] {
  if (wantedLevel === undefined) return levels;
  const highest = levelNames.indexOf(wantedLevel);
  const fitting = levels.filter(({ level }) => levelNames.indexOf(level) >= highest);
  return fitting.length > 0 ? fitting : levels.slice(-1);
}

/** Adds a cut for one of the best items if it is too long to be printed whole or elided, so that its text is not missing. */
function withCut(item: ItemPrintOptions, references: number, request: Request, layouter: Layouter): PrintOption[] {
  const { rank, unique, options, whole } = item;
  const isNamed = isFirstOfReference(unique) || unique.pinned === true;
  const limit = isNamed
    ? (largestReference * request.maxTokens) / Math.max(1, references)
    : Math.max(
        largestCut.share * request.maxTokens,
        Math.min(largestCut.ofSmall * request.maxTokens, largestCut.tokens),
      );
  const isText = ({ printLevel, cost }: PrintOption) =>
    printLevel.text !== "" && printLevel.level !== "signature" && cost <= limit;
  if ((rank >= bestItems && !isNamed) || !whole || options.some(isText)) return options;
  return withExtraOption(options, cutOption(item, Math.floor(limit - headTokens(item, layouter)), request, layouter));
}

function withExtraOption(options: PrintOption[], cut: PrintOption | undefined): PrintOption[] {
  return cut ? [...options, cut].sort((a, b) => b.cost - a.cost) : options;
}

/** Tokens by which the footer may grow once the reasons for leaving items out are known. */
const footerChange = 6;

/** The share of the budget to which a long note is cut: the rest names its neighbours. */
const largestNote = 0.8;

/**
 * The share of the budget to which the best item is cut at first where it does not fit whole; it grows into what the others leave. What was asked for by name takes all of it, but what was only
 * found may be the wrong one: with all of it, a function of 525 lines was the whole answer. At 500 tokens, of 321 questions a function that does it
 * is printed for 48 % instead of 43, at 1,000 for 57 instead of 55. Never less than `tokens`: in the smallest budgets, pieces of several tell nothing.
 */
const largestFound = { share: 0.5, tokens: 250 };

/** A lead item is not printed in fragments: if it does not fit whole, it is cut to the available room. Notes that were asked for together share it. */
function withLeadCut(
  item: ItemPrintOptions,
  leads: number,
  weigh: WeighLines,
  request: Request,
  layouter: Layouter,
): PrintOption[] {
  const { unique, rank, options, whole } = item;
  const isNote = isNode(unique.item.source);
  const room = request.maxTokens - footerChange;
  // Files that were asked for together share the room as well.
  const isShared = isNote || unique.askedWhole === true;
  const isCode = isCutByLines(item, request);
  const { named, message, frame, literal } = unique.signals;
  // One line of it is what is wanted, and the frames or places after it want room as well.
  const hasPlace = message === undefined && (frame ?? literal) !== undefined;
  const isFound = (named ?? message ?? frame) === undefined || hasPlace;
  // Of a setting, three are wanted together: the line that sets it, the code that reads it, what tells of it.
  const sharing = isShared ? leads : literal === undefined ? 1 : Math.min(leads, 3);
  const wholeRoom = room / sharing;
  const cutRoom = isNote
    ? largestNote * wholeRoom
    : isCode && isFound
      ? Math.min(room, Math.max(largestFound.share * room, largestFound.tokens))
      : wholeRoom;
  const wholeFits = (shown: Shown) => layouter.lay([shown]).tokens <= wholeRoom;
  const fitsAlone = (shown: Shown) => layouter.lay([shown]).tokens <= cutRoom;
  const longestWhole = isCode && hasPlace && rank === 0 ? largestFound.share * room : room;
  const enough = isMention(unique) ? ["full", "elided"] : ["full"];
  const isEnough = (option: PrintOption) => enough.includes(option.printLevel.level) && option.cost <= longestWhole;
  if (!whole || options.some((option) => isEnough(option) && wholeFits(option))) return options;
  const longest = isCode
    ? longestHead(unique, whole, weigh, (printLevel) => fitsAlone({ rank, unique, printLevel }))
    : undefined;
  const cut = longest ? leadOption(item, longest, layouter) : firstCut(item, request, layouter, fitsAlone);
  // The best item needs no shorter options than the longest cut that fits.
  const others =
    rank === 0 && cut && (isShared || sharing === 1)
      ? options.filter(({ printLevel }) => printLevel.level !== "elided" && printLevel.level !== "full")
      : options;
  return withExtraOption(others, cut);
}

/** Whether an item is cut to its beginning and its relevant lines. */
export function isCutByLines({ unique }: Pick<ItemPrintOptions, "unique">, { truncation }: Request): boolean {
  return isInFile(unique.item.source) && truncation === "signature-first";
}

/** A lead item printed in this way. */
export function leadOption(
  { rank, unique, weight, valuation }: Omit<ItemPrintOptions, "options" | "weigh">,
  printLevel: PrintLevel,
  layouter: Layouter,
): PrintOption {
  const shown = { rank, unique, printLevel };
  const cost = layouter.blockTokens(shown, printLevel.imports) + layouter.sharedTokens(shown, true);
  return { ...shown, cost, value: weight * printLevel.utility - valuation.price * cost };
}

/** Shares of the room that are tried: the tokens around a text are only known together with it. */
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
  const withRest = rest === undefined ? {} : { rest };
  const printLevel: PrintLevel = { level: "elided", text: "", imports: [], utility: 0, ...withRest };
  const head = { rank, unique, printLevel };
  return layouter.blockTokens(head, []) + layouter.sharedTokens(head, false);
}

/** An item's own text cut to at most `maxTokens`, by the requested truncation strategy. */
export function cutOption(
  { unique, rank, weight, whole, options, valuation, weigh }: ItemPrintOptions,
  maxTokens: number,
  request: Request,
  layouter: Layouter,
  rest?: string,
): PrintOption | undefined {
  if (!whole || maxTokens < 1) return undefined;
  const { language, source } = unique.item;
  if (isNode(source) && maxTokens < smallestNote) return undefined;
  const { counter } = layouter;
  const isRecord = !isInFile(source);
  // A piece of a small item is not worth its heading.
  if (valuation.price > 0 && request.maxTokens >= smallBudget && isSmall({ unique, options })) return undefined;
  const text = ownText(unique, whole);
  const byLines = isCutByLines({ unique }, request) ? cutByLines(unique, text, maxTokens, layouter, weigh) : undefined;
  // Half a line is worth printing only where nothing else is: in the smallest budgets, or of a line that is a text by itself.
  const mayTear = isRecord || request.fill || request.maxTokens < smallBudget || hasLongLine(text);
  const cut =
    byLines ??
    (!mayTear && isCutByLines({ unique }, request)
      ? undefined
      : truncate(text, {
          maxTokens,
          strategy: isRecord ? "head" : request.truncation,
          counter,
          countWhole: layouter.countOwn,
          ...(language ? { language } : {}),
        }));
  if (!cut?.cut || (!mayTear && isTorn(cut.text, text))) return undefined;
  if (losesFocus(unique, text, cut.text)) return undefined;
  const hasRoom = valuation.price > 0 && request.maxTokens >= smallBudget;
  if (hasRoom && cut.lines && isSkeleton(unique, text.split("\n"), cut.lines, true)) return undefined;
  // A cut shorter than the signature is worse than the signature, except in the smallest budgets.
  const signature = request.maxTokens < smallBudget ? 0 : signatureLength(options);
  if (cut.text.length <= signature) return undefined;
  const printLevel = { ...cutLevel(unique, whole, cut.text, cut.lines ?? []), ...(rest === undefined ? {} : { rest }) };
  const shown = { rank, unique, printLevel };
  const cost = layouter.blockTokens(shown, printLevel.imports) + layouter.sharedTokens(shown, true);
  const value =
    weight * utilities.signature + addedValue(weight, printLevel.utility - utilities.signature, cost, valuation);
  return { ...shown, cost, value: value - valuation.price * cost };
}

/** Whether an item in a file is so short that the heading of a piece would cost as much as the piece. */
export function isSmall({ unique, options }: Pick<ItemPrintOptions, "unique" | "options">): boolean {
  return (
    isInFile(unique.item.source) &&
    options.some(({ printLevel, cost }) => printLevel.level === "full" && cost <= smallCost)
  );
}

/** Text beyond this many tokens has diminishing value, so that one long function does not crowd out ten good small ones. */
const longText = 600;

/** The value that a level adds to the one below. No discount for length by chance: each token has its price there. */
function addedValue(weight: number, gain: number, cost: number, { chanceOf }: Valuation): number {
  return weight * gain * (chanceOf ? 1 : Math.min(1, longText / Math.max(1, cost)));
}

/** Sums values from the cheapest option (the last) upwards, and subtracts the price of the tokens. */
function setValues(options: PrintOption[], weight: number, pointerWeight: number, valuation: Valuation): void {
  let value = 0;
  let utility = 0;
  for (const option of options.toReversed()) {
    const worth = option.printLevel.level === "pointer" ? pointerWeight : weight;
    value += addedValue(worth, Math.max(0, option.printLevel.utility - utility), option.cost, valuation);
    utility = Math.max(utility, option.printLevel.utility);
    option.value = value - valuation.price * option.cost;
  }
}

function signatureLength(options: PrintOption[]): number {
  const signature = options.find((option) => option.printLevel.level === "signature" && !isShortRecord(option));
  return signature?.printLevel.text.length ?? 0;
}
