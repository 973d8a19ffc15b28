import { align, type TextDifference } from "./align.ts";
import { strongOperators } from "./operators.ts";
import type { TextReading, Word } from "./read-words.ts";
import type { Summary } from "./summary.ts";

/** Penalty for each word in another form and each small word added or removed; five of them at most count. */
const formCost = 0.01;
const mostFormCost = 0.05;
const reorderedList = 0.98;
/** Texts with fewer content words are too short to be recognised as the same message. */
const fewest = 2;

/** How many content words may be mistyped: about as many as when a tenth of the characters is wrong. */
export function mostChanged(content: number): number {
  return Math.floor(content / 2 + Math.min(5, content * 0.22));
}

/**
 * The similarity of two texts that say the same in nearly the same words: they may differ in forms of a word, typing
 * errors, small words and the order of a list. Zero when any other word differs, since then they are two messages.
 */
export function sameMessage(a: Message, b: Message): number {
  const content = Math.min(a.summary.content, b.summary.content);
  if (content < fewest) return 0;
  const difference = align(a.reading.words, b.reading.words, mostChanged(content));
  const reordered =
    difference === undefined && a.summary.contentHash === b.summary.contentHash && sameList(a.reading, b.reading);
  if (difference === undefined && !reordered) return 0;
  if (strongOperators(a.reading) !== strongOperators(b.reading)) return 0;
  if (difference === undefined) return reorderedList;
  const length = Math.max(a.summary.length, b.summary.length);
  return isSloppy(difference)
    ? Math.max(0, 1 - difference.edits / length - Math.min(mostFormCost, difference.forms * formCost))
    : 0;
}

export type Message = { summary: Summary; reading: TextReading };

/**
 * A single odd word may be a name, and a single changed letter may make another word; several odd words are typing
 * errors.
 */
function isSloppy({ typos, doubts, clashes }: TextDifference): boolean {
  return (doubts === 0 || typos > 0 || doubts > 1) && clashes <= typos + doubts / 2;
}

/** Words that make the order of a list matter. */
const ordering = new Set(
  (
    "order ordered first second then next last finally before after than over priority precedence prefer respectively " +
    "sequence step steps left right from"
  ).split(" "),
);

/**
 * Whether two texts differ only in the order of one list. Its items are separated by commas, `and`, `or` or new lines,
 * and by nothing else.
 */
function sameList(a: TextReading, b: TextReading): boolean {
  const [left, right] = [a.words.filter(isNoSeparator), b.words.filter(isNoSeparator)];
  if (left.length !== right.length || ors(a) !== ors(b) || left.some(({ text }) => ordering.has(text))) return false;
  let start = 0;
  let end = left.length;
  while (start < end && left[start]!.text === right[start]!.text) start++;
  while (end > start && left[end - 1]!.text === right[end - 1]!.text) end--;
  const items = itemsOf(a.words, left[start], left[end - 1]);
  const others = itemsOf(b.words, right[start], right[end - 1]);
  return (
    items !== undefined && others !== undefined && items.length > 1 && items.sort().join() === others.sort().join()
  );
}

function isNoSeparator({ text }: Word): boolean {
  return text !== "and" && text !== "or";
}

function ors({ words }: TextReading): number {
  return words.filter(({ text }) => text === "or").length;
}

/**
 * The items between two words; undefined if brackets, assignments or the end of a sentence show that they are not a
 * list.
 */
function itemsOf(words: readonly Word[], first: Word | undefined, last: Word | undefined): string[] | undefined {
  if (first === undefined || last === undefined || /[([{<=]\s*$/.test(first.gap)) return undefined;
  const from = words.indexOf(first);
  const to = words.indexOf(last);
  const items: string[] = [];
  let item = "";
  for (let i = from; i <= to; i++) {
    const { text, gap } = words[i]!;
    if (i > from && /[()[\]{}<>=;:]|[.!?]\s/.test(gap)) return undefined;
    const separates = text === "and" || text === "or";
    if (i > from && (separates || /[,\n]/.test(gap)) && item !== "") {
      items.push(item);
      item = "";
    }
    if (!separates) item = item === "" ? text : `${item} ${text}`;
  }
  return [...items, item];
}
