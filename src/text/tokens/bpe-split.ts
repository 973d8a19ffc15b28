import type { Ranks } from "./bpe-ranks.ts";

/**
 * Pre-tokenisation: splits text into the pieces that byte pair encoding works on, as the encodings' regular expressions
 * do. The scanner reads every character a bounded number of times and needs no stack, so a run may have any length.
 */

export const classes = {
  other: 0,
  /** Lu, Lt */
  upper: 1,
  /** Ll */
  lower: 2,
  /** Lm, Lo: letters without case, which go with both. */
  caseless: 3,
  /** M */
  mark: 4,
  /** N */
  number: 5,
  /** White space other than line ends. */
  space: 6,
  /** \r and \n */
  newline: 7,
} as const;

const bit = (name: keyof typeof classes) => 1 << classes[name];
const letters = bit("upper") | bit("lower") | bit("caseless");
const upperSet = bit("upper") | bit("caseless") | bit("mark");
const lowerSet = bit("lower") | bit("caseless") | bit("mark");
const bothSet = bit("caseless") | bit("mark");
const numbers = bit("number");
const whitespace = bit("space") | bit("newline");
const symbols = bit("other") | bit("mark");
/** Characters that may precede a word: anything but letters, numbers and line ends. */
const prefixSet = bit("other") | bit("mark") | bit("space");

const space = 0x20;
const apostrophe = 0x27;
const slash = 0x2f;

/**
 * Says where the piece that begins at `at` ends. The text is given as UTF-16 units, followed by two zeros: strings have
 * many inner forms, and code that reads single characters of all of them is several times slower.
 */
export type Splitter = (units: Uint16Array, length: number, at: number) => number;

export function splitter(encoding: "o200k_base" | "cl100k_base", ranks: Pick<Ranks, "pageOf" | "pages">): Splitter {
  const { pageOf, pages } = ranks;
  const asciiSets = Uint8Array.from({ length: 128 }, (_, code) => 1 << pages[(pageOf[0]! << 8) | code]!);

  /** The class of the code point at an index, as a bit; a lone surrogate is "other". */
  function setAt(units: Uint16Array, at: number): number {
    let code = units[at]!;
    if (code < 128) return asciiSets[code]!;
    if (isHigh(code) && isLow(units[at + 1]!)) code = 0x10000 + ((code - 0xd800) << 10) + (units[at + 1]! - 0xdc00);
    return 1 << pages[(pageOf[code >> 8]! << 8) | (code & 255)]!;
  }

  function runEnd(units: Uint16Array, length: number, from: number, set: number): number {
    let at = from;
    while (at < length) {
      const code = units[at]!;
      if (((code < 128 ? asciiSets[code]! : setAt(units, at)) & set) === 0) break;
      at += code < 128 ? 1 : sizeAt(units, at);
    }
    return at;
  }

  function numberEnd(units: Uint16Array, length: number, from: number): number {
    let at = from;
    for (let i = 0; i < 3 && at < length && (setAt(units, at) & numbers) !== 0; i++) at += sizeAt(units, at);
    return at;
  }

  /** `\s*[\r\n]`, then `\s+(?!\S)`, then `\s+`: up to the last line end of the run, else all but its last character. */
  function whitespaceEnd(units: Uint16Array, length: number, from: number): number {
    const end = runEnd(units, length, from, whitespace);
    for (let at = end - 1; at >= from; at--) if (isNewline(units[at]!)) return at + 1;
    return end === length || end - from === 1 ? end : end - 1;
  }

  /** ` ?[^\s\p{L}\p{N}]+` with what may follow it; `from` itself when there is none. */
  function symbolEnd(units: Uint16Array, length: number, from: number, slashes: boolean): number {
    const start = units[from]! === space ? from + 1 : from;
    let at = runEnd(units, length, start, symbols);
    if (at === start) return from;
    while (at < length && (isNewline(units[at]!) || (slashes && units[at]! === slash))) at++;
    return at;
  }

  /**
   * `prefix? upper* lower+` or else `prefix? upper+ lower*`, where caseless letters and marks are in both sets: when no
   * lower-case letter follows the upper run, the first form gives back characters up to the last that is in both.
   */
  function casedWordEnd(units: Uint16Array, length: number, from: number): number {
    const first = setAt(units, from);
    const start = (first & prefixSet) === 0 ? from : units[from]! < 128 ? from + 1 : from + sizeAt(units, from);
    const upperEnd = runEnd(units, length, start, upperSet);
    const end = runEnd(units, length, upperEnd, lowerSet);
    if (end > upperEnd) return end;
    for (let at = upperEnd; at > start; ) {
      const size = isPairEnd(units, at) ? 2 : 1;
      if ((setAt(units, at - size) & bothSet) !== 0) return at;
      at -= size;
    }
    // A mark counts as a prefix first; alone it is a word by itself.
    if ((first & bit("mark")) !== 0) return start;
    return upperEnd > start ? upperEnd : from;
  }

  function wordEnd(units: Uint16Array, length: number, from: number): number {
    const start = (setAt(units, from) & prefixSet) !== 0 ? from + sizeAt(units, from) : from;
    const end = runEnd(units, length, start, letters);
    return end > start ? end : from;
  }

  if (encoding === "o200k_base") {
    return (units, length, at) => {
      const set = setAt(units, at);
      if ((set & (letters | prefixSet)) !== 0) {
        const end = casedWordEnd(units, length, at);
        if (end > at) return end + contraction(units, end);
      }
      if ((set & numbers) !== 0) return numberEnd(units, length, at);
      const end = symbolEnd(units, length, at, true);
      return end > at ? end : whitespaceEnd(units, length, at);
    };
  }
  return (units, length, at) => {
    const set = setAt(units, at);
    const suffix = contraction(units, at);
    if (suffix > 0) return at + suffix;
    if ((set & (letters | prefixSet)) !== 0) {
      const end = wordEnd(units, length, at);
      if (end > at) return end;
    }
    if ((set & numbers) !== 0) return numberEnd(units, length, at);
    const end = symbolEnd(units, length, at, false);
    if (end > at) return end;
    // `\s+$` comes first here: white space that ends the text is one piece.
    const run = runEnd(units, length, at, whitespace);
    return run === length ? run : whitespaceEnd(units, length, at);
  };
}

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function sizeAt(units: Uint16Array, at: number): number {
  return isHigh(units[at]!) && isLow(units[at + 1]!) ? 2 : 1;
}

function isPairEnd(units: Uint16Array, at: number): boolean {
  return at >= 2 && sizeAt(units, at - 2) === 2;
}

/** Length of `'s 't 'm 'd 'll 've 're`, any case, at an index; 0 when there is none. */
function contraction(units: Uint16Array, at: number): number {
  if (units[at] !== apostrophe) return 0;
  const first = units[at + 1]! | 32;
  if (units[at + 1]! > 127) return 0;
  if (first === 0x73 || first === 0x64 || first === 0x6d || first === 0x74) return 2;
  const second = units[at + 2]!;
  if (second > 127) return 0;
  const pair = String.fromCharCode(first, second | 32);
  return pair === "ll" || pair === "ve" || pair === "re" ? 3 : 0;
}
