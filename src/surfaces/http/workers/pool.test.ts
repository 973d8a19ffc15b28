import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { DossierError } from "../../../errors.ts";
import { createPool, type JobOptions, type WorkerPool, type WorkerPoolOptions } from "./pool.ts";
import type { Job } from "./worker-protocol.ts";

/** A worker that does what the name of its operation says. */
const program = `
const waiting = new Map();
process.on("message", (message) => {
  const { type, id } = message;
  const send = (rest) => process.send({ id, ...rest });
  if (type === "close") process.exit();
  if (type === "stop") { waiting.delete(id); send({ type: "failed", failure: { code: "interrupted", message: "stopped" } }); }
  if (type === "reply") { waiting.get(message.id)?.(message.reply); waiting.delete(id); }
  if (type !== "run") return;
  const what = message.job.operation;
  if (what === "pid") send({ type: "done", output: process.pid, cost: 1 });
  if (what === "slow") send({ type: "done", output: process.pid, cost: 1000 });
  if (what === "spin") { send({ type: "progress", progress: { stage: "spinning", done: 0 } }); for (;;); }
  if (what === "busy") {
    send({ type: "progress", progress: { stage: "busy", done: 0 } });
    for (const until = Date.now() + 200; Date.now() < until; );
    send({ type: "done", output: process.pid, cost: 1 });
  }
  if (what === "crash") process.kill(process.pid, "SIGKILL");
  if (what === "throw") send({ type: "failed", failure: { code: "not-found", message: "nothing here" } });
  if (what === "ask") {
    waiting.set(id, (reply) => send({ type: "done", output: [process.pid, reply], cost: 1 }));
    send({ type: "question", number: 1, question: { about: "written" } });
  }
});
process.on("disconnect", () => process.exit());
process.send({ type: "ready" });
`;

const folder = mkdtempSync(join(tmpdir(), "dossier-pool-"));
const script = join(folder, "worker.mjs");
writeFileSync(script, program);

const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function pool(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const created = createPool({ root: folder, script, size: 1, jobsEach: 1, gracePeriod: 50, ...options });
  pools.push(created);
  return created;
}

function run(workers: WorkerPool, operation: string, options: Partial<JobOptions> = {}): Promise<unknown> {
  const job = { kind: "operation", operation } as Job;
  return workers.run(job, { owner: "ada", operation, repeatable: true, ...options });
}

const failure = (code: string) => expect.objectContaining({ code });

describe("worker processes", () => {
  it("stay for the next job, and are no more than they may be", async () => {
    const workers = pool({ size: 2 });
    const first = await run(workers, "pid");
    expect(await run(workers, "pid")).toBe(first);
    const many = await Promise.all(Array.from({ length: 8 }, (_, i) => run(workers, "pid", { owner: `owner-${i}` })));
    expect(new Set(many).size).toBeLessThanOrEqual(2);
  });

  it("end when nobody needs them, and are started again", async () => {
    const workers = pool({ idle: 10 });
    const first = await run(workers, "pid");
    await sleep(200);
    expect(await run(workers, "pid")).not.toBe(first);
  });

  it("pass on what a job fails with", async () => {
    await expect(run(pool(), "throw")).rejects.toMatchObject({ code: "not-found", message: "nothing here" });
  });

  it("are ended when a job does not end in its time, and the next job has a new one", async () => {
    const workers = pool();
    const before = await run(workers, "pid");
    const controller = new AbortController();
    const reason = new Error("too late");
    const onProgress = () => controller.abort(reason);
    await expect(run(workers, "spin", { signal: controller.signal, onProgress })).rejects.toBe(reason);
    expect(await run(workers, "pid")).not.toBe(before);
  });

  it("go on for a while when a client has left, so that the next one finds them warm", async () => {
    const workers = pool({ gracePeriod: 0, abandonedGracePeriod: 60_000 });
    const before = await run(workers, "pid");
    const controller = new AbortController();
    const left = new DossierError("interrupted", "The client went away.");
    const onProgress = () => controller.abort(left);
    await run(workers, "busy", { signal: controller.signal, onProgress });
    expect(await run(workers, "pid")).toBe(before);
  });

  it("are not ended for a job that is given up before they have started", async () => {
    const workers = pool({ gracePeriod: 0 });
    for (let i = 0; i < 3; i++) {
      await expect(run(workers, "pid", { signal: AbortSignal.timeout(1) })).rejects.toThrow(/timeout/);
    }
    expect(await run(workers, "pid")).toBeTypeOf("number");
  });

  it("never begin a job that was given up while it waited", async () => {
    const workers = pool();
    const controller = new AbortController();
    const spinning = new AbortController();
    const spinningJob = run(workers, "spin", { signal: spinning.signal });
    const waiting = run(workers, "crash", { signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    spinning.abort(new Error("over"));
    await expect(spinningJob).rejects.toThrow("over");
  });

  it("fail the job that they crash on, and no other", async () => {
    const workers = pool();
    const crashed = run(workers, "crash");
    const behind = run(workers, "pid");
    await expect(crashed).rejects.toEqual(failure("worker-crashed"));
    expect(await behind).toBeTypeOf("number");
  });

  it("of the express lane take short jobs while the others work on long ones, and no long one", async () => {
    const workers = pool({ size: 1, express: 1 });
    for (const operation of ["pid", "slow", "slow"]) await run(workers, operation);
    const controller = new AbortController();
    let spinning = true;
    const spun = new Promise<void>((isSpinning) => {
      const spin = run(workers, "spin", { signal: controller.signal, onProgress: () => isSpinning() });
      void spin.catch(() => (spinning = false));
    });
    await spun;
    const done: string[] = [];
    const slow = run(workers, "slow", { owner: "bob" }).then(() => done.push("slow"));
    for (const owner of ["ada", "bob"]) await run(workers, "pid", { owner }).then(() => done.push("pid"));
    expect([spinning, done]).toEqual([true, ["pid", "pid"]]);
    controller.abort(new Error("over"));
    await slow;
    expect(done).toEqual(["pid", "pid", "slow"]);
  });

  it("take another job while one waits for the server", async () => {
    const workers = pool();
    let answer: (reply: boolean) => void = () => undefined;
    const questioned = new Promise<void>((isAsked) => {
      const onQuestion = () => {
        isAsked();
        return new Promise<boolean>((resolve) => {
          answer = resolve;
        });
      };
      void run(workers, "ask", { onQuestion }).then((output) => done.push(output));
    });
    const done: unknown[] = [];
    await questioned;
    const pid = await run(workers, "pid", { owner: "bob" });
    expect(done).toEqual([]);
    answer(true);
    await expect.poll(() => done).toEqual([[pid, true]]);
  });

  it("begin a job anew whose process was ended for the sake of another", async () => {
    const workers = pool();
    const controller = new AbortController();
    let questions = 0;
    // The first time its process is taken by one who does not end, and is ended with it, while this answer is waited
    // for.
    const onQuestion = async () => {
      const onProgress = () => controller.abort(new Error("too late"));
      if (++questions === 1) {
        const spinning = run(workers, "spin", { owner: "bob", signal: controller.signal, onProgress });
        await expect(spinning).rejects.toThrow("too late");
      }
      return true;
    };
    expect(await run(workers, "ask", { onQuestion })).toEqual([expect.any(Number), true]);
    expect(questions).toBe(2);
  });

  it("are not started any more when the server stops, and what waits is told", async () => {
    const workers = pool();
    const spinningJob = run(workers, "spin", { onProgress: () => void workers.close() });
    const refused = failure("server-busy");
    await Promise.all([spinningJob, run(workers, "pid")].map((each) => expect(each).rejects.toEqual(refused)));
    await expect(run(workers, "pid")).rejects.toEqual(refused);
  });
});
