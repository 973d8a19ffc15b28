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
 * differ; other texts by the words they have in common in the same order. Short texts are either the same message or
 * not alike at all.
 */
export function similarity(a: string, b: string): number {
  return compare(prepare(a), prepare(b), 0);
}

/** Hashes of the words of a text, in order, since numbers are compared faster than words. */
export function wordsOf(text: string): Int32Array {
  return summarize(text).words;
}

export type NearDuplicate = {
  /** Index of the text that represents both, always the smaller one. */
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
 * In a text of up to this many words, one replaced word makes another text, and one other called name makes another
 * function.
 */
const mediumText = 60;
/** In a longer text, even a number or a negation is a detail. */
const longText = 120;
/**
 * Upper limit of the similarity of texts that differ decisively or are short but not the same message: it is below any
 * threshold for "the same".
 */
const different = 0.85;

/**
 * `reading` and `code` are computed when first needed, since the summaries are enough to distinguish nearly all pairs.
 */
type Prepared = { text: string; summary: Summary; reading?: TextReading; code?: boolean };

function prepare(text: string): Prepared {
  return { text, summary: summarize(text) };
}

const rememberedText = memoizeRecent(prepare, 2_000_000);

/** `least`: the caller's threshold. A result below it is not exact. */
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
  // The texts are compared in a fixed order, so that ties between alignments are always broken in the same way.
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

/** Whether the texts have equally many numbers, but not the same ones: then each has one that the other lacks. */
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

// Cheap upper bounds from the summaries. They rule out nearly all pairs, but no similar pair.

function mayShareWords(a: Summary, b: Summary, least: number): boolean {
  const changes = Math.floor((1 - least) * (a.words.length + b.words.length) + 1e-9);
  return Math.abs(a.words.length - b.words.length) <= changes && bagsWithin(a.all, b.all, changes);
}

/** A changed character changes at most one word, and the number of changed words is limited. */
function mayBeSameMessage(a: Summary, b: Summary, least: number): boolean {
  if (a.numbers !== b.numbers) return false;
  const edits = Math.floor((1 - least) * Math.max(a.length, b.length) + 1e-9);
  const changed = Math.min(edits, mostChanged(Math.min(a.content, b.content)));
  return Math.abs(a.content - b.content) <= changed && bagsWithin(a.initials, b.initials, 2 * changed);
}
