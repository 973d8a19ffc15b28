import type { Bm25 } from "../../recipes/recipe.ts";
import { fields, frequencies } from "../../text/analysis/terms.ts";
import type { WeighedQuery } from "./bm25.ts";

/** A part of a longer text: a bullet of a page, a chunk of a document. `size`: the length of the whole, in any unit. */
export type TextPart = { whole: string; size: number; terms: Uint8Array };

/**
 * BM25 of whole texts, computed from the parts that were found. Other parts add little, so only the length of a whole
 * is indexed. The heading field is skipped, because every part repeats it.
 */
export function scoreWholeTexts(
  parts: readonly TextPart[],
  query: WeighedQuery,
  { k1, b }: Pick<Bm25, "k1" | "b">,
): Map<string, number> {
  const texts = new Map<string, { size: number; counts: Float64Array }>();
  for (const { whole, size, terms } of parts) {
    let entry = texts.get(whole);
    if (!entry) texts.set(whole, (entry = { size, counts: new Float64Array(query.terms.length) }));
    for (const [i, { hash }] of query.terms.entries()) entry.counts[i]! += frequencyIn(terms, hash);
  }
  let total = 0;
  for (const { size } of texts.values()) total += size;
  const average = Math.max(1, total / Math.max(1, texts.size));
  const scores = new Map<string, number>();
  for (const [id, { size, counts }] of texts) {
    const norm = k1 * (1 - b + (b * size) / average);
    let score = 0;
    for (const [i, { gain }] of query.terms.entries()) {
      if (counts[i]! > 0) score += (gain * counts[i]! * (k1 + 1)) / (counts[i]! + norm);
    }
    scores.set(id, score);
  }
  return scores;
}

const scratch = new Uint16Array(fields.length);
const headingField = fields.indexOf("path");

function frequencyIn(packed: Uint8Array, hash: number): number {
  scratch.fill(0);
  if (!frequencies(packed, hash, scratch)) return 0;
  let sum = 0;
  for (let field = 0; field < fields.length; field++) if (field !== headingField) sum += scratch[field]!;
  return sum;
}
