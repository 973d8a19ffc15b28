import { memoizeRecent } from "../memoize.ts";
import { countMerged } from "./bpe-merge.ts";
import { asciiHash, isToken, loadRanks, notAscii, rankOf } from "./bpe-ranks.ts";
import { splitter } from "./bpe-split.ts";

export type Encoding = "o200k_base" | "cl100k_base" | "claude";

export type TokenCounter = {
  encoding: Encoding;
  /** False for an estimate. */
  exact: boolean;
  count(text: string): number;
};

// Claude's tokenizer is not public and differs between models. Published comparisons put it 20 to 30 % above
// o200k_base, code highest; the rest is margin. Rounded up, so that the sum over blocks is never below the count of the
// whole.
const claudeMargin = 1.4;

/** Counts of pieces that are not one token are cached: code repeats its names. Emptied when full. */
const mostCached = 50_000;
/** Longer pieces are data; they do not come again. */
const longestCached = 64;

const counters = new Map<Encoding, TokenCounter>();

/** The counter of an encoding; the first call loads its table. */
export function tokenCounter(encoding: Encoding): TokenCounter {
  let counter = counters.get(encoding);
  if (counter === undefined) {
    counter = encoding === "claude" ? estimate(tokenCounter("o200k_base")) : exactCounter(encoding);
    counters.set(encoding, counter);
  }
  return counter;
}

const rememberedCounts = new Map<Encoding, (text: string) => number>();
/** Enough for what some fifty questions print. */
const rememberedCharacters = 4_000_000;

/**
 * Counts as the encoding's counter does; for texts that are likely to be counted again by the next question, and that
 * have lines in common: the same item whole, in short and folded.
 */
export function rememberedCount(encoding: Encoding): (text: string) => number {
  let count = rememberedCounts.get(encoding);
  if (!count) {
    const counter = tokenCounter(encoding);
    const byLines = counter.exact
      ? countByLines(counter.count)
      : estimate({ ...tokenCounter("o200k_base"), count: countByLines(tokenCounter("o200k_base").count) }).count;
    rememberedCounts.set(encoding, (count = memoizeRecent(byLines, rememberedCharacters)));
  }
  return count;
}

function estimate(base: TokenCounter): TokenCounter {
  return { encoding: "claude", exact: false, count: (text) => Math.ceil(base.count(text) * claudeMargin) };
}

const mostCachedLines = 20_000;
/** Longer ones are data; they do not come again. */
const longestCachedLine = 200;

/** Counts line by line, each different line once. */
function countByLines(count: (text: string) => number): (text: string) => number {
  const counts = new Map<string, number>();
  const countLine = (line: string): number => {
    if (line.length > longestCachedLine) return count(line);
    let tokens = counts.get(line);
    if (tokens === undefined) {
      if (counts.size >= mostCachedLines) counts.clear();
      counts.set(line, (tokens = count(line)));
    }
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (let at = 0; at < text.length; ) {
      const end = lineEnd(text, at);
      tokens += countLine(text.slice(at, end));
      at = end;
    }
    return tokens;
  };
}

/**
 * The end of the first line that no token crosses: one that is followed by blanks and something visible, or by anything
 * visible but a slash.
 */
function lineEnd(text: string, start: number): number {
  for (let at = text.indexOf("\n", start) + 1; at > 0; at = text.indexOf("\n", at) + 1) {
    let first = at;
    let unit = text.charCodeAt(first);
    while (unit === 0x20 || unit === 0x09) unit = text.charCodeAt(++first);
    if (unit > 0x20 && unit < 0x7f && !(unit === 0x2f && first === at)) return at;
  }
  return text.length;
}

function exactCounter(encoding: "o200k_base" | "cl100k_base"): TokenCounter {
  const ranks = loadRanks(encoding);
  const pieceEnd = splitter(encoding, ranks);
  const cache = new Map<string, number>();
  let bytes = new Uint8Array(1024);

  function countPiece(text: string, units: Uint16Array, start: number, end: number): number {
    const hash = asciiHash(units, start, end);
    const ascii = hash !== notAscii;
    if (ascii && (end - start === 1 || isToken(ranks, hash, units, start, end))) return 1;
    const piece = text.slice(start, end);
    const cached = cache.get(piece);
    if (cached !== undefined) return cached;
    // A UTF-16 unit becomes at most three bytes.
    if (bytes.length < piece.length * 3) bytes = new Uint8Array(piece.length * 3);
    const length = encoder.encodeInto(piece, bytes).written;
    // A lone surrogate is encoded as U+FFFD, but the text is not the token of that character.
    const whole = !ascii && !loneSurrogate.test(piece) && rankOf(ranks, bytes, 0, length) >= 0;
    const count = whole ? 1 : countMerged(ranks, bytes, length);
    if (piece.length <= longestCached) {
      if (cache.size >= mostCached) cache.clear();
      cache.set(piece, count);
    }
    return count;
  }

  return {
    encoding,
    exact: true,
    count(text) {
      const units = unitsOf(text);
      const { length } = text;
      let count = 0;
      for (let at = 0; at < length; ) {
        const end = pieceEnd(units, length, at);
        count += countPiece(text, units, at, end);
        at = end;
      }
      return count;
    },
  };
}

const encoder = new TextEncoder();
const loneSurrogate = /\p{Surrogate}/u;

/** Texts up to this length share one buffer. */
const usualLength = 1 << 16;
const usualUnits = new Uint16Array(usualLength + 2);
const usualBytes = Buffer.from(usualUnits.buffer);

/** The UTF-16 units of a text and two zeros, valid until the next call. */
function unitsOf(text: string): Uint16Array {
  const { length } = text;
  const isUsual = length <= usualLength;
  const units = isUsual ? usualUnits : new Uint16Array(length + 2);
  (isUsual ? usualBytes : Buffer.from(units.buffer)).write(text, "utf16le");
  units[length] = 0;
  units[length + 1] = 0;
  return units;
}
