import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bootstrap } from "./bootstrap.ts";
import { allWithin, ndcg, packed, recall, reciprocalRank } from "./metrics.ts";

describe("the worth of an answer", () => {
  it("is one over the place of the first right one", () => {
    expect(reciprocalRank(["a", "b", "c"], new Set(["c", "b"]))).toBe(1 / 2);
    expect(reciprocalRank(["a"], new Set(["b"]))).toBe(0);
  });

  it("is the gain by grade and place, of the best possible", () => {
    const grades = new Map([
      ["a", 3],
      ["b", 2],
      ["c", 0],
    ]);
    // b first, a third: 2/log2(2) + 3/log2(4) = 3.5 of 3/log2(2) + 2/log2(3) = 4.2619.
    expect(ndcg(["b", "c", "a"], grades, 10)).toBeCloseTo(3.5 / (3 + 2 / Math.log2(3)), 12);
    expect(ndcg(["b", "c", "a"], grades, 10)).toBeCloseTo(0.8212, 4);
    expect(ndcg(["b", "c", "a"], grades, 2)).toBeCloseTo(2 / 4.26186, 4);
    expect(ndcg(["a", "b"], grades, 10)).toBe(1);
    expect(ndcg(["c"], grades, 10)).toBe(0);
    expect(ndcg(["c"], new Map([["c", 0]]), 10)).toBeUndefined();
  });

  it("counts only what is wholly among the first", () => {
    expect(allWithin(["a", "b", "c"], ["a", "c"], 3)).toBe(1);
    expect(allWithin(["a", "b", "c"], ["a", "c"], 2)).toBe(0);
  });

  it("is the share of the right ones, each counted once", () => {
    expect(recall(["a", "a", "x"], ["a", "b"])).toBe(0.5);
    expect(recall([], ["a"])).toBe(0);
  });

  it("is counted within a budget: what does not fit is skipped, what is smaller may follow", () => {
    const cost = (word: string) => word.length;
    expect(packed(["four", "seventy", "six", "a", "b"], cost, 8)).toEqual(["four", "six", "a"]);
    expect(packed(["four"], cost, 3)).toEqual([]);
  });
});

describe("an interval", () => {
  it("is the same in every run", () => {
    const values = Array.from({ length: 50 }, (_, i) => (i * 7) % 11);
    expect(bootstrap(values)).toEqual(bootstrap(values));
  });

  it("is as wide as theory says of a coin", () => {
    // 200 throws, half of them heads: the mean's deviation is sqrt(.25 / 200) = .03536, of which 1.96 on either side.
    const { value, low, high } = bootstrap(Array.from({ length: 200 }, (_, i) => i % 2));
    expect(value).toBe(0.5);
    expect(Math.abs(low - (0.5 - 1.96 * 0.03536))).toBeLessThan(0.015);
    expect(Math.abs(high - (0.5 + 1.96 * 0.03536))).toBeLessThan(0.015);
  });

  it("holds the mean, within the values", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 }), (values) => {
        const { low, high } = bootstrap(values);
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: 30 },
    );
    expect(bootstrap([1, 1, 1])).toEqual({ value: 1, low: 1, high: 1 });
  });
});
