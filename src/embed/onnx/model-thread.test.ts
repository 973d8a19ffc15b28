import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../model.cases.ts";
import { openModelThread } from "./model-thread.ts";

/** A thread that answers with the lengths of the texts, in the order it got them, and dies of the text "die". */
const program = `
import { parentPort } from "node:worker_threads";
let jobs = 0;
parentPort.on("message", (job) => {
  if (job.close) return parentPort.close();
  if (job.texts[0] === "die") process.exit(1);
  if (job.texts[0] === "throw") throw new Error("out of memory");
  if (job.texts[0] === "fail") return parentPort.postMessage({ failed: { code: "model-damaged", message: "It failed." } });
  jobs++;
  setTimeout(() => parentPort.postMessage({ vectors: Int8Array.of(jobs, ...job.texts.map((text) => text.length)) }), 20);
});
parentPort.postMessage({ ready: { dimensions: 1 } });
`;

describe("openModelThread", () => {
  it("answers jobs one after the other", async () => {
    const thread = open();
    expect(await thread.start()).toEqual({ dimensions: 1 });
    const answers = await Promise.all([thread.embed(["a", "bb"], later), thread.embed(["ccc"], later)]);
    expect(answers).toEqual([Int8Array.of(1, 1, 2), Int8Array.of(2, 3)]);
  });

  it("lets what is urgent go before what waits", async () => {
    const thread = open();
    const waiting = ["a", "b", "c"].map((text) => thread.embed([text], later));
    const urgent = thread.embed(["question"], urgently);
    expect((await urgent)[0]).toBe(2);
    expect((await Promise.all(waiting)).map(([place]) => place)).toEqual([1, 3, 4]);
  });

  it("says that a thread died, and starts another for the next job", async () => {
    const thread = open();
    await thread.start();
    const [dead, next] = await Promise.allSettled([thread.embed(["die"], later), thread.embed(["aa"], later)]);
    expect(dead).toMatchObject({
      reason: {
        code: "model-unavailable",
        message: expect.stringContaining("The thread of the model tiny ended unexpectedly"),
      },
    });
    expect(next).toMatchObject({ value: Int8Array.of(1, 2) });
    await expect(thread.embed(["throw"], later)).rejects.toMatchObject({
      message: expect.stringContaining("out of memory"),
    });
    expect(await thread.embed(["aaa"], later)).toEqual(Int8Array.of(1, 3));
  });

  it("passes on what the thread says, and goes on", async () => {
    const thread = open();
    await expect(thread.embed(["fail"], later)).rejects.toMatchObject({ code: "model-damaged", message: "It failed." });
    expect(await thread.embed(["a"], later)).toEqual(Int8Array.of(1, 1));
  });

  it("takes a job that is interrupted out of the queue", async () => {
    const thread = open();
    const controller = new AbortController();
    const [first, stopped, last] = [
      thread.embed(["a"], later),
      thread.embed(["b"], { isUrgent: false, signal: controller.signal }),
      thread.embed(["c"], later),
    ];
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    expect([(await first)[0], (await last)[0]]).toEqual([1, 2]);
  });

  it("ends when it is closed: what waits fails, and nothing can be asked any more", async () => {
    const thread = open();
    await thread.start();
    const asked = Promise.allSettled([thread.embed(["a"], later), thread.embed(["b"], later)]);
    await thread.close();
    await thread.close();
    for (const answer of await asked) expect(answer).toMatchObject({ reason: { code: "interrupted" } });
    await expect(thread.embed(["a"], later)).rejects.toMatchObject({ code: "interrupted" });
    await expect(thread.start()).rejects.toMatchObject({ code: "interrupted" });
  });
});

const later = { isUrgent: false };
const urgently = { isUrgent: true };

function open() {
  const script = join(temporaryFolder(), "thread.mjs");
  writeFileSync(script, program);
  const traits = { queryPrefix: "", passagePrefix: "", pooling: "mean", maxTokens: 8 } as const;
  const thread = openModelThread({ folder: ".", model: { model: "tiny", ...traits } }, script);
  onTestFinished(() => thread.close());
  return thread;
}
