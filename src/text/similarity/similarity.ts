import { memoizeRecent } from "../memoize.ts";
import { commonShare } from "./common-subsequence.ts";
import { differDecisively, differInOneWord } from "./decisive-words.ts";
import { sameOperators } from "./operators.ts";
import { looksLikeCode, readWords, type TextReading } from "./read-words.ts";
import { mostChanged, sameMessage } from "./same-message.ts";
import { bagsWithin, type Summary, summarize } from "./summary.ts";

/**
 * How alike two texts are, 0 to 1. Case, white space and punctuation do not count. Texts that say the same with typing
 * errors, other forms of their words, other small words or a list in another order are alike by the characters that
 * differ; other texts by the words they have in common in the same order. Short texts are the same message or not at
 * all.
 */
export function similarity(a: string, b: string): number {
  return compare(prepare(a), prepare(b), 0);
}

/** Hashes of the words of a text, in order, so that comparing is comparing numbers. */
export function wordsOf(text: string): Int32Array {
  return summarize(text).words;
}

export type NearDuplicate = {
  /** Index of the text that stands for both, always the smaller. */
  of: number;
  duplicate: number;
  similarity: number;
};

/** Texts that are at least `threshold` similar to an earlier text that is itself no duplicate, in order. */
export function nearDuplicates(texts: readonly string[], threshold: number): NearDuplicate[] {
  const duplicates: NearDuplicate[] = [];
  const originals: { index: number; text: Prepared }[] = [];
  for (const [index, input] of texts.entries()) {
    const text = rememberedText(input);
    let twin: NearDuplicate | undefined;
    for (const one of originals) {
      const score = compare(one.text, text, threshold);
      if (score >= threshold && score > (twin?.similarity ?? -1))
        twin = { of: one.index, duplicate: index, similarity: score };
      if (score === 1) break;
    }
    if (twin) duplicates.push(twin);
    else originals.push({ index, text });
  }
  return duplicates;
}

/** In a text of fewer words, one word is often the whole message: another port, another name, a negation. */
const shortText = 30;
/**
 * Up to here one word in the place of another makes another text, and a function that calls another name another
 * function.
 */
const mediumText = 60;
/** In a longer text, even a number or a negation is a detail. */
const longText = 120;
/**
 * The similarity of texts that are short or differ in what counts is capped here: below any threshold that means "the
 * same".
 */
const different = 0.85;

/** `reading` and `code` are found when first needed: nearly all pairs are told apart by their summaries. */
type Prepared = { text: string; summary: Summary; reading?: TextReading; code?: boolean };

function prepare(text: string): Prepared {
  return { text, summary: summarize(text) };
}

const rememberedText = memoizeRecent(prepare, 2_000_000);

/** `least`: the caller's threshold. Below it, the result may be any number below it. */
function compare(a: Prepared, b: Prepared, least: number): number {
  if (a.text === b.text) return 1;
  const [left, right] = [a.summary, b.summary];
  if (left.words.length === 0 && right.words.length === 0) return bare(a.text) === bare(b.text) ? 1 : 0;
  const size = Math.max(left.words.length, right.words.length);
  const apartForSure = size < shortText || (size < longText && otherNumbers(left, right));
  const mayShare = !(apartForSure && least > different) && mayShareWords(left, right, least);
  const mayAgree = mayBeSameMessage(left, right, least);
  if (!mayShare && !mayAgree) return 0;
  if (sameWords(left.words, right.words)) return sameOperators(readingOf(a), readingOf(b)) ? 1 : different;

  const code = isCode(a) || isCode(b);
  const message = code || !mayAgree ? 0 : messageScore(a, b);
  const short = size < (code ? mediumText : shortText);
  if (!mayShare || (least > different && short)) return message;
  const share = commonShare(left.words, right.words);
  if (share <= different || share <= message) return Math.max(message, share);
  const apart = short || (size < longText && differIn(a, b, size));
  return Math.max(message, apart ? different : share);
}

function messageScore(a: Prepared, b: Prepared): number {
  // In one order, so that ties between ways to align them are broken alike.
  const [one, other] = a.text < b.text ? [a, b] : [b, a];
  return sameMessage(
    { summary: one.summary, reading: readingOf(one) },
    { summary: other.summary, reading: readingOf(other) },
  );
}

function differIn(a: Prepared, b: Prepared, size: number): boolean {
  if (otherNumbers(a.summary, b.summary)) return true;
  const [left, right] = [readingOf(a), readingOf(b)];
  return differDecisively(left, right) || (size < mediumText && differInOneWord(left, right));
}

/** As many numbers, and not the same: each text has one that the other has not. */
function otherNumbers(a: Summary, b: Summary): boolean {
  return a.numbers !== b.numbers && a.numberCount === b.numberCount;
}

function sameWords(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function readingOf(prepared: Prepared): TextReading {
  return (prepared.reading ??= readWords(prepared.text));
}

function isCode(prepared: Prepared): boolean {
  return (prepared.code ??= looksLikeCode(prepared.text));
}

function bare(text: string): string {
  return text.replace(/\s+/g, "");
}

// Cheap upper bounds from the summaries. They rule out nearly all pairs, and none that is alike.

function mayShareWords(a: Summary, b: Summary, least: number): boolean {
  const changes = Math.floor((1 - least) * (a.words.length + b.words.length) + 1e-9);
  return Math.abs(a.words.length - b.words.length) <= changes && bagsWithin(a.all, b.all, changes);
}

/** A changed character changes at most one word, and only so many words may change. */
function mayBeSameMessage(a: Summary, b: Summary, least: number): boolean {
  if (a.numbers !== b.numbers) return false;
  const edits = Math.floor((1 - least) * Math.max(a.length, b.length) + 1e-9);
  const changed = Math.min(edits, mostChanged(Math.min(a.content, b.content)));
  return Math.abs(a.content - b.content) <= changed && bagsWithin(a.initials, b.initials, 2 * changed);
}
