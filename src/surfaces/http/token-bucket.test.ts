import fc from "fast-check";
import { expect, it } from "vitest";
import { rateLimit, TooManyRequests } from "./token-bucket.ts";

it("never lets more through than the rate and one burst, and refuses only with a wait that is enough", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
      (rate, gaps) => {
        let time = 0;
        let passed = 0;
        const limit = rateLimit(rate, () => time);
        for (const gap of gaps) {
          time += gap;
          try {
            limit("ada");
            passed++;
          } catch (error) {
            expect(error).toBeInstanceOf(TooManyRequests);
            expect((error as TooManyRequests).retryAfter).toBeGreaterThanOrEqual(1);
          }
        }
        expect(passed).toBeLessThanOrEqual(rate * 5 + (time / 1000) * rate + 1e-6);
      },
    ),
  );
});

it("lets a caller go on after the wait it was told", () => {
  let time = 0;
  const limit = rateLimit(0.5, () => time);
  expect(() => limit("ada")).not.toThrow();
  expect(() => limit("ada")).not.toThrow();
  let wait = 0;
  try {
    limit("ada");
  } catch (error) {
    wait = (error as TooManyRequests).retryAfter;
  }
  expect(wait).toBeGreaterThan(0);
  time += wait * 1000;
  expect(() => limit("ada")).not.toThrow();
});

it("keeps callers apart and limits nothing at a rate of 0", () => {
  const limit = rateLimit(0.2, () => 0);
  limit("ada");
  expect(() => limit("ada")).toThrow(TooManyRequests);
  expect(() => limit("bob")).not.toThrow();
  const free = rateLimit(0, () => 0);
  for (let i = 0; i < 1000; i++) free("ada");
});

it("remembers only so many callers", () => {
  const limit = rateLimit(0.2, () => 0);
  limit("first");
  for (let i = 0; i < 10_000; i++) limit(`caller ${i}`);
  expect(() => limit("first")).not.toThrow();
  expect(() => limit("caller 9999")).toThrow(TooManyRequests);
});
