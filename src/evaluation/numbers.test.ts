import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimate, isSignificant, pairedDifference } from "./bootstrap.ts";
import type { Case } from "./case.ts";
import { measure, rankOf } from "./measures.ts";
import { Draw } from "./sample.ts";

const question: Case = {
  id: "x",
  kind: "own",
  query: "x",
  expect: [
    { place: "a", shown: "a" },
    { place: "b", unit: "b1", shown: "b::one" },
  ],
  from: "here",
  limits: {},
  hidden: ["source"],
};

describe("measures of one case", () => {
  it("count what is expected, without what the question is from", () => {
    const answer = { places: ["source", "x", "b", "y", "a"], units: ["x1", "b1"], held: [true, false], tokens: 10 };
    expect(measure(question, answer)).toMatchObject({
      "acc@1": 0,
      "acc@3": 0,
      "acc@5": 1,
      "recall@1": 0,
      "recall@3": 0.5,
      "recall@5": 1,
      mrr: 1 / 2,
      "unit acc@1": 0,
      "unit acc@3": 1,
      "unit mrr": 1 / 2,
      within: 0.5,
    });
    expect(rankOf(question, answer)).toBe(2);
  });

  it("are 0 for what was not found", () => {
    const answer = { places: [], units: [], held: [false, false], tokens: 0 };
    expect(Object.values(measure(question, answer)).every((value) => value === 0)).toBe(true);
    expect(rankOf(question, answer)).toBeUndefined();
  });

  it("say nothing of units where none is known", () => {
    const files = { ...question, expect: [{ place: "a", shown: "a" }] };
    expect(measure(files, { places: ["a"], units: [], held: [true], tokens: 0 })).not.toHaveProperty("unit mrr");
  });
});

describe("intervals", () => {
  it("hold the mean, are the same for the same seed, and narrow with more cases", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 60 }), (values) => {
        const { mean, low, high } = estimate(values, 7);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(estimate(values, 7)).toEqual({ mean, low, high, count: values.length });
      }),
    );
    const coin = (count: number) => Array.from({ length: count }, (_, i) => i % 2);
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    expect(width(estimate(coin(1000), 1))).toBeLessThan(width(estimate(coin(40), 1)) / 2);
    // Of a fair coin thrown a hundred times, the interval is near .5 +- .1.
    expect(estimate(coin(100), 1).low).toBeCloseTo(0.4, 1);
  });

  it("of differences are those of the pairs, not of the two means", () => {
    const hard = Array.from({ length: 60 }, (_, i) => (i % 2) * 0.8);
    const better = hard.map((value) => value + 0.1);
    const difference = pairedDifference(better, hard, 1);
    expect(difference.low).toBeCloseTo(0.1, 9);
    expect(isSignificant(difference)).toBe(true);
    expect(isSignificant(pairedDifference(hard, hard, 1))).toBe(false);
  });
});

describe("drawing", () => {
  it("takes the same for the same seed, whatever the order, and others for another one", () => {
    const keys = Array.from({ length: 500 }, (_, i) => `key ${i}`);
    const drawn = (order: string[], seed: number) => {
      const draw = new Draw<string>(20, seed);
      for (const key of order) draw.add(key, key);
      expect(draw.seen).toBe(order.length);
      return draw.values();
    };
    expect(drawn(keys, 1)).toHaveLength(20);
    expect(drawn([...keys].reverse(), 1)).toEqual(drawn(keys, 1));
    expect(drawn(keys, 2)).not.toEqual(drawn(keys, 1));
  });
});
