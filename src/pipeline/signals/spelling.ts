import { gramSimilarities } from "../../embed/grams.ts";

/** How many of the best are compared: it costs more than the other signals together. */
const compared = 150;

/** How alike the query and each candidate are in spelling, for those that are best by `texts`; 0 for the others. */
export function spellings(query: string, texts: readonly number[], wordsOf: (index: number) => string): number[] {
  const best = texts
    .map((_, i) => i)
    .sort((a, b) => texts[b]! - texts[a]! || a - b)
    .slice(0, compared);
  const column = texts.map(() => 0);
  const alike = gramSimilarities(query, best.map(wordsOf));
  for (const [at, i] of best.entries()) column[i] = alike[at]!;
  return column;
}
