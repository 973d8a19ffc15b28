import type { ItemTerms } from "../stores/store.ts";
import { analyse, isNumber, wordsOf } from "../text/analysis/analyse.ts";
import { fields, packHashes, type TermField } from "../text/analysis/terms.ts";
import { hashTerm } from "../text/hash.ts";

/** The packed terms of a text by field. */
export function termsOf(texts: Partial<Record<TermField, string>>): ItemTerms {
  const hashes: Partial<Record<TermField, number[]>> = {};
  for (const field of fields) if (texts[field]) hashes[field] = termHashes(texts[field]);
  return packHashes(hashes);
}

/**
 * Hashes of the terms of a text, cached by word: source code repeats its words, and a look-up is several times cheaper
 * than analysing and hashing. Exactly the terms that `analyse` gives, in order.
 */
export function termHashes(text: string | undefined): number[] {
  if (text === undefined || text === "") return [];
  const terms: number[] = [];
  // Outside ASCII, word boundaries depend on normalisation and script, so the analyser finds them.
  for (const word of ascii.test(text) ? (text.match(words) ?? []) : wordsOf(text)) {
    let hashes = cache.get(word);
    if (hashes === undefined) {
      hashes = analyse(word).map(hashTerm);
      if (cache.size >= mostWords) cache.clear();
      if (word.length <= longestWord && !isNumber.test(word)) cache.set(word, hashes);
    }
    for (let i = 0; i < hashes.length; i++) terms.push(hashes[i]!);
  }
  return terms;
}

const ascii = /^[\x00-\x7f]*$/;
// The analyser's definition of one word, in ASCII.
const words = /[A-Za-z0-9_$]+(?:[.\-'][A-Za-z0-9_$]+)*/g;
const cache = new Map<string, number[]>();
const mostWords = 50_000;
const longestWord = 100;
