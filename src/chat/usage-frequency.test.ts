import fc from "fast-check";
import { expect, it } from "vitest";
import { usageKinds } from "../stores/library.ts";
import { usageFrequency } from "./usage-frequency.ts";

const day = 86_400_000;
const now = 1000 * day;
const event = (kind: (typeof usageKinds)[number], age = 0) => ({ kind, at: now - age * day });

it("counts a citation as a tenth, a good word as three, and ten of them as all", () => {
  expect(usageFrequency([], now)).toBe(0);
  expect(usageFrequency([event("cited")], now)).toBeCloseTo(0.1);
  expect(usageFrequency([event("useful")], now)).toBeCloseTo(0.3);
  expect(usageFrequency(Array(10).fill(event("cited")), now)).toBe(1);
  expect(usageFrequency(Array(50).fill(event("useful")), now)).toBe(1);
});

it("lets a bad word take a good one back, and no more than that", () => {
  expect(usageFrequency([event("useful"), event("not-useful")], now)).toBe(0);
  expect(usageFrequency([event("not-useful")], now)).toBe(0);
  expect(usageFrequency([event("cited"), event("cited"), event("useful"), event("not-useful")], now)).toBeCloseTo(0.2);
});

it("halves every thirty days", () => {
  expect(usageFrequency([event("cited", 30)], now)).toBeCloseTo(0.05);
  expect(usageFrequency([event("cited", 60)], now)).toBeCloseTo(0.025);
  expect(usageFrequency([event("cited", -5)], now)).toBeCloseTo(0.1);
});

it("is never below 0 or above 1, and a good word never lowers it", () => {
  const events = fc.array(
    fc.record({ kind: fc.constantFrom(...usageKinds), at: fc.integer({ min: -now, max: 2 * now }) }),
  );
  fc.assert(
    fc.property(events, (all) => {
      const before = usageFrequency(all, now);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThanOrEqual(1);
      expect(usageFrequency([...all, event("useful")], now)).toBeGreaterThanOrEqual(before);
    }),
  );
});
