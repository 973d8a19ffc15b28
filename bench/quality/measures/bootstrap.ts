import { percentile } from "../../shared/figures.ts";
import { random } from "../../shared/random.ts";
import { mean } from "./metrics.ts";

/** A mean, and where it lies in 95 of 100 draws of as many questions. */
export type Figure = { value: number; low: number; high: number };

export const resamples = 1000;
export const seed = 7;
const outside = 0.025;

/** The same values give the same interval in every run. */
export function bootstrap(values: readonly number[]): Figure {
  const chance = random(seed);
  const count = values.length;
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += values[Math.floor(chance.next() * count)]!;
    return sum / count;
  });
  return { value: mean(values), low: percentile(means, outside), high: percentile(means, 1 - outside) };
}
