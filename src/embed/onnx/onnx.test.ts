import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  cosine,
  golden,
  hasRuntime,
  itemsOf,
  needsModel,
  realModel,
  temporaryFolder,
  wordTokenizer,
} from "../model.cases.ts";
import type { LocalModelConfig } from "../model-config.ts";
import { openModel } from "../open-model.ts";
import { jobsOf } from "./onnx.ts";
import { onnxFile } from "./onnx-file.cases.ts";
import { loadRuntime } from "./runtime.ts";

const wordEmbeddings = "embeddings.word_embeddings.weight";

describe("jobsOf", () => {
  it("keeps texts and their order, and gives a long text a job of its own", () => {
    const texts = fc.array(fc.nat(3000).map((length) => "x".repeat(length)));
    fc.assert(
      fc.property(texts, (all) => {
        const jobs = jobsOf(all);
        expect(jobs.flat()).toEqual(all);
        for (const job of jobs) {
          expect(job.length).toBeLessThanOrEqual(8);
          expect(job.length === 1 || job.join("").length <= 1000).toBe(true);
        }
      }),
    );
    expect(jobsOf(["a", "b", "y".repeat(999), "c"]).map(({ length }) => length)).toEqual([2, 2]);
  });
});

describe("an ONNX model that cannot run", () => {
  it("says that a file is no ONNX model", async () => {
    const folder = withGraph(Buffer.from("<html>404</html>"));
    await expect(open({ folder })).rejects.toMatchObject({
      code: "model-damaged",
      message: `${join(folder, "model.onnx")} is not an ONNX model, or not a whole one.`,
    });
  });

  it("says that a tokenizer does not fit", async () => {
    const graph = { inputs: ["input_ids"], outputs: { last_hidden_state: ["b", "s", 8] } };
    const folder = withGraph(onnxFile({ ...graph, weights: { [wordEmbeddings]: [100, 8] } }));
    await expect(open({ folder })).rejects.toMatchObject({
      code: "model-damaged",
      message: expect.stringContaining("does not fit the model: it knows 500 pieces, the model 100"),
    });
  });

  it("says that there is no model, and no folder", async () => {
    const folder = temporaryFolder();
    await expect(open({ folder })).rejects.toMatchObject({ code: "model-damaged" });
    await expect(open({ folder: join(folder, "gone") })).rejects.toMatchObject({ code: "not-a-folder" });
  });

  it("names the command that installs the runtime", () => {
    const load = (name: string) => {
      throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
    };
    expect(() => loadRuntime(load)).toThrowError(
      expect.objectContaining({
        code: "runtime-missing",
        message: expect.stringContaining("npm install --ignore-scripts onnxruntime-node"),
        fix: expect.stringContaining("npm install --ignore-scripts onnxruntime-node"),
      }),
    );
  });

  it("says why a runtime that is installed does not load, and takes the other one where there is one", () => {
    const web = {};
    const load = (other: unknown) => (name: string) => {
      if (name === "onnxruntime-web" && other) return other;
      throw new Error("libonnxruntime.so.1: cannot open shared object file\nRequire stack: …");
    };
    expect(() => loadRuntime(load(undefined))).toThrowError(
      "ONNX Runtime is installed but does not load (libonnxruntime.so.1: cannot open shared object file).",
    );
    expect(loadRuntime(load(web))).toBe(web);
  });

  it("is given up when it is interrupted", async () => {
    const folder = withGraph(Buffer.from("<html>404</html>"));
    await expect(openModel({ provider: "onnx", folder }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "interrupted",
    });
  });
});

const name = "all-minilm-l6-v2-q";
const real = realModel(name);
const isReady = real !== undefined && hasRuntime();
const reason = isReady ? "" : `${needsModel(name)} (needs onnxruntime-node)`;

describe.skipIf(!isReady)(`the real ONNX model ${name} ${reason}`, () => {
  it("finds by meaning what shares no word", async () => {
    const model = await open({ folder: real! });
    expect(model.id).toEqual({ provider: "onnx", model: name, dimensions: 384 });
    const [limit, batch, cake] = await model.embedItems(
      itemsOf(
        "DHL answers with status 429 when tracking is polled more than ten times a minute",
        "def batch(orders): return merge(orders)",
        "A recipe for chocolate cake",
      ),
    );
    const shipping = (await model.embedQuery({ text: "too many requests from the shipping API", terms: [] }))!;
    const combined = (await model.embedQuery({ text: "combined orders", terms: [] }))!;
    expect(cosine(shipping, limit!)).toBeGreaterThan(cosine(shipping, cake!) + 0.1);
    expect(cosine(combined, batch!)).toBeGreaterThan(cosine(combined, cake!) + 0.1);
    expect(cosine(combined, batch!)).toBeGreaterThan(cosine(combined, limit!));
  });

  it("gives a text the same vector whatever is embedded beside it, of length one", async () => {
    const model = await open({ folder: real! });
    const text = "The budget is never exceeded.";
    const long = "word ".repeat(2_000);
    const [alone] = await model.embedItems(itemsOf(text));
    const [, , third, blank, fifth] = await model.embedItems(itemsOf("short", long, text, "  \n", "another"));
    expect(third).toEqual(alone);
    expect(await model.embedQuery({ text, terms: [] })).toEqual(alone);
    expect(Math.abs(Math.hypot(...alone!) - 127)).toBeLessThan(4);
    expect(blank).toEqual(new Int8Array(384));
    expect(fifth!.some((component) => component !== 0)).toBe(true);
    expect(await model.embedQuery({ text: " ", terms: [] })).toBeUndefined();
  });

  it("pools and cuts as it is told", async () => {
    const [mean, cls, cut] = [
      await open({ folder: real! }),
      await open({ folder: real!, pooling: "cls" }),
      await open({ folder: real!, dimensions: 64 }),
    ];
    const [a] = await mean.embedItems(itemsOf("a short text"));
    const [b] = await cls.embedItems(itemsOf("a short text"));
    const [c] = await cut.embedItems(itemsOf("a short text"));
    expect(cosine(a!, b!)).toBeLessThan(0.95);
    expect(c!.length).toBe(64);
    expect(cls.revision).not.toBe(mean.revision);
    await expect(open({ folder: real!, dimensions: 385 })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("answers a question in the middle of many items, and stops when it is interrupted", async () => {
    const model = await open({ folder: real! });
    const controller = new AbortController();
    let isDone = false;
    const many = model.embedItems(itemsOf(...Array.from({ length: 400 }, (_, i) => `item ${i}`)), controller.signal);
    const end = many
      .catch((error) => error)
      .finally(() => {
        isDone = true;
      });
    expect(await model.embedQuery({ text: "a question", terms: [] })).toBeDefined();
    expect(isDone).toBe(false);
    controller.abort();
    expect(await end).toMatchObject({ code: "interrupted" });
    expect(await model.embedQuery({ text: "a question", terms: [] })).toBeDefined();
  });

  it("says of a graph that the runtime cannot load what the runtime says", async () => {
    const folder = withGraph(onnxFile({ inputs: ["input_ids"], outputs: { last_hidden_state: ["b", "s", 8] } }));
    await expect(open({ folder })).rejects.toMatchObject({
      code: "model-damaged",
      message: expect.stringContaining(`ONNX Runtime cannot load ${join(folder, "model.onnx")}`),
    });
  });

  it("says that a tokenizer of another model does not fit", async () => {
    const folder = temporaryFolder();
    copyFileSync(join(real!, "model_quantized.onnx"), join(folder, "model_quantized.onnx"));
    const words = Array.from({ length: 40_000 }, (_, i) => `w${i}`);
    writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(wordTokenizer(words)));
    await expect(open({ folder })).rejects.toMatchObject({
      message: expect.stringContaining("it knows 40004 pieces, the model 30522"),
    });
  });

  it("lets its program end as it wants in the middle of a run", () => {
    const program = fileURLToPath(new URL("./exit-in-run.cases.ts", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", program, real!], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 3, stderr: "" });
  });

  it("is closed once and for all", async () => {
    const model = await open({ folder: real! });
    await model.close();
    await expect(model.embedItems(itemsOf("text"))).rejects.toMatchObject({ code: "interrupted" });
  });
});

function withGraph(bytes: Buffer): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "model.onnx"), bytes);
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(golden.wordpiece.tokenizer));
  return folder;
}

async function open(config: Omit<LocalModelConfig, "provider">) {
  const model = await openModel({ provider: "onnx", ...config });
  onTestFinished(() => model.close());
  return model;
}
