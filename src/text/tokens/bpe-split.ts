import type { Ranks } from "./bpe-ranks.ts";

/**
 * Splits text into the pieces that byte pair encoding works on, as the encodings' regular expressions do, by a
 * scanner that reads every character a bounded number of times and needs no stack: a run of any length is fine.
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

/** A function that says where the piece that begins at `at` ends. */
export type Splitter = (text: string, at: number) => number;

export function splitter(encoding: "o200k_base" | "cl100k_base", ranks: Pick<Ranks, "pageOf" | "pages">): Splitter {
  const { pageOf, pages } = ranks;

  /** The class of the code point at an index, as a bit; a lone surrogate is "other". */
  function setAt(text: string, at: number): number {
    let code = text.charCodeAt(at);
    if (code >= 0xd800 && code <= 0xdfff) code = text.codePointAt(at)!;
    return 1 << pages[(pageOf[code >> 8]! << 8) | (code & 255)]!;
  }

  /** The classes of ASCII by themselves: nearly all characters of code, and its inner loop. */
  const asciiSets = Uint8Array.from({ length: 128 }, (_, code) => 1 << pages[(pageOf[0]! << 8) | code]!);

  function runEnd(text: string, from: number, set: number): number {
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code < 128) {
        if ((asciiSets[code]! & set) === 0) return at;
        at++;
      } else {
        if ((setAt(text, at) & set) === 0) return at;
        at += sizeAt(text, at);
      }
    }
    return at;
  }

  function numberEnd(text: string, from: number): number {
    let at = from;
    for (let i = 0; i < 3 && at < text.length && (setAt(text, at) & numbers) !== 0; i++) at += sizeAt(text, at);
    return at;
  }

  /** `\s*[\r\n]`, then `\s+(?!\S)`, then `\s+`: up to the last line end of the run, else all but its last character. */
  function whitespaceEnd(text: string, from: number): number {
    const end = runEnd(text, from, whitespace);
    for (let at = end - 1; at >= from; at--) if (isNewline(text.charCodeAt(at))) return at + 1;
    return end === text.length || end - from === 1 ? end : end - 1;
  }

  /** ` ?[^\s\p{L}\p{N}]+` with what may follow it; `from` itself when there is none. */
  function symbolEnd(text: string, from: number, slashes: boolean): number {
    const start = text.charCodeAt(from) === space ? from + 1 : from;
    let at = runEnd(text, start, symbols);
    if (at === start) return from;
    while (at < text.length && (isNewline(text.charCodeAt(at)) || (slashes && text.charCodeAt(at) === slash))) at++;
    return at;
  }

  /**
   * `prefix? upper* lower+` or else `prefix? upper+ lower*`, where caseless letters and marks are in both sets:
   * when no lower-case letter follows the upper run, the first form gives back characters up to the last that is in both.
   */
  function casedWordEnd(text: string, from: number): number {
    const first = setAt(text, from);
    const start = (first & prefixSet) !== 0 ? from + sizeAt(text, from) : from;
    const upperEnd = runEnd(text, start, upperSet);
    const end = runEnd(text, upperEnd, lowerSet);
    if (end > upperEnd) return end;
    for (let at = upperEnd; at > start; ) {
      const size = isPairEnd(text, at) ? 2 : 1;
      if ((setAt(text, at - size) & bothSet) !== 0) return at;
      at -= size;
    }
    // A mark counts as a prefix first; alone it is a word by itself.
    if ((first & bit("mark")) !== 0) return start;
    return upperEnd > start ? upperEnd : from;
  }

  function wordEnd(text: string, from: number): number {
    const start = (setAt(text, from) & prefixSet) !== 0 ? from + sizeAt(text, from) : from;
    const end = runEnd(text, start, letters);
    return end > start ? end : from;
  }

  if (encoding === "o200k_base") {
    return (text, at) => {
      const set = setAt(text, at);
      if ((set & (letters | prefixSet)) !== 0) {
        const end = casedWordEnd(text, at);
        if (end > at) return end + contraction(text, end);
      }
      if ((set & numbers) !== 0) return numberEnd(text, at);
      const end = symbolEnd(text, at, true);
      return end > at ? end : whitespaceEnd(text, at);
    };
  }
  return (text, at) => {
    const set = setAt(text, at);
    const suffix = contraction(text, at);
    if (suffix > 0) return at + suffix;
    if ((set & (letters | prefixSet)) !== 0) {
      const end = wordEnd(text, at);
      if (end > at) return end;
    }
    if ((set & numbers) !== 0) return numberEnd(text, at);
    const end = symbolEnd(text, at, false);
    if (end > at) return end;
    // `\s+$` comes first here: white space that ends the text is one piece.
    const run = runEnd(text, at, whitespace);
    return run === text.length ? run : whitespaceEnd(text, at);
  };
}

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function sizeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff && text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function isPairEnd(text: string, at: number): boolean {
  return at >= 2 && sizeAt(text, at - 2) === 2;
}

/** Length of `'s 't 'm 'd 'll 've 're`, any case, at an index; 0 when there is none. */
function contraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== apostrophe) return 0;
  const first = text.charCodeAt(at + 1) | 32;
  if (text.charCodeAt(at + 1) > 127) return 0;
  if (first === 0x73 || first === 0x64 || first === 0x6d || first === 0x74) return 2;
  const second = text.charCodeAt(at + 2);
  if (second > 127) return 0;
  const pair = String.fromCharCode(first, second | 32);
  return pair === "ll" || pair === "ve" || pair === "re" ? 3 : 0;
}
