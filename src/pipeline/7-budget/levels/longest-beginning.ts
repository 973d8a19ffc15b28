import type { Truncated } from "../../../text/truncation/truncate.ts";
import { wholeLines } from "../../../text/truncation/whole-lines.ts";
import type { Layouter } from "../../layout/layout.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import type { Unique } from "../../unique.ts";
import { folded, structureOf } from "./folded.ts";
import { cutOrder, requiredLines } from "./kept-lines.ts";
import type { WeighLines } from "./line-weights.ts";

/** How often a beginning is made shorter, and how often longer. */
const mostTries = 8;

/**
 * The longest beginning of an item's lines that has at most `maxTokens` tokens, with its closing lines; undefined if
 * not even its first line fits. Lines are chosen by the sum of their costs and then counted exactly, a few times at
 * most.
 */
function longestBeginning(
  unique: Unique,
  lines: string[],
  maxTokens: number,
  count: (text: string) => number,
  weigh: WeighLines,
): (PrintLevel & { tokens: number; isNextLong: boolean }) | undefined {
  const structure = structureOf(unique, lines);
  const order = cutOrder(unique, lines, weigh(lines), structure);
  const essential = requiredLines(unique);
  const costs: number[] = [];
  const costOf = (index: number) => (costs[index] ??= count(`${lines[order[index]!]!}\n`));
  const affordable = (from: number, tokens: number) => {
    let [end, sum] = [from, 0];
    while (end < order.length && (sum += costOf(end)) <= tokens) end++;
    return end;
  };
  const upTo = (length: number) => {
    const keep = wholeLines(new Set(order.slice(0, length)), lines, structure, essential);
    const printLevel = folded(unique, lines, keep, () => [], 0);
    const { text } = printLevel;
    return { ...printLevel, tokens: text.length > maxTokens * longestToken ? Number.POSITIVE_INFINITY : count(text) };
  };
  let length = affordable(0, maxTokens);
  let best: ReturnType<typeof upTo> | undefined;
  for (let tries = 0; tries < mostTries && length > 0 && !best; tries++) {
    const cut = upTo(length);
    if (cut.tokens <= maxTokens) best = cut;
    else length = Math.min(length - 1, Math.floor((length * maxTokens) / cut.tokens));
  }
  if (!best) return undefined;
  for (let tries = 0; tries < mostTries; tries++) {
    const next = affordable(length, maxTokens - best.tokens);
    if (next === length) break;
    const longer = upTo(next);
    if (longer.tokens > maxTokens) break;
    [best, length] = [longer, next];
  }
  return { ...best, isNextLong: (lines[order[length]!] ?? "").length > longLine };
}

/** Characters. No token of any encoding is longer. */
const longestToken = 128;
/** Characters. A longer line is a paragraph on one line, or minified code. */
const longLine = 160;

/** If a long line leaves more than this share of the room unused, it is printed in part. */
const muchRoom = 1 / 3;

/**
 * Whole lines from the beginning, with the lines that close them; undefined if only a part of a line would fit, or fill
 * the room.
 */
export function cutByLines(
  unique: Unique,
  text: string,
  maxTokens: number,
  layouter: Layouter,
  weigh: WeighLines,
): Truncated | undefined {
  if (layouter.countOwn(text) <= maxTokens) return { text, cut: false };
  const beginning = longestBeginning(unique, text.split("\n"), maxTokens, layouter.counter.count, weigh);
  if (!beginning || (beginning.isNextLong && maxTokens - beginning.tokens > muchRoom * maxTokens)) return undefined;
  return { text: beginning.text, cut: true, lines: beginning.lines! };
}

/**
 * Whether the first line is cut in the middle. Only a very long line may be cut: half a line of code may mean something
 * else.
 */
export function isTorn(cut: string, text: string): boolean {
  const [first] = text.split("\n", 1);
  return first!.length <= longestUncut && !cut.startsWith(first!);
}

const longestUncut = 300;

export function hasLongLine(text: string): boolean {
  return text.length > longestUncut && text.split("\n").some((line) => line.length > longestUncut);
}
