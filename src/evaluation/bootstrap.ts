import { mulberry32 } from "./mulberry32.ts";

/** Bootstrap: the confidence interval of a mean without an assumed distribution. The cases are resampled many times. */

const redraws = 1000;
const share = 0.95;

export type Interval = { low: number; high: number };
export type Estimate = Interval & { mean: number; count: number };

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean with its 95 % confidence interval. */
export function estimate(values: readonly number[], seed: number): Estimate {
  return { mean: mean(values), count: values.length, ...interval(values, seed) };
}

/**
 * The same for the difference of two systems on the same cases: a case that is hard for both says nothing about either.
 */
export function pairedDifference(ours: readonly number[], theirs: readonly number[], seed: number): Estimate {
  return estimate(
    ours.map((value, i) => value - theirs[i]!),
    seed,
  );
}

export function isSignificant({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}

function interval(values: readonly number[], seed: number): Interval {
  if (values.length === 0) return { low: 0, high: 0 };
  const next = mulberry32(seed);
  const means = new Float64Array(redraws);
  for (let round = 0; round < redraws; round++) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(next() * values.length)]!;
    means[round] = sum / values.length;
  }
  means.sort();
  const at = (part: number) => means[Math.min(redraws - 1, Math.max(0, Math.round(part * (redraws - 1))))]!;
  return { low: at((1 - share) / 2), high: at((1 + share) / 2) };
}
