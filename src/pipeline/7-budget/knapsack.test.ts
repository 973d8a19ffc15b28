import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choose, type Option } from "./knapsack.ts";
import { chooseOptimal } from "./knapsack-exact.ts";

const option = fc.record({ cost: fc.integer({ min: 0, max: 40 }), value: fc.integer({ min: 0, max: 100 }) });
const small = fc.array(fc.array(option, { maxLength: 4 }), { maxLength: 6 });

/** Every combination. */
function bruteForce(classes: Option[][], capacity: number): number {
  const visit = (index: number, room: number): number => {
    if (index === classes.length) return 0;
    let best = visit(index + 1, room);
    for (const { cost, value } of classes[index]!) {
      if (cost <= room) best = Math.max(best, value + visit(index + 1, room - cost));
    }
    return best;
  };
  return visit(0, capacity);
}

/** Exact by dynamic programming over the capacity. */
function exact(classes: Option[][], capacity: number): number {
  let best = new Float64Array(capacity + 1);
  for (const options of classes) {
    const next = best.slice();
    for (const { cost, value } of options) {
      for (let room = cost; room <= capacity; room++) next[room] = Math.max(next[room]!, best[room - cost]! + value);
    }
    best = next;
  }
  return best[capacity]!;
}

/** Items as a context has them: four levels of falling cost and value. */
function realistic(items: number, seed: number): Option[][] {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: items }, (_, rank) => {
    const score = (0.4 + 0.6 * random()) / (1 + rank / 4);
    const full = 60 + Math.floor(900 * random() ** 3);
    return [
      { cost: full, value: score },
      { cost: Math.ceil(full * (0.3 + 0.4 * random())), value: score * 0.8 },
      { cost: 45 + Math.floor(20 * random()), value: score * 0.45 },
      { cost: 20 + Math.floor(8 * random()), value: score * 0.12 },
    ];
  });
}

describe("the multiple-choice knapsack", () => {
  it("stays within the capacity, is worth what it says, and brackets the optimum between value and bound", () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 120 }), (classes, capacity) => {
        const { chosen, cost, value, bound } = choose(classes, capacity);
        const picked = chosen.flatMap((index, owner) => (index < 0 ? [] : [classes[owner]![index]!]));
        expect(chosen).toHaveLength(classes.length);
        expect(picked.reduce((sum, { cost }) => sum + cost, 0)).toBe(cost);
        expect(picked.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(value, 6);
        expect(cost).toBeLessThanOrEqual(capacity);
        const optimum = bruteForce(classes, capacity);
        expect(value).toBeLessThanOrEqual(optimum + 1e-9);
        expect(bound).toBeGreaterThanOrEqual(optimum - 1e-9);
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with brute force that nothing fits, and takes everything when everything fits", () => {
    expect(choose([[{ cost: 5, value: 1 }]], 4)).toMatchObject({ chosen: [-1], value: 0, bound: 0 });
    const classes = realistic(20, 7);
    const all = choose(classes, 1_000_000);
    expect(all.chosen).toEqual(classes.map(() => 0));
    expect(all.value).toBeCloseTo(all.bound, 9);
  });

  it("comes within half a percent of the exact optimum on contexts of 10 to 200 items", () => {
    const gaps: number[] = [];
    for (const items of [10, 25, 50, 100, 200]) {
      for (const capacity of [300, 1000, 4000, 12000]) {
        for (let seed = 1; seed <= 3; seed++) {
          const classes = realistic(items, seed * 7919 + items);
          const { value, bound } = choose(classes, capacity);
          const optimum = exact(classes, capacity);
          expect(bound).toBeGreaterThanOrEqual(optimum - 1e-9);
          gaps.push(1 - value / optimum);
        }
      }
    }
    gaps.sort((a, b) => a - b);
    expect(gaps[Math.floor(gaps.length * 0.9)]).toBeLessThanOrEqual(0.005);
    expect(gaps.at(-1)).toBeLessThanOrEqual(0.02);
  });

  it("gives the same choice for the same input, whatever equal options there are", () => {
    const classes = Array.from({ length: 8 }, () => [
      { cost: 10, value: 1 },
      { cost: 10, value: 1 },
    ]);
    expect(choose(classes, 45).chosen).toEqual([0, 0, 0, 0, -1, -1, -1, -1]);
  });
});

describe("the exact choice", () => {
  const worth = (classes: Option[][], chosen: number[]) => {
    const taken = chosen.flatMap((index, i) => classes[i]![index] ?? []);
    return {
      cost: taken.reduce((sum, { cost }) => sum + cost, 0),
      value: taken.reduce((sum, { value }) => sum + value, 0),
    };
  };

  it("is worth as much as the best of all combinations, and fits", () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 120 }), (classes, capacity) => {
        const { cost, value } = worth(classes, chooseOptimal(classes, capacity)!);
        expect(cost).toBeLessThanOrEqual(capacity);
        expect(value).toBe(bruteForce(classes, capacity));
      }),
    );
  });

  it("is hardly better than the choice by density with exchanges, which needs no table", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const classes = realistic(60, seed);
      const best = worth(classes, chooseOptimal(classes, 2000)!).value;
      const { value } = choose(classes, 2000);
      expect(value).toBeLessThanOrEqual(best + 1e-9);
      expect(value).toBeGreaterThan(0.98 * best);
    }
  });

  it("is not tried where its table would be too large", () => {
    expect(chooseOptimal(realistic(200, 1), 100_000)).toBeUndefined();
    expect(chooseOptimal([], -1)).toBeUndefined();
  });
});
