import type { ItemTerms } from "../stores/store.ts";
import { analyse, isNumber } from "../text/analysis/analyse.ts";
import { fields, packCounts, packHashes, type TermCounts, type TermField } from "../text/analysis/terms.ts";
import { hashTerm } from "../text/hash.ts";

/** The packed terms of a text given by field. */
export function termsOf(texts: Partial<Record<TermField, string>>): ItemTerms {
  const hashes: Partial<Record<TermField, number[]>> = {};
  for (const field of fields) if (texts[field]) hashes[field] = termHashes(texts[field]);
  return packHashes(hashes);
}

export function packed(counts: TermCounts): ItemTerms {
  let length = 0;
  for (const count of counts.values()) length += count;
  return { terms: packCounts(counts), length };
}

/**
 * Hashes of the terms of a text, remembered word by word: source code repeats its words, and looking one up is several
 * times cheaper than taking it apart and hashing it again. Exactly the terms that `analyse` gives, in order.
 */
export function termHashes(text: string | undefined): number[] {
  if (text === undefined || text === "") return [];
  // Outside ASCII a word's ends depend on normalisation and script: left to the analyser as a whole.
  if (!ascii.test(text)) return analyse(text).map(hashTerm);
  const terms: number[] = [];
  for (const word of text.match(words) ?? []) {
    let known = cache.get(word);
    if (known === undefined) {
      known = analyse(word).map(hashTerm);
      if (cache.size >= mostWords) cache.clear();
      if (word.length <= longestWord && !isNumber.test(word)) cache.set(word, known);
    }
    for (let i = 0; i < known.length; i++) terms.push(known[i]!);
  }
  return terms;
}

const ascii = /^[\x00-\x7f]*$/;
// What the analyser takes as one word, in ASCII.
const words = /[A-Za-z0-9_$]+(?:[.\-'][A-Za-z0-9_$]+)*/g;
const cache = new Map<string, number[]>();
const mostWords = 50_000;
const longestWord = 100;
