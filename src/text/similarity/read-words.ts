import { contractionOf, lightClass } from "./words.ts";

/** A word of a text with facts from its surroundings. */
export type Word = {
  /** Lower case, without apostrophes. */
  text: string;
  /** A number, name or path: it has no other forms or typos, so any difference makes it another word. */
  exact: boolean;
  /** Written with a mark that only names and paths have: `_ . /`, an inner capital, back-ticks. */
  name: boolean;
  /** All capitals, in a text that is not. */
  capitals: boolean;
  /** Capitalised inside a sentence: a name, when the other text has a capital there too. */
  proper: boolean;
  /** The word's `lightClass`; -1 for a word that must not be missing. */
  light: number;
  /** The text between the word before and this one. */
  gap: string;
};

/** A text as words with the gaps between them, and the tail after the last. */
export type TextReading = { words: readonly Word[]; tail: string };

const letters = "\\p{L}\\p{N}\\p{M}'’";
// Scripts without spaces: every character is a word.
const alone = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]";
export const unicodeWord = new RegExp(`${alone}|(?:(?!${alone})[${letters}])+`, "gu");
const asciiWord = /[A-Za-z0-9']+/g;
const nonAscii = /[^\0-\x7f]/;

/** The words of a text, in the order of `wordsOf`; a contraction is two. */
export function readWords(input: string): TextReading {
  const unicode = nonAscii.test(input);
  const text = unicode ? input.normalize("NFKC") : input;
  const nameRanges = namedRanges(text);
  const shouting = !/\p{Ll}/u.test(text);
  const words: Word[] = [];
  let end = 0;
  let range = 0;
  for (const match of text.matchAll(unicode ? unicodeWord : asciiWord)) {
    const token = match[0];
    const plain = token.replace(/['’]/g, "").toLowerCase();
    if (plain === "") continue;
    const gap = text.slice(end, match.index);
    end = match.index + token.length;
    while (range < nameRanges.length && nameRanges[range]!.end <= match.index) range++;
    const inner = /\p{Ll}\p{Lu}/u.test(token) && !shouting;
    const name = inner || (range < nameRanges.length && nameRanges[range]!.start <= match.index);
    const inside = words.length > 0 && !/[.!?:\n]/.test(gap);
    // A single capital letter is a name (`copy A to B`), unless it begins a sentence.
    const capitals = !shouting && /^\p{Lu}+$/u.test(token) && (token.length > 1 || (inside && plain !== "i"));
    const isCalled = text[end] === "(" || (words.length > 0 && /^\(|\S\($/.test(gap));
    const exact = name || capitals || isCalled || /\p{N}/u.test(plain);
    const proper = inside && /^\p{Lu}\p{Ll}/u.test(token);
    for (const [index, part] of (contractionOf(plain) ?? [plain]).entries())
      words.push({
        text: part,
        exact,
        name,
        capitals,
        proper,
        light: exact ? -1 : lightClass(part),
        gap: index === 0 ? gap : "",
      });
  }
  return { words, tail: text.slice(end) };
}

type Range = { start: number; end: number };

/** Where a text quotes code with back-ticks or writes a path, an option, a dotted or underscored name. */
function namedRanges(text: string): Range[] {
  const ranges: Range[] = [];
  for (const match of text.matchAll(/`[^`\n]+`|\S+/g)) {
    const [chunk] = match;
    const bare = chunk.startsWith("`") ? chunk : trim(chunk);
    const marked =
      chunk.startsWith("`") ||
      /[\p{L}\p{N}][_./\\:@#$=&%~|]+[\p{L}\p{N}_]/u.test(bare) ||
      /^(?:\.{0,2}\/|~\/|--?|[@#$_.])[\p{L}\p{N}_]/u.test(bare);
    if (marked) ranges.push({ start: match.index, end: match.index + chunk.length });
  }
  return ranges;
}

/**
 * The chunk without surrounding punctuation. This is a loop, because a pattern for the end of a long run takes
 * quadratic time.
 */
function trim(chunk: string): string {
  let start = 0;
  let end = chunk.length;
  while (start < end && "(\"'“‘[{<*".includes(chunk[start]!)) start++;
  while (end > start && ")\"'”’]}>*.,;:!?…".includes(chunk[end - 1]!)) end--;
  return chunk.slice(start, end);
}

const codeSigns = [
  /[{};]\s*(?:\n|$)/,
  /[\p{L}\p{N}_]\(/u,
  /[=!<>]==?|=>|:=|&&|\|\||[-+*/]=| = /,
  /^[^\S\n]*(?:def|function|func|fn|return|const|let|var|import|from|if|for|while|class|public|private|export|async|package|use)\b.*[(){};:=.]/m,
];

/** Whether a text is code, which takes two signs of code. In code every word counts. */
export function looksLikeCode(text: string): boolean {
  let signs = 0;
  for (const sign of codeSigns) if (sign.test(text)) signs++;
  return signs >= 2;
}
