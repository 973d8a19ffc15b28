import { similarity } from "../../text/similarity/similarity.ts";
import { paraphraseScore } from "./paraphrase.ts";

/**
 * Share of two texts that must be the same, word for word and in order, for them to be duplicates: as for merging
 * printed items.
 */
const nearDuplicate = 0.9;

/** The same words in the same order; case, white space and punctuation do not count. */
export function sameWords(a: string, b: string): boolean {
  return similarity(a, b) === 1;
}

export type SimilarMemory<Text> = { of: Text /** 0.88 to 1; 1 when the words are the same. */; similarity: number };

/** The duplicates of a text, most similar first. */
export function nearDuplicatesOf<Text extends { id: string; text: string }>(
  text: string,
  others: readonly Text[],
): SimilarMemory<Text>[] {
  return others
    .map((of) => ({ of, similarity: likeness(text, of.text) }))
    .filter((each) => each.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || (a.of.id < b.of.id ? -1 : 1));
}

/** Printed items are merged only when it is certain; a suggestion to the author may differ in one harmless word. */
function likeness(a: string, b: string): number {
  const score = similarity(a, b);
  return score >= nearDuplicate ? score : paraphraseScore(a, b);
}
