import { analyse } from "../../../src/text/analysis/analyse.ts";

/** The baseline: BM25 as in the textbook, over the terms the product reads from a text, and nothing else. */
const k1 = 1.2;
const b = 0.75;

/** A text as counted terms, by their numbers in a vocabulary that texts share. */
export type Bag = { terms: Uint32Array; counts: Uint32Array; length: number };
export type Vocabulary = Map<string, number>;

export function bagOf(text: string, vocabulary: Vocabulary): Bag {
  const counts = new Map<number, number>();
  const terms = analyse(text);
  for (const term of terms) {
    let number = vocabulary.get(term);
    if (number === undefined) vocabulary.set(term, (number = vocabulary.size));
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return { terms: Uint32Array.from(counts.keys()), counts: Uint32Array.from(counts.values()), length: terms.length };
}

/** Places of texts in their list, best first; those without a word of the query are absent. */
export type Bm25 = (query: string) => { place: number; score: number }[];

/** Every occurrence of a term in the query counts. Ties go to the text that comes first. */
export function bm25(bags: readonly Bag[], vocabulary: Vocabulary): Bm25 {
  const frequencies = new Uint32Array(vocabulary.size);
  for (const { terms } of bags) for (const term of terms) frequencies[term]!++;
  const average = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  return (query) => {
    const weights = new Float64Array(vocabulary.size);
    for (const term of analyse(query)) {
      const number = vocabulary.get(term);
      if (number === undefined) continue;
      const frequency = frequencies[number]!;
      weights[number]! += Math.log(1 + (bags.length - frequency + 0.5) / (frequency + 0.5));
    }
    const scored = bags.map(({ terms, counts, length }, place) => {
      const norm = k1 * (1 - b + (b * length) / average);
      let score = 0;
      for (let i = 0; i < terms.length; i++) {
        const weight = weights[terms[i]!]!;
        if (weight > 0) score += (weight * counts[i]! * (k1 + 1)) / (counts[i]! + norm);
      }
      return { place, score };
    });
    return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.place - b.place);
  };
}

/** The same over texts with ids: the ids, best first. */
export function bm25Ranking(texts: readonly { id: string; text: string }[]): (query: string) => string[] {
  const vocabulary: Vocabulary = new Map();
  const ask = bm25(
    texts.map(({ text }) => bagOf(text, vocabulary)),
    vocabulary,
  );
  return (query) => ask(query).map(({ place }) => texts[place]!.id);
}
