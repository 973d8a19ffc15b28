import { editDistance } from "../../text/similarity/levenshtein.ts";

/**
 * The set of a word's letters as bits: similar words share nearly all of them, and comparing bits is a hundred times
 * cheaper.
 */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) % 32);
  return letters >>> 0;
}

/** Number of letters in only one of two words; at most twice their edit distance. */
export function differingLetters(one: number, other: number): number {
  const bits = one ^ other;
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The edit distance of two words, computed without their common prefix and suffix. */
export function typosBetween(a: string, b: string): number {
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  if (start === endA || start === endB) return Math.max(endA, endB) - start;
  return editDistance(a.slice(start, endA), b.slice(start, endB));
}
