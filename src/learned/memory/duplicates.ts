import { similarity } from "../../text/similarity/similarity.ts";
import { reworded } from "./reworded.ts";

/** How much of two texts must be the same, word for word and in order, for them to say the same: the share that merges printed items too. */
const nearDuplicate = 0.9;

/** The same words in the same order; case, white space and punctuation do not count. */
export function sameWords(a: string, b: string): boolean {
  return similarity(a, b) === 1;
}

export type SimilarMemory<Text> = { of: Text /** 0.88 to 1; 1 when the words are the same. */; similarity: number };

/** Those that say the same as a text, the most alike first. */
export function nearDuplicatesOf<Text extends { id: string; text: string }>(
  text: string,
  others: readonly Text[],
): SimilarMemory<Text>[] {
  return others
    .map((of) => ({ of, similarity: likeness(text, of.text) }))
    .filter((each) => each.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || (a.of.id < b.of.id ? -1 : 1));
}

/** What merges printed items is certain; what is only offered to whoever writes it down may differ in one harmless word. */
function likeness(a: string, b: string): number {
  const alike = similarity(a, b);
  return alike >= nearDuplicate ? alike : reworded(a, b);
}
