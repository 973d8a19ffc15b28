import { describe, expect, it } from "vitest";
import { centroidOf, cosineDistance } from "./centroid.ts";
import { unit } from "./vector-space.ts";

const east = Float64Array.of(1, 0);
const north = Float64Array.of(0, 1);

describe("centroidOf", () => {
  it("lies nearer to what weighs more", () => {
    const even = centroidOf([east, north], [1, 1]);
    expect(even.distances[0]).toBeCloseTo(even.distances[1]!, 12);
    const uneven = centroidOf([east, north], [1, 0.2]);
    expect(uneven.distances[0]!).toBeLessThan(even.distances[0]!);
    expect(uneven.distances[1]!).toBeGreaterThan(even.distances[1]!);
  });

  it("allows the mean distance of the members and half a standard deviation", () => {
    const { distances, threshold } = centroidOf([east, east, north], [1, 1, 1]);
    const mean = (distances[0]! + distances[1]! + distances[2]!) / 3;
    const variance = distances.reduce((sum, distance) => sum + (distance - mean) ** 2, 0) / 3;
    expect(threshold).toBeCloseTo(mean + 0.5 * Math.sqrt(variance), 12);
    expect(centroidOf([east, east], [1, 1]).threshold).toBe(0);
  });

  it("is nowhere when the members cancel each other out", () => {
    const { direction, distances } = centroidOf([east, Float64Array.of(-1, 0)], [1, 1]);
    expect([...direction]).toEqual([0, 0]);
    expect(distances).toEqual([1, 1]);
  });
});

describe("cosineDistance", () => {
  it("is 0 for the same direction, 1 for none in common and 2 for the opposite", () => {
    expect(cosineDistance(east, east)).toBe(0);
    expect(cosineDistance(east, north)).toBe(1);
    expect(cosineDistance(east, Float64Array.of(-1, 0))).toBe(2);
  });
});

describe("unit", () => {
  it("has no direction for nothing and for what is not a number", () => {
    expect(unit(Float64Array.of(0, 0))).toBeUndefined();
    expect(unit(Float64Array.of(Number.NaN, 1))).toBeUndefined();
    expect([...unit(Float64Array.of(3, 4))!]).toEqual([0.6, 0.8]);
  });
});
