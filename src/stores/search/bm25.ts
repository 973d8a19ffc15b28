import { hashTerm } from "../../text/hash.ts";
import type { TermStatistics, WeightedTerm } from "../store.ts";
import type { Postings } from "./postings.ts";

/** BM25 of the first phase. Term frequencies are weighted by field first, see postings.ts. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Number of items and their total length. */
export type ScopeTotals = { count: number; length: number };

/** The weights of a search, by the hash of the term. */
export function termWeights(terms: readonly WeightedTerm[]): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) {
    if (weight > 0) weights.set(hashTerm(term), (weights.get(hashTerm(term)) ?? 0) + weight);
  }
  return weights;
}

export type ScoredRange = { from: number; to: number };

/**
 * The range of item numbers that needs scores: items written together, such as those of a thread, have close numbers.
 * `allowed`: a byte for each number. Undefined when none can match.
 */
export function scoredRange(
  first: number,
  lengths: Uint32Array,
  allowed: Uint8Array | undefined,
): ScoredRange | undefined {
  const from = Math.max(first, allowed?.indexOf(1) ?? 0);
  const to = Math.min(lengths.length - 1, allowed?.lastIndexOf(1) ?? lengths.length);
  return from > to || allowed?.indexOf(1) === -1 ? undefined : { from, to };
}

/** The score of every item in a range of numbers; 0 where no term occurs. `lengths` as in `Searchable`. */
export function scoreItems(
  weights: ReadonlyMap<number, number>,
  lists: ReadonlyMap<number, Postings>,
  lengths: Uint32Array,
  totals: ScopeTotals,
  { from, to }: ScoredRange,
): Float64Array {
  const { count } = totals;
  const averageLength = Math.max(1, totals.length / Math.max(1, count));
  const base = saturation * (1 - lengthShare);
  const slope = (saturation * lengthShare) / averageLength;
  const scores = new Float64Array(to - from + 1);
  for (const [term, { numbers, frequencies }] of lists) {
    const rarity = Math.log(1 + (count - numbers.length + 0.5) / (numbers.length + 0.5));
    const gain = weights.get(term)! * rarity * (saturation + 1);
    for (let i = positionOf(from, numbers); i < numbers.length; i++) {
      const number = numbers[i]!;
      if (number > to) break;
      const frequency = frequencies[i]!;
      scores[number - from]! += (gain * frequency) / (frequency + base + slope * (lengths[number]! - 1));
    }
  }
  return scores;
}

/** Binary search: the position of a number among ascending ones. */
function positionOf(number: number, numbers: Uint32Array): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function statisticsOf(
  terms: readonly string[],
  lists: ReadonlyMap<number, Postings>,
  { count, length }: ScopeTotals,
): TermStatistics {
  const frequencies = new Map<string, number>();
  for (const term of terms) {
    const list = lists.get(hashTerm(term));
    if (list) frequencies.set(term, list.numbers.length);
  }
  return { count, averageLength: count === 0 ? 0 : length / count, frequencies };
}
