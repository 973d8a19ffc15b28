/**
 * How alike two texts are, 0 to 1: the share of words they have in common in the same order. Case, white space and
 * punctuation do not count. Short texts are the same word for word or not at all.
 */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const left = wordsOf(a);
  const right = wordsOf(b);
  if (left.length === 0 && right.length === 0) return bare(a) === bare(b) ? 1 : 0;
  return wordSimilarity(left, right);
}

export type NearDuplicate = {
  /** Index of the text that stands for both, always the smaller. */
  of: number;
  duplicate: number;
  similarity: number;
};

/** Texts that are at least `threshold` similar to an earlier text that is itself no duplicate, in order. */
export function nearDuplicates(texts: readonly string[], threshold: number): NearDuplicate[] {
  const found: NearDuplicate[] = [];
  const kept: { index: number; words: Int32Array; bits: Int32Array; counts: Uint16Array }[] = [];
  for (const [index, text] of texts.entries()) {
    const words = wordsOf(text);
    const bits = wordBits(words);
    const counts = bucketCounts(words);
    let twin: NearDuplicate | undefined;
    for (const one of kept) {
      const total = one.words.length + words.length;
      const mostDifferences = Math.floor((1 - threshold) * total + 1e-9);
      if (Math.abs(one.words.length - words.length) > mostDifferences) continue;
      if (!bitsWithin(one.bits, bits, mostDifferences) || !countsWithin(one.counts, counts, mostDifferences)) continue;
      const score = total === 0 ? similarity(texts[one.index]!, text) : wordSimilarity(one.words, words);
      if (score >= threshold && score > (twin?.similarity ?? 0))
        twin = { of: one.index, duplicate: index, similarity: score };
      if (score === 1) break;
    }
    if (twin) found.push(twin);
    else kept.push({ index, words, bits, counts });
  }
  return found;
}

/** In a text of fewer words, one word is often the whole message: another port, another name, a negation. */
const shortText = 30;
/** The most that short texts with different words are alike: below any threshold that means "the same". */
const differentShortTexts = 0.85;
/** Beyond this, order is compared by pairs of neighbours: the exact comparison would take time in the square. */
const longText = 10_000;

function wordSimilarity(a: Int32Array, b: Int32Array): number {
  const total = a.length + b.length;
  if (Math.max(a.length, b.length) > longText) return pairSimilarity(a, b);
  const common = commonInOrder(a, b);
  if (common * 2 === total) return 1;
  const score = (2 * common) / total;
  return Math.max(a.length, b.length) >= shortText ? score : Math.min(score, differentShortTexts);
}

/** Hashes of the words of a text, in order, so that comparing is comparing numbers. */
export function wordsOf(text: string): Int32Array {
  const words: number[] = [];
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code > 127) return wordsOfUnicode(text);
    if (code >= 65 && code <= 90) code |= 32;
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) hash = Math.imul(hash ^ code, prime);
    else if (hash !== seed && code !== apostrophe) {
      words.push(hash);
      hash = seed;
    }
  }
  if (hash !== seed) words.push(hash);
  return new Int32Array(words);
}

const seed = 0x811c9dc5 | 0;
const prime = 0x01000193;
const apostrophe = 0x27;
// Scripts without spaces: every character is a word.
const unicodeWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}'’])+/gu;

function wordsOfUnicode(text: string): Int32Array {
  const words: number[] = [];
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(unicodeWord)) {
    let hash = seed;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      if (code !== apostrophe && code !== 0x2019) hash = Math.imul(hash ^ code, prime);
    }
    if (hash !== seed) words.push(hash);
  }
  return new Int32Array(words);
}

function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

// Two summaries of a text's words rule nearly all pairs out. A word that two texts do not share makes at most one bit
// and one count differ, so when more of them differ than words may, the texts cannot be twins: none is missed.
const bitBlocks = 32;
const buckets = 256;

function wordBits(words: Int32Array): Int32Array {
  const bits = new Int32Array(bitBlocks);
  for (const word of words) bits[(word >>> 5) & (bitBlocks - 1)]! |= 1 << (word & 31);
  return bits;
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

function bucketCounts(words: Int32Array): Uint16Array {
  const counts = new Uint16Array(buckets);
  for (const word of words) {
    const bucket = (word ^ (word >>> 13)) & (buckets - 1);
    if (counts[bucket]! < 0xffff) counts[bucket]!++;
  }
  return counts;
}

function countsWithin(a: Uint16Array, b: Uint16Array, most: number): boolean {
  let difference = 0;
  for (let i = 0; i < buckets && difference <= most; i++) difference += Math.abs(a[i]! - b[i]!);
  return difference <= most;
}

/**
 * Length of the longest common subsequence, 32 words of `a` at a time: a bit of `row` is 0 where the length grows.
 * (Hyyrö's bit-parallel form.)
 */
function commonInOrder(a: Int32Array, b: Int32Array): number {
  let start = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (start < aEnd && start < bEnd && a[start] === b[start]) start++;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  const same = start + (a.length - aEnd);
  const size = aEnd - start;
  if (size === 0 || bEnd === start) return same;
  const blocks = (size + 31) >>> 5;
  const places = new Map<number, Uint32Array>();
  for (let i = 0; i < size; i++) {
    let mask = places.get(a[start + i]!);
    if (mask === undefined) places.set(a[start + i]!, (mask = new Uint32Array(blocks)));
    mask[i >>> 5]! |= 1 << (i & 31);
  }
  const row = new Uint32Array(blocks).fill(0xffffffff);
  for (let j = start; j < bEnd; j++) {
    const mask = places.get(b[j]!);
    if (mask === undefined) continue;
    let carry = 0;
    for (let block = 0; block < blocks; block++) {
      const value = row[block]!;
      const matched = (value & mask[block]!) >>> 0;
      const sum = value + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      row[block] = sum | (value & ~mask[block]!);
    }
  }
  let grown = 0;
  for (let i = 0; i < size; i++) if (((row[i >>> 5]! >>> (i & 31)) & 1) === 0) grown++;
  return same + grown;
}

function pairSimilarity(a: Int32Array, b: Int32Array): number {
  if (a.length < 2 || b.length < 2) return 0;
  const counts = new Map<number, number>();
  const pair = (words: Int32Array, i: number) =>
    Math.imul(Math.imul(words[i]!, 0x9e3779b1) ^ words[i + 1]!, 0x85ebca6b);
  for (let i = 0; i + 1 < a.length; i++) counts.set(pair(a, i), (counts.get(pair(a, i)) ?? 0) + 1);
  let common = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const left = counts.get(pair(b, i)) ?? 0;
    if (left > 0) common++;
    counts.set(pair(b, i), left - 1);
  }
  return (2 * common) / (a.length + b.length - 2);
}
