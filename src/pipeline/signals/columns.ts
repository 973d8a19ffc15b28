import type { Candidate } from "../../item.ts";

/** Signals as a matrix: every signal is a column with one number per candidate. */
export type SignalColumns = {
  /** The candidates to rank, if they are not all candidates found: the others only count as evidence. */
  candidates?: Candidate[];
  /** Weights of a candidate's signals, if they differ from the default. */
  weightsOf?: (candidate: Candidate) => Record<string, number>;
  columns: Record<string, number[]>;
  /** Query coverage of each candidate on an absolute scale, 0..1. */
  certainty: number[];
  /** For sections: the share of the query that their headings contain, 0..1. */
  headings?: number[];
  /**
   * How many words of the query these candidates' sources contain, and their share, 0..1; set if it differs from the
   * finding.
   */
  vocabulary?: { words: number; known: number };
};

/** Min-max normalisation over the candidates. If all values are equal: 1 if they are positive, otherwise 0. */
export function minMax(column: number[]): number[] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of column) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return column.map((value) => (value > 0 ? 1 : 0));
  return column.map((value) => (value - low) / (high - low));
}

/**
 * Divides by the maximum, so that 0 stays 0. For few candidates, or if all are good: min-max would give the worst of
 * them 0.
 */
export function shareOfBest(column: number[]): number[] {
  let best = 0;
  for (const value of column) if (value > best) best = value;
  return column.map((value) => (best > 0 ? Math.max(0, value) / best : 0));
}

/** A signal's column with its normalised weight. */
export type Weighed = { name: string; column: number[]; weight: number };

/** Drops signals that no candidate has and renormalises the other weights, for all items of the run alike. */
export function weighed(columns: Record<string, number[]>, weights: Record<string, number>): Weighed[] {
  const present = Object.entries(weights).filter(
    ([name, weight]) => weight > 0 && columns[name]?.some((value) => value > 0),
  );
  const total = present.reduce((sum, [, weight]) => sum + weight, 0);
  return present.map(([name, weight]) => ({ name, column: columns[name]!, weight: weight / total }));
}

export function weightedSum(signals: readonly Weighed[], index: number): number {
  let sum = 0;
  for (const { column, weight } of signals) sum += weight * column[index]!;
  return sum;
}
