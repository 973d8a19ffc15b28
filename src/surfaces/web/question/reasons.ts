import type { LeftOutItem } from "./answer.ts";

const words: Record<LeftOutItem["reason"], string> = {
  duplicate: "another item says the same",
  "over-budget": "no room",
  "below-score": "less relevant than what is printed",
  diversity: "made way for variety",
  unreadable: "can no longer be read",
  empty: "no text in it",
  given: "was given before",
  excluded: "you excluded it",
};

/** The same of a reason that came as a text. */
export function wordsOf(reason: string): string {
  return Object.hasOwn(words, reason) ? words[reason as LeftOutItem["reason"]] : reason;
}

/** Why an item is not in the document. */
export function reasonWords(reason: LeftOutItem["reason"]): string {
  return words[reason];
}
