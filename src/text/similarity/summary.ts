import { unicodeWord } from "./read-words.ts";
import { contractedWords, lightWords } from "./words.ts";

/** The parts of a text that are cheap to compare. */
export type Summary = {
  /** Hashes of the words, in order. */
  words: Int32Array;
  /** Characters of the words with a space after each. */
  length: number;
  /** All words: the number of words that differ bounds the similarity from above. */
  all: Bag;
  /**
   * Beginnings of the content words, which must not be missing: a mistyped word changes at most two of them, another
   * form of a word changes none.
   */
  initials: Bag;
  /** The number of content words, and a hash of them that ignores their order. */
  content: number;
  contentHash: number;
  /** A hash of the text's numbers that ignores their order, and how many there are. */
  numbers: number;
  numberCount: number;
};

/** Hashes as a multiset. A pair of different hashes changes at most two bits, so the bits decide most comparisons. */
export type Bag = { bits: Int32Array; hashes: Int32Array; sorted: boolean };

const bitBlocks = 32;

export function summarize(text: string): Summary {
  const { hashes, initials, numbers, numberCount, length } = scan(text);
  const words = new Int32Array(hashes);
  const begin: number[] = [];
  let contentHash = 0;
  for (let i = 0; i < hashes.length; i++) {
    const word = hashes[i]!;
    if (weightless.has(word)) continue;
    begin.push(initials[i]!);
    contentHash = (contentHash + Math.imul(word, 0x9e3779b1)) | 0;
  }
  return {
    words,
    length,
    all: bagOf(words),
    initials: bagOf(new Int32Array(begin)),
    content: begin.length,
    contentHash,
    numbers,
    numberCount,
  };
}

function bagOf(hashes: Int32Array): Bag {
  const bits = new Int32Array(bitBlocks);
  for (const hash of hashes) bits[(hash >>> 5) & (bitBlocks - 1)]! |= 1 << (hash & 31);
  return { bits, hashes, sorted: false };
}

/** Whether at most `most` hashes are in only one of two bags. */
export function bagsWithin(a: Bag, b: Bag, most: number): boolean {
  return bitsWithin(a.bits, b.bits, most) && countsWithin(sortedHashes(a), sortedHashes(b), most);
}

function bitsWithin(a: Int32Array, b: Int32Array, most: number): boolean {
  let difference = 0;
  for (let i = 0; i < bitBlocks; i++) {
    let bits = a[i]! ^ b[i]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    difference += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    if (difference > most) return false;
  }
  return true;
}

/**
 * The hashes of a bag, sorted when first needed. The array of words is never sorted in place, since its order counts.
 */
function sortedHashes(bag: Bag): Int32Array {
  if (!bag.sorted) {
    bag.hashes = bag.hashes.slice().sort();
    bag.sorted = true;
  }
  return bag.hashes;
}

function countsWithin(a: Int32Array, b: Int32Array, most: number): boolean {
  let [i, j, difference] = [0, 0, 0];
  while (i < a.length && j < b.length && difference <= most) {
    if (a[i] === b[j]) {
      i++;
      j++;
    } else {
      if (a[i]! < b[j]!) i++;
      else j++;
      difference++;
    }
  }
  return difference + a.length - i + b.length - j <= most;
}

const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;
const apostrophe = 0x27;
const typographicApostrophe = 0x2019;

type Scan = { hashes: number[]; initials: number[]; numbers: number; numberCount: number; length: number };

function scan(text: string): Scan {
  const result: Scan = { hashes: [], initials: [], numbers: 0, numberCount: 0, length: 0 };
  const word = new WordHash();
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code > 127) return scanUnicode(text);
    if (code >= 65 && code <= 90) code |= 32;
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) word.add(code);
    else if (code !== apostrophe) word.end(result);
  }
  word.end(result);
  return result;
}

function scanUnicode(text: string): Scan {
  const result: Scan = { hashes: [], initials: [], numbers: 0, numberCount: 0, length: 0 };
  const word = new WordHash();
  for (const [match] of text.normalize("NFKC").toLowerCase().matchAll(unicodeWord)) {
    for (let i = 0; i < match.length; i++) {
      const code = match.charCodeAt(i);
      if (code !== apostrophe && code !== typographicApostrophe) word.add(code);
    }
    word.end(result);
  }
  return result;
}

/** The current word of a scan. */
class WordHash {
  private hash = seed;
  private initial = seed;
  private letters = 0;
  /** Hash of the digits it begins with: the number in `10ms`. */
  private number = seed;
  private digits = 0;

  add(code: number): void {
    this.hash = Math.imul(this.hash ^ code, prime);
    this.letters++;
    // `use` and `using`, `try` and `tries` begin alike.
    if (this.letters <= 3) {
      const folded = this.letters === 3 && (code === 101 || code === 105 || code === 121) ? 101 : code;
      this.initial = Math.imul(this.initial ^ folded, prime);
    }
    if (code >= 48 && code <= 57) {
      this.digits++;
      this.number = this.digits === this.letters ? this.hash : 0;
    }
  }

  end(scan: Scan): void {
    if (this.letters === 0) return;
    scan.hashes.push(this.hash);
    scan.initials.push(this.initial);
    scan.length += this.letters + 1;
    // A word with digits in the middle counts as a number as a whole.
    if (this.digits > 0) {
      scan.numbers = (scan.numbers + Math.imul(this.number || this.hash, 0x9e3779b1)) | 0;
      scan.numberCount++;
    }
    this.hash = this.initial = this.number = seed;
    this.letters = this.digits = 0;
  }
}

const weightless = new Set([...lightWords, ...contractedWords].map((word) => scan(word).hashes[0]!));
