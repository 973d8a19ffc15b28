import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { folder } from "../../tree/folder.cases.ts";
import type { DescribeJob, DescribeOutcome } from "./describe.ts";
import { describeTogether, type Helper, startHelper, type TogetherOptions } from "./shared-queue.ts";

/** A worker whose behaviour on a file is the file's name. Its answers say in which thread they were made. */
const program = `
  import { parentPort, threadId, workerData } from "node:worker_threads";
  if (workerData.context.root === "cannot-start") throw new Error("no such luck");
  parentPort.on("message", ({ jobs, claims, own, slot }) => {
    const answer = (place) => {
      const { path, size } = jobs[place];
      Atomics.store(claims, slot, place);
      if (path.startsWith("crash")) process.exit(7);
      while (path.startsWith("hang"));
      parentPort.postMessage({ outcome: { path, is: "same", size, modified: threadId }, memory: 1 });
      Atomics.store(claims, slot, -1);
    };
    for (let place = 0; place < own; place++) answer(place);
    for (let place = Atomics.add(claims, 0, 1); place < jobs.length; place = Atomics.add(claims, 0, 1)) answer(place);
  });
`;

const helpers: Helper[] = [];
afterEach(async () => {
  for (const helper of helpers.splice(0)) await helper.close();
});

function start(count: number, root = "/"): Helper[] {
  const script = join(folder({ "worker.mjs": program }), "worker.mjs");
  const context = { root, maxFileBytes: 1 };
  const started = Array.from({ length: count }, () => startHelper(script, { context }));
  helpers.push(...started);
  return started;
}

const largeSize = 1_000_000;
/** In this thread the files are not found: their outcome is "gone". */
const job = (path: string, size = 5): DescribeJob => ({ path, size, modified: 6 });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => job(`file-${from + i}`));

async function run(
  jobs: DescribeJob[],
  threads: Helper[],
  options: Partial<TogetherOptions> = {},
): Promise<{ outcomes: Map<string, DescribeOutcome>; warnings: string[] }> {
  const outcomes = new Map<string, DescribeOutcome>();
  const context = { root: folder(), maxFileBytes: 10 };
  const warnings = await describeTogether(
    jobs,
    threads,
    { context, largest: largeSize, ...options },
    async (outcome) => {
      expect(outcomes.has(outcome.path)).toBe(false);
      outcomes.set(outcome.path, outcome);
      // Long enough for the helpers to take part.
      await new Promise((done) => setTimeout(done, 5));
    },
  );
  return { outcomes, warnings };
}

describe("a shared queue", () => {
  it("gives every job to one thread, here or there", async () => {
    const jobs = many(200);
    const { outcomes, warnings } = await run(jobs, start(2));
    expect([...outcomes.keys()].sort()).toEqual(jobs.map(({ path }) => path).sort());
    const kinds = [...outcomes.values()].map(({ is }) => is);
    expect(new Set(kinds)).toEqual(new Set(["same", "gone"]));
    expect(warnings).toEqual([]);
  });

  it("does all of it here without helpers", async () => {
    const { outcomes } = await run([job("large", largeSize), ...many(5)], []);
    expect([...outcomes.values()].map(({ is }) => is)).toEqual(Array(6).fill("gone"));
  });

  it("leaves large files to a helper", async () => {
    const { outcomes } = await run([...many(5), job("large", largeSize), job("huge", largeSize * 2)], start(2));
    expect(outcomes.size).toBe(7);
    expect([outcomes.get("large")!.is, outcomes.get("huge")!.is]).toEqual(["same", "same"]);
  });

  it("blames the file at which a helper crashed, and does the rest here", async () => {
    const jobs = [job("crash", largeSize), job("large", largeSize), ...many(50)];
    const { outcomes, warnings } = await run(jobs, start(1));
    expect(outcomes.size).toBe(52);
    expect(outcomes.get("crash")).toMatchObject({ is: "skipped", reason: "failed", size: largeSize });
    expect(outcomes.get("large")!.is).toBe("gone");
    expect(warnings).toEqual([]);
  });

  it("gives up a file that takes a helper too long", async () => {
    const { outcomes } = await run([job("hang", largeSize), ...many(3)], start(1), { timeout: 300 });
    expect(outcomes.get("hang")).toMatchObject({ is: "skipped", detail: "the parser took more than 0.3 s" });
    expect(outcomes.size).toBe(4);
  });

  it("does everything here, with a warning, when a helper cannot start", async () => {
    const { outcomes, warnings } = await run([job("large", largeSize), ...many(5)], start(1, "cannot-start"));
    expect([...outcomes.values()].map(({ is }) => is)).toEqual(Array(6).fill("gone"));
    expect(warnings).toEqual([expect.stringContaining("no such luck")]);
  });

  it("fails with the failure of whoever takes the outcomes", async () => {
    const context = { root: folder(), maxFileBytes: 10 };
    const failing = describeTogether(many(9), start(1), { context, largest: largeSize }, async () => {
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
  });

  it("stops when it is interrupted, whatever a helper does", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const { outcomes } = await run([job("hang", largeSize), ...many(3)], start(1), { signal: controller.signal });
    expect(outcomes.has("hang")).toBe(false);
  });
});
