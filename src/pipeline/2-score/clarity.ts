import type { Scored } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";

/** Confidence from which an answer counts as sure. Below it, a notice already says that little fits. */
const sureFrom = 1 / 3;
/** By how much the best item must score higher than the third after it: for the least confidence, and for the whole. */
const leastGap = 0.03;
const fullGap = 0.15;
/** The place of the item that the best is compared with, from 0. */
const compared = 3;

/**
 * The confidence of an answer that was found by its words only: that these occur here does not mean that the right one
 * of many similar functions leads. It is high if the best item stands out, and low if the first four are alike. What
 * the query names, prints or points at is certain.
 */
export function withClarity(confidence: number, ranked: readonly Scored[], { shape }: Query): number {
  const [best] = ranked;
  if (confidence <= sureFrom || shape !== "question" || !best || isCertain(best)) return confidence;
  const next = apart(ranked)[compared];
  const gap = best.score - (next?.score ?? 0);
  const clarity = Math.min(1, Math.max(0, (gap - leastGap) / (fullGap - leastGap)));
  return sureFrom + (confidence - sureFrom) * clarity;
}

function isCertain({ signals: { named, message, frame, literal, meant } }: Scored): boolean {
  return [named, message, frame, literal, meant].some((signal) => (signal ?? 0) > 0);
}

/** The first items that are not parts of each other: a class scores like its best method. */
function apart(ranked: readonly Scored[]): Scored[] {
  const result: Scored[] = [];
  for (const each of ranked) {
    if (result.length > compared) break;
    if (!result.some((other) => overlaps(other, each))) result.push(each);
  }
  return result;
}

function overlaps({ item: a }: Scored, { item: b }: Scored): boolean {
  return a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;
}
