import { align, type TextDifference } from "./align.ts";
import { sameList } from "./list.ts";
import { strongOperators } from "./operators.ts";
import type { Summary } from "./summary.ts";
import type { TextReading } from "./tokens.ts";

/** Each word in another form, and each small word that came or went, makes a text this much less alike; together at most five times. */
const formCost = 0.01;
const mostFormCost = 0.05;
const reorderedList = 0.98;
/** Fewer words that count make no message to be recognised by. */
const fewest = 2;

/** Of the words that count, this many may be mistyped: about as many as are when a tenth of the characters is wrong. */
export function mostChanged(content: number): number {
  return Math.floor(content / 2 + Math.min(5, content * 0.22));
}

/**
 * How alike two texts are that say the same in nearly the same words: other forms of a word, typing errors, small words,
 * the order of a list. Zero when any other word differs: then they are two messages.
 */
export function sameMessage(a: Message, b: Message): number {
  const content = Math.min(a.summary.content, b.summary.content);
  if (content < fewest) return 0;
  const found = align(a.reading.words, b.reading.words, mostChanged(content));
  const reordered =
    found === undefined && a.summary.contentHash === b.summary.contentHash && sameList(a.reading, b.reading);
  if (found === undefined && !reordered) return 0;
  if (strongOperators(a.reading) !== strongOperators(b.reading)) return 0;
  if (found === undefined) return reorderedList;
  const length = Math.max(a.summary.length, b.summary.length);
  return isSloppy(found) ? Math.max(0, 1 - found.edits / length - Math.min(mostFormCost, found.forms * formCost)) : 0;
}

export type Message = { summary: Summary; reading: TextReading };

/** One odd word may be a name, and one letter another word; several odd words are bad typing. */
function isSloppy({ slips, doubts, clashes }: TextDifference): boolean {
  return (doubts === 0 || slips > 0 || doubts > 1) && clashes <= slips + doubts / 2;
}
