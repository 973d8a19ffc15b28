import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../model.cases.ts";
import { openModelProcess } from "./model-process.ts";

/** A process that answers with the lengths of the texts, in the order it got them, and dies of the text "die". */
const program = `
import { existsSync } from "node:fs";
let jobs = 0;
process.on("message", (job) => {
  if (job.start) {
    const failed = { code: "model-damaged", message: "There is no model." };
    return process.send(existsSync(job.start.folder) ? { ready: { dimensions: 1 } } : { failed });
  }
  if (job.close) return process.disconnect();
  if (job.texts[0] === "die") process.exit(1);
  if (job.texts[0] === "throw") throw new Error("out of memory");
  if (job.texts[0] === "fail") return process.send({ failed: { code: "model-damaged", message: "It failed." } });
  jobs++;
  setTimeout(() => process.send({ vectors: Int8Array.of(jobs, ...job.texts.map((text) => text.length)) }), 20);
});
`;

describe("openModelProcess", () => {
  it("answers jobs one after the other", async () => {
    const model = open();
    expect(await model.start()).toEqual({ dimensions: 1 });
    const answers = await Promise.all([model.embed(["a", "bb"], later), model.embed(["ccc"], later)]);
    expect(answers).toEqual([Int8Array.of(1, 1, 2), Int8Array.of(2, 3)]);
  });

  it("lets what is urgent go before what waits", async () => {
    const model = open();
    const waiting = ["a", "b", "c"].map((text) => model.embed([text], later));
    const urgent = model.embed(["question"], urgently);
    expect((await urgent)[0]).toBe(2);
    expect((await Promise.all(waiting)).map(([place]) => place)).toEqual([1, 3, 4]);
  });

  it("says that a process died, and starts another for the next job", async () => {
    const model = open();
    await model.start();
    const [dead, next] = await Promise.allSettled([model.embed(["die"], later), model.embed(["aa"], later)]);
    expect(dead).toMatchObject({
      reason: {
        code: "model-unavailable",
        message: expect.stringContaining("The process of the model tiny ended unexpectedly (status 1)"),
      },
    });
    expect(next).toMatchObject({ value: Int8Array.of(1, 2) });
    await expect(model.embed(["throw"], later)).rejects.toMatchObject({
      code: "model-unavailable",
    });
    expect(await model.embed(["aaa"], later)).toEqual(Int8Array.of(1, 3));
  });

  it("passes on what the process says, and goes on", async () => {
    const model = open();
    await expect(model.embed(["fail"], later)).rejects.toMatchObject({ code: "model-damaged", message: "It failed." });
    expect(await model.embed(["a"], later)).toEqual(Int8Array.of(1, 1));
  });

  it("says what keeps a model from loading, and loads it when nothing does any more", async () => {
    const folder = temporaryFolder();
    rmSync(folder, { recursive: true });
    const model = open(folder);
    await expect(model.start()).rejects.toMatchObject({ code: "model-damaged", message: "There is no model." });
    await expect(model.embed(["a"], later)).rejects.toMatchObject({ code: "model-damaged" });
    mkdirSync(folder);
    expect(await model.embed(["a"], later)).toEqual(Int8Array.of(1, 1));
  });

  it("takes a job that is interrupted out of the queue", async () => {
    const model = open();
    const controller = new AbortController();
    const [first, stopped, last] = [
      model.embed(["a"], later),
      model.embed(["b"], { isUrgent: false, signal: controller.signal }),
      model.embed(["c"], later),
    ];
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    expect([(await first)[0], (await last)[0]]).toEqual([1, 2]);
  });

  it("ends a process that nobody asks, and starts another for the next job", async () => {
    const model = open(".", 10);
    const answers = await Promise.all([model.embed(["a"], later), model.embed(["bb"], later)]);
    expect(answers).toEqual([Int8Array.of(1, 1), Int8Array.of(2, 2)]);
    // The count of jobs begins anew with each process.
    await vi.waitFor(async () => {
      await sleep(100);
      expect(await model.embed(["ccc"], later)).toEqual(Int8Array.of(1, 3));
    }, 10_000);
    const [first, second] = await Promise.all([model.embed(["a"], later), model.embed(["b"], later)]);
    expect(second[0]).toBe(first[0]! + 1);
  });

  it("ends when it is closed: what waits fails, and nothing can be asked any more", async () => {
    const model = open();
    await model.start();
    const jobs = Promise.allSettled([model.embed(["a"], later), model.embed(["b"], later)]);
    await model.close();
    await model.close();
    for (const answer of await jobs) expect(answer).toMatchObject({ reason: { code: "interrupted" } });
    await expect(model.embed(["a"], later)).rejects.toMatchObject({ code: "interrupted" });
    await expect(model.start()).rejects.toMatchObject({ code: "interrupted" });
  });
});

const later = { isUrgent: false };
const urgently = { isUrgent: true };

function open(folder = ".", idleTime?: number) {
  const script = join(temporaryFolder(), "program.mjs");
  writeFileSync(script, program);
  const traits = { queryPrefix: "", passagePrefix: "", pooling: "mean", maxTokens: 8 } as const;
  const model = openModelProcess({ folder, model: { model: "tiny", ...traits } }, script, idleTime);
  onTestFinished(() => model.close());
  return model;
}
