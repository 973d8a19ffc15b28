import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { symmetricEigen } from "../../src/embed/eigen.ts";
import { graphOf } from "../../src/embed/model-folder.ts";
import { loadRuntime } from "../../src/embed/onnx/runtime.ts";
import { openTokenizer } from "../../src/embed/tokenizer/tokenizer.ts";
import type { WordPieceJson } from "../../src/embed/tokenizer/wordpiece.ts";

/** Components kept: model2vec's own models have as many. */
const kept = 256;
/** Pieces in one run of the transformer. */
const batch = 64;
/** Smooth inverse frequency: a piece whose share of all text is this counts half. */
const halfShare = 1e-3;

/**
 * A static model from a transformer, as model2vec makes them: each piece of the vocabulary goes through the transformer
 * alone, the principal components of what comes out are kept, and frequent pieces count less. The vocabulary's words
 * stand in the order of their frequency, the most frequent first; before them stand marks and characters, which count
 * as little as that one.
 */
export async function distil(teacher: string, target: string): Promise<void> {
  const tokenizer = await openTokenizer(teacher);
  const { rows, dimensions } = await vectorsOfPieces(teacher, tokenizer.size, tokenizer.before, tokenizer.after);
  const reduced = principalComponents(rows, tokenizer.size, dimensions);
  const firstWord = firstWordOf(teacher);
  const shares = Float64Array.from({ length: tokenizer.size }, (_, id) => 1 / Math.max(1, id - firstWord + 1));
  const total = shares.subarray(firstWord).reduce((sum, share) => sum + share, 0);
  for (let id = 0; id < tokenizer.size; id++) {
    const weight = halfShare / (halfShare + shares[id]! / total);
    for (let i = 0; i < kept; i++) reduced[id * kept + i]! *= weight;
  }
  mkdirSync(target, { recursive: true });
  copyFileSync(join(teacher, "tokenizer.json"), join(target, "tokenizer.json"));
  writeFileSync(join(target, "part"), safetensors(reduced, [tokenizer.size, kept]));
  renameSync(join(target, "part"), join(target, "model.safetensors"));
}

function firstWordOf(folder: string): number {
  const { model } = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as WordPieceJson;
  const words = Object.entries(model.vocab).filter(([piece]) => /^[a-z]{2,}$/.test(piece));
  return Math.min(...words.map(([, id]) => Number(id)));
}

async function vectorsOfPieces(teacher: string, size: number, before: number[], after: number[]) {
  const runtime = loadRuntime();
  const session = await runtime.InferenceSession.create(graphOf(teacher)!, { logSeverityLevel: 4 });
  const length = before.length + 1 + after.length;
  let dimensions = 0;
  let rows = new Float32Array(0);
  for (let start = 0; start < size; start += batch) {
    const count = Math.min(batch, size - start);
    const ids = Array.from({ length: count }, (_, i) => [...before, start + i, ...after]).flat();
    const tensor = (data: BigInt64Array) => new runtime.Tensor("int64", data, [count, length]);
    const inputs = {
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    };
    const output = (await session.run(inputs))[session.outputNames[0]!]!;
    const data = output.data as Float32Array;
    dimensions = output.dims[2]!;
    if (rows.length === 0) rows = new Float32Array(size * dimensions);
    for (let at = 0; at < data.length; at++) {
      const piece = start + Math.floor(at / (length * dimensions));
      rows[piece * dimensions + (at % dimensions)]! += data[at]! / length;
    }
  }
  await session.release();
  return { rows, dimensions };
}

/** Rows without their mean, turned so that the first components hold most. */
function principalComponents(rows: Float32Array, count: number, dimensions: number): Float32Array {
  const mean = new Float64Array(dimensions);
  for (let at = 0; at < rows.length; at++) mean[at % dimensions]! += rows[at]! / count;
  for (let at = 0; at < rows.length; at++) rows[at]! -= mean[at % dimensions]!;
  const covariance = new Float64Array(dimensions * dimensions);
  for (let row = 0; row < count; row++) {
    const own = rows.subarray(row * dimensions, (row + 1) * dimensions);
    for (let i = 0; i < dimensions; i++) {
      for (let j = i; j < dimensions; j++) covariance[i * dimensions + j]! += own[i]! * own[j]!;
    }
  }
  for (let i = 0; i < dimensions; i++) {
    for (let j = 0; j < i; j++) covariance[i * dimensions + j] = covariance[j * dimensions + i]!;
  }
  const { vectors } = symmetricEigen(covariance, dimensions);
  const reduced = new Float32Array(count * kept);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < dimensions; i++) {
      const component = rows[row * dimensions + i]!;
      for (let k = 0; k < kept; k++) reduced[row * kept + k]! += component * vectors[i * dimensions + k]!;
    }
  }
  return reduced;
}

function safetensors(values: Float32Array, shape: number[]): Buffer {
  const header = Buffer.from(
    JSON.stringify({ embeddings: { dtype: "F32", shape, data_offsets: [0, values.byteLength] } }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, Buffer.from(values.buffer, values.byteOffset, values.byteLength)]);
}
