import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectModelFolder } from "./inspect-model.ts";
import { golden, temporaryFolder, writeStaticModel } from "./model.cases.ts";
import { onnxFile } from "./onnx/onnx-file.cases.ts";

describe("inspectModelFolder", () => {
  it("names a static model's files with sizes and checksums, and the licence of its README", async () => {
    const folder = temporaryFolder("my-words");
    writeStaticModel(folder, { east: [1, 0], north: [0, 1] });
    writeFileSync(join(folder, "README.md"), "---\ntags: [x]\nlicense: apache-2.0\n---\n# My words\n");
    const weights = readFileSync(join(folder, "model.safetensors"));
    expect(await inspectModelFolder(folder)).toEqual({
      provider: "static",
      model: "my-words",
      dimensions: 2,
      licence: "apache-2.0",
      files: [
        {
          name: "model.safetensors",
          bytes: weights.length,
          sha256: createHash("sha256").update(weights).digest("hex"),
        },
        { name: "tokenizer.json", bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ],
    });
  });

  it("knows an ONNX model, its dimensions and by its name its licence", async () => {
    const folder = temporaryFolder("bge-small-en-v1.5");
    writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(golden.wordpiece.tokenizer));
    const graph = { inputs: ["input_ids"], outputs: { last_hidden_state: ["batch", "sequence", 384] } };
    writeFileSync(join(folder, "model.onnx"), onnxFile(graph));
    const { files, ...rest } = await inspectModelFolder(folder);
    expect(rest).toEqual({ provider: "onnx", model: "bge-small-en-v1.5", dimensions: 384, licence: "MIT" });
    expect(files.map(({ name }) => name)).toEqual(["model.onnx", "tokenizer.json"]);
    // The quantised one is taken where there are both.
    writeFileSync(join(folder, "model_quantized.onnx"), onnxFile(graph));
    expect((await inspectModelFolder(folder)).files[0]!.name).toBe("model_quantized.onnx");
  });

  it("finds a model's name in a hub's cache, and in its files", async () => {
    const folder = temporaryFolder("1f2e3d");
    writeStaticModel(folder, { east: [1, 0] });
    expect((await inspectModelFolder(folder)).model).toBe("1f2e3d");
    writeFileSync(join(folder, "config.json"), JSON.stringify({ _name_or_path: "minishlab/potion-base-8M" }));
    expect((await inspectModelFolder(folder)).model).toBe("potion-base-8M");
  });

  it("says what is missing", async () => {
    const folder = temporaryFolder();
    const refusal = (sentence: string) => ({ code: "model-damaged", message: expect.stringContaining(sentence) });
    await expect(inspectModelFolder(folder)).rejects.toMatchObject(refusal("There is no tokenizer.json"));
    writeFileSync(join(folder, "tokenizer.json"), "{}");
    await expect(inspectModelFolder(folder)).rejects.toMatchObject(refusal("There is no model in"));
    writeFileSync(join(folder, "model.onnx"), "<html>");
    await expect(inspectModelFolder(folder)).rejects.toMatchObject(refusal("is not an ONNX model"));
    rmSync(join(folder, "model.onnx"));
    writeFileSync(join(folder, "model.safetensors"), "<html>");
    await expect(inspectModelFolder(folder)).rejects.toMatchObject(refusal("not a whole safetensors file"));
    await expect(inspectModelFolder(join(folder, "gone"))).rejects.toMatchObject({ code: "not-a-folder" });
    await expect(inspectModelFolder(join(folder, "model.safetensors"))).rejects.toMatchObject({ code: "not-a-folder" });
  });
});
