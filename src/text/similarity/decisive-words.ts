import { strongOperators } from "./operators.ts";
import type { TextReading, Word } from "./read-words.ts";
import { baseForms } from "./spelling.ts";
import { contrast, isDecisive } from "./words.ts";

/**
 * Whether two texts with most words in common differ in one that decides what they are about: another number, another
 * name, a negation, `staging` for `production`. Extra words alone do not count: a text with one sentence added is still
 * the same text.
 */
export function differDecisively(a: TextReading, b: TextReading): boolean {
  const [left, right] = [onlyIn(a.words, b.words), onlyIn(b.words, a.words)];
  if ([...left, ...right].some(({ text }) => isDecisive(text))) return true;
  for (const is of [hasDigit, isExact, isProper]) if (left.some(is) && right.some(is)) return true;
  if (swapped(a.words, b.words) || strongOperators(a) !== strongOperators(b)) return true;
  return left.some((one) => right.some((other) => contrast(baseForms(one.text), baseForms(other.text))));
}

/** One word replaced throughout, or the same words in another order: a copy that was changed on purpose. */
export function differInOneWord(a: TextReading, b: TextReading): boolean {
  const [left, right] = [onlyIn(a.words, b.words), onlyIn(b.words, a.words)];
  if (left.length !== right.length) return false;
  return new Set(left.map(({ text }) => text)).size <= 1 && new Set(right.map(({ text }) => text)).size <= 1;
}

const hasDigit = ({ text }: Word) => /\p{N}/u.test(text);
const isExact = ({ name, capitals }: Word) => name || capitals;
const isProper = ({ proper }: Word) => proper;

/** Whether the texts have the same numbers with places exchanged. */
function swapped(a: readonly Word[], b: readonly Word[]): boolean {
  const [left, right] = [a.filter(hasDigit), b.filter(hasDigit)];
  return left.length === right.length && left.some(({ text }, i) => text !== right[i]!.text);
}

/** Words of `a` that `b` does not have, or has less often. */
function onlyIn(a: readonly Word[], b: readonly Word[]): Word[] {
  const counts = new Map<string, number>();
  for (const { text } of b) counts.set(text, (counts.get(text) ?? 0) + 1);
  return a.filter(({ text }) => {
    const remaining = counts.get(text) ?? 0;
    counts.set(text, remaining - 1);
    return remaining <= 0;
  });
}
