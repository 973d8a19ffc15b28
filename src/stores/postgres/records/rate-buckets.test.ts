import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { postgresRateBuckets } from "./rate-buckets.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

describe(`buckets of tokens in ${engineName}`, () => {
  it("give out what is there, however many ask at once, and say how long the next takes", async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => database.session("service")));
    const buckets = sessions.map(postgresRateBuckets);
    // One token takes longer than this test.
    const bucket = { rate: 0.001, size: 30 };
    const grants = await Promise.all(Array.from({ length: 24 }, (_, i) => buckets[i % 3]!.take("ada", bucket, 4)));
    expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(30);
    const { granted, wait } = await buckets[0]!.take("ada", bucket, 4);
    expect(granted).toBe(0);
    expect(wait).toBeGreaterThan(900);
    expect(wait).toBeLessThanOrEqual(1000);
    expect(await buckets[0]!.take("bob", bucket, 4)).toEqual({ granted: 4, wait: 0 });
    for (const session of sessions) await session.close();
  });

  it("fill with time, up to their size, and are of one service each", async () => {
    const [one, other] = await Promise.all([database.session("one"), database.session("other")]);
    const bucket = { rate: 100, size: 10 };
    expect(await postgresRateBuckets(one).take("ada", bucket, 10)).toEqual({ granted: 10, wait: 0 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await postgresRateBuckets(one).take("ada", bucket, 50)).toEqual({ granted: 10, wait: 0 });
    expect(await postgresRateBuckets(other).take("ada", bucket, 50)).toEqual({ granted: 10, wait: 0 });
    await one.close();
    await other.close();
  });

  it("keep no caller's name or address", async () => {
    const session = await database.session("names");
    await postgresRateBuckets(session).take("address 192.0.2.7", { rate: 1, size: 5 }, 1);
    const rows = await session.shared.all<{ caller: string }>(
      "SELECT caller FROM rate_buckets WHERE workspace = 'names'",
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.caller).not.toContain("192");
    await session.close();
  });
});
