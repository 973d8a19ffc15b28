import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosineOf, type EmbedderId, fullScale, quantise, requireSameEmbedder } from "./embedder.ts";

const component = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const vector = fc.array(component, { minLength: 64, maxLength: 64 }).filter((v) => v.some((x) => Math.abs(x) > 1e-3));

describe("quantise", () => {
  it("keeps the length within rounding error, whatever the length was", () => {
    fc.assert(
      fc.property(vector, (v) => {
        const quantised = quantise(v)!;
        // Each of 64 components is off by at most one half.
        expect(Math.abs(Math.hypot(...quantised) - fullScale)).toBeLessThanOrEqual(Math.sqrt(64) / 2);
      }),
    );
  });

  it("keeps the cosine of two vectors", () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const exact = dot(a, b) / (Math.hypot(...a) * Math.hypot(...b));
        // Rounding moves either vector by at most a thirtieth of its length.
        expect(Math.abs(cosineOf(dot(quantise(a)!, quantise(b)!)) - exact)).toBeLessThan(0.065);
      }),
    );
  });

  it("does not depend on the vector's length, and turns with its sign", () => {
    const v = [3, -4, 0.5, 12];
    expect(quantise(v.map((x) => x * 1000))).toEqual(quantise(v));
    expect(quantise(v.map((x) => -x))).toEqual(quantise(v)!.map((x) => -x));
  });

  it("has no answer for a vector without direction", () => {
    expect(quantise([0, 0, 0])).toBeUndefined();
    expect(quantise([])).toBeUndefined();
    expect(quantise([Number.NaN, 1])).toBeUndefined();
    expect(quantise([Number.POSITIVE_INFINITY, 1])).toBeUndefined();
  });
});

describe("requireSameEmbedder", () => {
  const id: EmbedderId = { provider: "http", model: "m", dimensions: 64, prefix: "query: " };

  it("accepts the same id, and no prefix as an empty one", () => {
    requireSameEmbedder(id, { ...id });
    requireSameEmbedder({ ...id, prefix: undefined }, { ...id, prefix: "" });
  });

  it.each([{ provider: "static" }, { model: "n" }, { dimensions: 65 }, { prefix: "" }])(
    "refuses %j and names both",
    (other) => {
      expect(() => requireSameEmbedder(id, { ...id, ...other })).toThrowError(
        expect.objectContaining({
          code: "embedder-mismatch",
          message: expect.stringContaining("http/m (64 dimensions"),
        }),
      );
    },
  );
});

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
