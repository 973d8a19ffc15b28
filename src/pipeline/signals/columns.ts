import type { Candidate } from "../../item.ts";

/** Arithmetic of signals: every signal is a column with one number per candidate. */
export type SignalColumns = {
  /** What is ranked, where that is not all that was found: the rest was evidence. */
  candidates?: Candidate[];
  /** What the signals of a candidate are worth, where that is not the usual. */
  weightsOf?: (candidate: Candidate) => Record<string, number>;
  columns: Record<string, number[]>;
  /** How much of the query each candidate answers on an absolute scale, 0..1. */
  certainty: number[];
};

/** Stretches a column to 0..1 over the candidates. One value shared by all says nothing against anyone: 1 where positive. */
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

/** The same with zero kept: where there are few candidates, or all are good, the worst of them is no zero to count from. */
export function shareOfBest(column: number[]): number[] {
  let best = 0;
  for (const value of column) if (value > best) best = value;
  return column.map((value) => (best > 0 ? Math.max(0, value) / best : 0));
}

/** A signal that counts: its column and what it is worth. */
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
