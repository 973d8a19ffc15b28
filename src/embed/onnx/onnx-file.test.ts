import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DossierError } from "../../errors.ts";
import { needsModel, realModel, temporaryFolder } from "../model.cases.ts";
import { onnxFile } from "./onnx-file.cases.ts";
import { readGraph } from "./onnx-file.ts";

const encoder = onnxFile({
  inputs: ["input_ids", "attention_mask", "embeddings.word_embeddings.weight"],
  outputs: { last_hidden_state: ["batch", "sequence", 384] },
  weights: { "embeddings.word_embeddings.weight": [30522, 384], bias: [384] },
});

describe("readGraph", () => {
  it("reads inputs, dimensions and the size of the vocabulary", () => {
    expect(readGraph(written(encoder))).toEqual({
      inputs: ["input_ids", "attention_mask"],
      outputs: [{ name: "last_hidden_state", shape: [undefined, undefined, 384] }],
      dimensions: 384,
      vocabulary: 30522,
    });
  });

  it("says of other files that they are no ONNX model", () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("<html>Not found</html>"),
      Buffer.from("version https://git-lfs"),
      encoder.subarray(0, 60),
    ]) {
      expect(() => readGraph(written(bytes))).toThrowError(
        expect.objectContaining({ code: "model-damaged", message: expect.stringContaining("is not an ONNX model") }),
      );
    }
  });

  it("says of a model of pictures what it takes", () => {
    const bytes = onnxFile({ inputs: ["pixels"], outputs: { classes: [1, 1000] } });
    expect(() => readGraph(written(bytes))).toThrowError(/takes pixels, not one that turns text into vectors/);
  });

  it("fails only with a sentence, whatever the bytes are", () => {
    const path = written(encoder);
    fc.assert(
      fc.property(fc.nat(encoder.length - 1), fc.uint8Array({ minLength: 1, maxLength: 12 }), (at, patch) => {
        const bytes = Buffer.from(encoder);
        bytes.set(patch.subarray(0, bytes.length - at), at);
        writeFileSync(path, bytes);
        try {
          readGraph(path);
        } catch (error) {
          expect(error).toBeInstanceOf(DossierError);
        }
      }),
    );
  });

  const real = realModel("all-minilm-l6-v2-q");
  it.skipIf(!real)(`reads a real model ${real ? "" : needsModel("all-minilm-l6-v2-q")}`, () => {
    expect(readGraph(join(real!, "model_quantized.onnx"))).toMatchObject({
      inputs: ["input_ids", "attention_mask", "token_type_ids"],
      dimensions: 384,
      vocabulary: 30522,
    });
  });
});

function written(bytes: Buffer): string {
  const path = join(temporaryFolder(), "model.onnx");
  writeFileSync(path, bytes);
  return path;
}
