import type { TextReading, Word } from "./tokens.ts";

/** Words that say that the order of a list is the message. */
const ordering = new Set(
  (
    "order ordered first second then next last finally before after than over priority precedence prefer respectively " +
    "sequence step steps left right from"
  ).split(" "),
);

/** Whether two texts differ in the order of one list only: between its items commas, `and`, `or` or new lines, and nothing else. */
export function sameList(a: TextReading, b: TextReading): boolean {
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

/** The items between two words; undefined where brackets, assignments or the end of a sentence show that it is no list. */
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
