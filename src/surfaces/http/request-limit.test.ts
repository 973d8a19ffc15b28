import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedRateLimit } from "./request-limit.ts";
import { TooManyRequests } from "./token-bucket.ts";

/** Buckets as they are in a database, by a clock that the test moves. */
function buckets(now: () => number) {
  const filling = new Map<string, { tokens: number; at: number }>();
  const shared = {
    asked: 0,
    failing: false,
    async take(caller: string, { rate, size }: { rate: number; size: number }, count: number) {
      shared.asked++;
      if (shared.failing) throw new Error("no database");
      const bucket = filling.get(caller) ?? { tokens: size, at: now() };
      const filled = Math.min(size, bucket.tokens + ((now() - bucket.at) / 1000) * rate);
      const granted = Math.min(count, Math.floor(filled));
      filling.set(caller, { tokens: filled - granted, at: now() });
      return { granted, wait: granted > 0 ? 0 : (1 - filled) / rate };
    },
  };
  return shared;
}

const passes = async (limit: (caller: string) => Promise<void>, caller = "ada") => {
  try {
    await limit(caller);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TooManyRequests);
    return false;
  }
};

describe("a limit that several processes share", () => {
  it("never lets more through in all of them than the rate and one burst", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 400 })), {
          minLength: 1,
          maxLength: 300,
        }),
        async (rate, requests) => {
          let time = 0;
          let passed = 0;
          const shared = buckets(() => time);
          const processes = [0, 1, 2].map(() => sharedRateLimit(rate, shared, () => time));
          for (const [process, gap] of requests) {
            time += gap;
            if (await passes(processes[process]!)) passed++;
          }
          expect(passed).toBeLessThanOrEqual(rate * 5 + (time / 1000) * rate + 1e-6);
        },
      ),
    );
  });

  it("asks the database for a tenth of a second's requests at a time, and not for who was just refused", async () => {
    let time = 0;
    const shared = buckets(() => time);
    const limit = sharedRateLimit(200, shared, () => time);
    let passed = 0;
    while (await passes(limit)) passed++;
    expect(passed).toBe(1000);
    expect(shared.asked).toBe(51);
    for (let i = 0; i < 100; i++) expect(await passes(limit)).toBe(false);
    expect(shared.asked).toBe(51);
    expect(await passes(limit, "bob")).toBe(true);
    time += 50;
    expect(await passes(limit)).toBe(true);
  });

  it("lets requests that come at once share what is asked for", async () => {
    const shared = buckets(() => 0);
    const limit = sharedRateLimit(200, shared, () => 0);
    await Promise.all(Array.from({ length: 20 }, () => limit("ada")));
    expect(shared.asked).toBe(1);
  });

  it("limits each process by itself while the database cannot be asked, and asks again later", async () => {
    let time = 0;
    const shared = buckets(() => time);
    shared.failing = true;
    const limit = sharedRateLimit(1, shared, () => time);
    const answers: boolean[] = [];
    for (let i = 0; i < 7; i++) answers.push(await passes(limit));
    expect(answers).toEqual([true, true, true, true, true, false, false]);
    expect(shared.asked).toBe(1);
    shared.failing = false;
    time += 1000;
    expect(await passes(limit)).toBe(true);
    expect(shared.asked).toBe(2);
  });

  it("limits nothing at a rate of 0", async () => {
    const shared = buckets(() => 0);
    const limit = sharedRateLimit(0, shared, () => 0);
    for (let i = 0; i < 1000; i++) await limit("ada");
    expect(shared.asked).toBe(0);
  });
});
