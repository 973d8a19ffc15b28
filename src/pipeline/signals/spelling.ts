import { gramSimilarities } from "../../embed/grams.ts";

/** How many of the best candidates are compared: this signal costs more than all others together. */
const mostCompared = 150;

/** Character n-gram similarity between the query and the best candidates by `texts`; 0 for the others. */
export function spellings(query: string, texts: readonly number[], wordsOf: (index: number) => string): number[] {
  const best = texts
    .map((_, i) => i)
    .sort((a, b) => texts[b]! - texts[a]! || a - b)
    .slice(0, mostCompared);
  const column = texts.map(() => 0);
  const similarities = gramSimilarities(query, best.map(wordsOf));
  for (const [at, i] of best.entries()) column[i] = similarities[at]!;
  return column;
}
