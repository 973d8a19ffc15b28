import { isInFile, isNode, levels as levelNames } from "../../../item.ts";
import type { Request } from "../../../options.ts";
import { bonusOf, isExplicit, isFirstOfReference } from "../../explicit.ts";
import type { Layouter } from "../../layout/layout.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import type { Shown } from "../../layout/printed-parts.ts";
import type { Unique } from "../../unique.ts";
import type { ChanceOf } from "../chance.ts";
import { addedValue, cutOption, headTokens, smallCost, smallestNote, withExtraOption } from "./cut-option.ts";
import { expenseOf } from "./framing.ts";
import { withLeadCut } from "./lead-cut.ts";
import type { WeighLines } from "./line-weights.ts";
import { isMention, withoutLongWhole } from "./mentions.ts";
import { shortLevels, textLevels } from "./print-levels.ts";
import { isShortRecord, shortRecord } from "./short-records.ts";

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

/** How fast the weight falls with the rank if scores count directly: in a chat or a walk through notes. */
const rankDecay = { rank: 3, power: 1.5 };
/** Text with more characters per token of the budget cannot fit, so its tokens are not counted. */
const charactersPerToken = 12;
/** Once better ranked texts fill the budget this many times, an item gets only signature and pointer. */
const horizon = 1.5;
/**
 * The most that one item counts towards `horizon`, as a share of the budget, so that long items do not end it early.
 */
const mostOfHorizon = 1 / 8;
/**
 * How many of the best items are cut if they are too long, and to which share of the budget: half, or nearly all of a
 * small one.
 */
const bestItems = 3;
const largestCut = { share: 0.5, ofSmall: 0.95, tokens: 160 };
/** The share of the budget to which the first item of each reference is cut, divided among the references. */
const largestReference = 0.85;

/** How print options are made and valued. */
export type Valuation = {
  /** The value that one token must have to be printed; 0 if the budget is to be filled. */
  price: number;
  /** The probability that an item is relevant; set if items count by it and not by score and rank. */
  chanceOf?: ChanceOf;
  /** With budget shares: the section of an item. An item that ranks low overall may be the best of its section. */
  shareOf?: (unique: Unique) => unknown;
  namesOnly?: boolean;
  /** Whether every option must have text, so that no item is only named. */
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
  // Signatures alone are hardly better than a list of names, so text that is too long is printed in part instead.
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
    // One pointer per reference is enough, so the bonus does not count for pointers of the others.
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

/** What precedes an item in its file: `first` if nothing does; `statements`: the imports that are already placed. */
type Place = { first: boolean; statements: ReadonlySet<string>; valuation: Valuation };

/**
 * An option for each level that is worth one: cheaper than the option before, with text if required, and no piece of a
 * short item.
 */
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
    // The best ranked item of a file pays for the imports; the layout finally decides which block prints them.
    const imports = printLevel.imports.filter((statement) => !statements.has(statement));
    const shared = layouter.sharedTokens(shown, first);
    const cost = layouter.blockTokens(shown, imports) + shared;
    if (cost < cheapest) options.push({ ...shown, cost, value: -expenseOf(shown, cost, shared, valuation.price) });
  }
  return options;
}

/** The requested level and those below it as a fallback; only the last level if the item has none of these. */
function upToLevel({ wantedLevel }: Unique, levels: PrintLevel[]): PrintLevel[] {
  if (wantedLevel === undefined) return levels;
  const highest = levelNames.indexOf(wantedLevel);
  const fitting = levels.filter(({ level }) => levelNames.indexOf(level) >= highest);
  return fitting.length > 0 ? fitting : levels.slice(-1);
}

/**
 * Adds a cut for one of the best items if it is too long to be printed whole or elided, so that its text is not
 * missing.
 */
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

/** Adds the value of each option, summed from the cheapest (the last) upwards. */
function setValues(options: PrintOption[], weight: number, pointerWeight: number, valuation: Valuation): void {
  let value = 0;
  let utility = 0;
  for (const option of options.toReversed()) {
    const worth = option.printLevel.level === "pointer" ? pointerWeight : weight;
    value += addedValue(worth, Math.max(0, option.printLevel.utility - utility), option.cost, valuation);
    utility = Math.max(utility, option.printLevel.utility);
    option.value += value;
  }
}
