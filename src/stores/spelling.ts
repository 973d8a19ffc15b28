import { editDistance } from "../text/similarity/levenshtein.ts";

/** Longer names are compared by their first characters only. */
const longest = 128;

/**
 * The similarity of two words, 0..1: 1 minus the Damerau-Levenshtein distance (insertions, deletions, replacements,
 * swapped neighbours) over the longer one's length.
 */
export function similarity(a: string, b: string): number {
  const one = a.slice(0, longest);
  const other = b.slice(0, longest);
  const length = Math.max(one.length, other.length);
  return length === 0 ? 1 : 1 - editDistance(one, other) / length;
}

/** The distinct trigrams of a word, lower case; none for shorter words. */
export function trigrams(word: string): string[] {
  const characters = [...word.toLowerCase()];
  const triples = new Set<string>();
  for (let i = 0; i + 3 <= characters.length; i++) triples.add(characters.slice(i, i + 3).join(""));
  return [...triples];
}
