import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minMax, weighed, weightedSum } from "./columns.ts";

describe("signals", () => {
  it("are stretched to 0..1 and keep their order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (column) => {
        const stretched = minMax(column);
        for (const value of stretched) expect(value >= 0 && value <= 1).toBe(true);
        for (let i = 1; i < column.length; i++) {
          if (column[i]! > column[i - 1]!) expect(stretched[i]!).toBeGreaterThanOrEqual(stretched[i - 1]!);
        }
      }),
    );
  });

  it("let one hit alone, or hits that are all alike, survive", () => {
    expect(minMax([3])).toEqual([1]);
    expect(minMax([2, 2])).toEqual([1, 1]);
    expect(minMax([0, 0])).toEqual([0, 0]);
  });

  it("that nobody has give their weight to the others, for all alike", () => {
    const columns = { text: [1, 0.5], similar: [0, 0] };
    const counted = weighed(columns, { text: 1, similar: 3 });
    expect(counted).toEqual([{ name: "text", column: [1, 0.5], weight: 1 }]);
    expect([0, 1].map((i) => weightedSum(counted, i))).toEqual([1, 0.5]);
  });
});
