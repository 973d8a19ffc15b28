import { isInFile, isNode } from "../../../item.ts";
import type { Request } from "../../../options.ts";
import { truncate } from "../../../text/truncation/truncate.ts";
import type { Layouter } from "../../layout/layout.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import { expenseOf } from "./framing.ts";
import { losesFocus } from "./kept-lines.ts";
import { cutByLines, hasLongLine, isTorn } from "./longest-beginning.ts";
import { cutLevel, ownText, utilities } from "./print-levels.ts";
import type { ItemPrintOptions, PrintOption, Valuation } from "./print-options.ts";
import { isShortRecord } from "./short-records.ts";
import { isSkeleton } from "./skeleton.ts";

/** Tokens. A cheaper item has no partial options: the heading would cost as much. */
export const smallCost = 90;
export const smallBudget = 256;
/** Tokens. A note with less room is only named. */
export const smallestNote = 50;

/** Whether an item is cut to its beginning and its relevant lines. */
export function isCutByLines({ unique }: Pick<ItemPrintOptions, "unique">, { truncation }: Request): boolean {
  return isInFile(unique.item.source) && truncation === "signature-first";
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
  // Half a line is printed only if nothing else is: in the smallest budgets, or if the line is a complete text.
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
  const shared = layouter.sharedTokens(shown, true);
  const cost = layouter.blockTokens(shown, printLevel.imports) + shared;
  const value =
    weight * utilities.signature + addedValue(weight, printLevel.utility - utilities.signature, cost, valuation);
  return { ...shown, cost, value: value - expenseOf(shown, cost, shared, valuation.price) };
}

/** Whether an item in a file is so short that the heading of a piece would cost as much as the piece. */
export function isSmall({ unique, options }: Pick<ItemPrintOptions, "unique" | "options">): boolean {
  return (
    isInFile(unique.item.source) &&
    options.some(({ printLevel, cost }) => printLevel.level === "full" && cost <= smallCost)
  );
}

/**
 * Text beyond this many tokens has diminishing value, so that one long function does not displace ten good small ones.
 */
const longText = 600;

/**
 * The value that a level adds to the level below. There is no discount for length if items count by chance: each token
 * then has its price.
 */
export function addedValue(weight: number, gain: number, cost: number, { chanceOf }: Valuation): number {
  return weight * gain * (chanceOf ? 1 : Math.min(1, longText / Math.max(1, cost)));
}

function signatureLength(options: PrintOption[]): number {
  const signature = options.find((option) => option.printLevel.level === "signature" && !isShortRecord(option));
  return signature?.printLevel.text.length ?? 0;
}

/** The options with a cut, most expensive first. */
export function withExtraOption(options: PrintOption[], cut: PrintOption | undefined): PrintOption[] {
  return cut ? [...options, cut].sort((a, b) => b.cost - a.cost) : options;
}
