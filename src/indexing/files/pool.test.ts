import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { folder } from "../../tree/folder.cases.ts";
import type { DescribeJob } from "./describe.ts";
import { openPool, type Pool, type PoolOptions } from "./pool.ts";

/** A worker whose behaviour on a file is the file's name. */
const program = `
  import { parentPort, threadId, workerData } from "node:worker_threads";
  if (workerData.context.root === "cannot-start") throw new Error("no such luck");
  parentPort.on("message", ({ path, size }) => {
    if (path.startsWith("crash")) process.exit(7);
    if (path.startsWith("throw")) throw new Error("out of cheese");
    if (path.startsWith("exhaust")) { const all = []; for (;;) all.push(new Array(100_000).fill(path)); }
    while (path.startsWith("hang"));
    const memory = path.startsWith("grow") ? 1e12 : 1;
    parentPort.postMessage({ outcome: { path, is: "same", size, modified: threadId }, memory });
  });
  parentPort.postMessage("ready");
`;

const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

async function open(options: Partial<PoolOptions> = {}): Promise<Pool> {
  const script = join(folder({ "worker.mjs": program }), "worker.mjs");
  const pool = await openPool({
    size: 2,
    script,
    timeout: 10_000,
    context: { root: "/", maxFileBytes: 1 },
    ...options,
  });
  pools.push(pool);
  return pool;
}

const job = (path: string): DescribeJob => ({ path, size: 5, modified: 6 });
const many = (count: number) => Array.from({ length: count }, (_, i) => job(`file-${i}`));

describe("the pool", () => {
  it("answers every job, on all of its workers", async () => {
    const pool = await open();
    const outcomes = await Promise.all(many(50).map((each) => pool.describe(each)));
    expect(outcomes.map((outcome) => outcome.path)).toEqual(many(50).map((each) => each.path));
    expect(new Set(outcomes.map((outcome) => outcome.is === "same" && outcome.modified)).size).toBe(2);
  });

  it.each([
    ["crash", "crashed"],
    ["throw", "out of cheese"],
    ["exhaust", "memory"],
  ])("goes on after a worker's %s, and blames only the file it was at", async (name, why) => {
    const pool = await open({ size: 1, heapMegabytes: 16 });
    const jobs = [...many(5), job(name), ...many(5)];
    const outcomes = await Promise.all(jobs.map((each) => pool.describe(each)));
    expect(outcomes.map((outcome) => outcome.is)).toEqual(jobs.map(({ path }) => (path === name ? "skipped" : "same")));
    expect(outcomes[5]).toMatchObject({ reason: "failed", size: 5, modified: 6, detail: expect.stringContaining(why) });
  });

  it("gives up a file that takes too long, without making the others wait for ever", async () => {
    const pool = await open({ size: 1, timeout: 2000 });
    const outcomes = await Promise.all(
      [job("hang"), job("a"), job("hang-again"), job("b")].map((each) => pool.describe(each)),
    );
    expect(outcomes.map((outcome) => outcome.is)).toEqual(["skipped", "same", "skipped", "same"]);
    expect(outcomes[0]).toMatchObject({ detail: "the parser took more than 2 s" });
  });

  it("replaces a worker that grew too large, and loses no job", async () => {
    const pool = await open({ size: 1 });
    const outcomes = await Promise.all(
      [job("grow"), job("a"), job("grow"), job("b")].map((each) => pool.describe(each)),
    );
    const threads = outcomes.map((outcome) => outcome.is === "same" && outcome.modified);
    expect(outcomes.map((outcome) => outcome.is)).toEqual(["same", "same", "same", "same"]);
    expect(threads[0]).not.toBe(threads[1]);
    expect(threads[1]).toBe(threads[2]);
  });

  it("says so when workers cannot start", async () => {
    await expect(open({ context: { root: "cannot-start", maxFileBytes: 1 } })).rejects.toThrow("no such luck");
    await expect(open({ script: join(folder(), "missing.mjs") })).rejects.toThrow("missing.mjs");
  });

  it("leaves no job hanging when it is closed", async () => {
    const pool = await open({ size: 1 });
    const waiting = pool.describe(job("hang"));
    const refused = expect(waiting).rejects.toThrow("stopped");
    await pool.close();
    await refused;
  });
});
