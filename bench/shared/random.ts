import { mulberry32 } from "../../src/evaluation/mulberry32.ts";

/** A random generator that draws the same in every run. */
export type Random = {
  /** 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** From the first (inclusive) to the last (inclusive). */
  between(first: number, last: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks by rank as words are used (Zipf): the nth about 1/n as often as the first. */
  common<T>(list: readonly T[]): T;
};

export function random(seed: number): Random {
  const next = mulberry32(seed);
  return {
    next,
    between: (first, last) => first + Math.floor(next() * (last - first + 1)),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    // The inverse of the integral of 1/x from 1 to n + 1.
    common: (list) => list[Math.min(list.length, Math.floor((list.length + 1) ** next())) - 1]!,
  };
}

export function shuffled<T>(list: readonly T[], chance: Random): T[] {
  const mixed = [...list];
  for (let i = mixed.length - 1; i > 0; i--) {
    const other = chance.between(0, i);
    [mixed[i], mixed[other]] = [mixed[other]!, mixed[i]!];
  }
  return mixed;
}
