import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DossierError } from "../errors.ts";
import { knownModel } from "./known-models.ts";
import type { LocalModelConfig } from "./model-config.ts";

/**
 * The settings of a local model: from the configuration, then the folder's own files, then the table of known models.
 */
export type LocalModel = {
  model: string;
  queryPrefix: string;
  passagePrefix: string;
  pooling: "mean" | "cls";
  /** Most tokens of a text that the model accepts, including the special tokens. */
  maxTokens: number;
};

/** Where models usually have their graph, the quantised one first: it is several times faster and finds as well. */
const graphNames = ["model_quantized.onnx", "onnx/model_quantized.onnx", "model.onnx", "onnx/model.onnx"];
export const weightsName = "model.safetensors";

/**
 * Longer texts are cut: the cost of attention grows with the square of the length, and a text's subject is at its
 * beginning.
 */
const mostTokens = 512;

/** The path of the ONNX graph in this folder; undefined if there is none. */
export function graphOf(folder: string): string | undefined {
  return graphNames.map((name) => join(folder, name)).find((path) => existsSync(path));
}

/** Throws `not-a-folder` with the given path. */
export function requireFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new DossierError("not-a-folder", `There is no folder ${folder}, where the model should be.`);
}

export function localModel(config: LocalModelConfig): LocalModel {
  const { folder } = config;
  const model = config.model ?? modelNameOf(folder);
  const traits = knownModel(model);
  const pooling = jsonIn(folder, "1_Pooling/config.json");
  const { prompts } = jsonIn(folder, "config_sentence_transformers.json") as { prompts?: Record<string, unknown> };
  const { max_position_embeddings: positions, model_type: type } = jsonIn(folder, "config.json");
  // The RoBERTa family counts positions from two on.
  const places = typeof positions === "number" ? positions - (positions % 128 === 2 ? 2 : 0) : mostTokens;
  return {
    model,
    queryPrefix: config.queryPrefix ?? textOf(prompts?.query) ?? traits.queryPrefix ?? "",
    passagePrefix: config.passagePrefix ?? textOf(prompts?.document ?? prompts?.passage) ?? traits.passagePrefix ?? "",
    pooling: config.pooling ?? (pooling.pooling_mode_cls_token === true ? "cls" : traits.pooling),
    maxTokens: type === "model2vec" ? mostTokens : Math.max(8, Math.min(places, mostTokens)),
  };
}

/**
 * The name of a folder; the name of its model if the folder is in a hub's cache (`models--owner--name/snapshots/1f2e…`)
 * or its files contain the name.
 */
export function modelNameOf(folder: string): string {
  const path = resolve(folder);
  const isSnapshot = basename(dirname(path)) === "snapshots";
  const name = isSnapshot
    ? basename(dirname(dirname(path)))
        .split("--")
        .at(-1)!
    : basename(path);
  const configName = jsonIn(folder, "config.json")._name_or_path;
  if (typeof configName !== "string" || knownModel(name).dimensions !== undefined) return name;
  return knownModel(configName).dimensions === undefined ? name : configName.split("/").at(-1)!;
}

/** A JSON object of the folder; empty if the file is missing, since every such file is optional. */
function jsonIn(folder: string, name: string): Record<string, unknown> {
  const path = join(folder, name);
  if (!existsSync(path)) return {};
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch (error) {
    throw new DossierError("model-damaged", `${path} is not JSON.`, { cause: error });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * A fingerprint of everything that the vectors depend on: other weights, another cut or another prefix give other
 * vectors.
 */
export function revisionOf(files: string[], { passagePrefix, pooling, maxTokens }: LocalModel): string {
  const hash = createHash("sha256");
  for (const path of files) hash.update(fingerprint(path));
  return hash
    .update(JSON.stringify([passagePrefix, pooling, maxTokens]))
    .digest("hex")
    .slice(0, 16);
}

/**
 * How many blocks of a file are hashed for its fingerprint. Hashing hundreds of megabytes would take longer than a
 * question.
 */
const blocks = 64;
const blockBytes = 4096;

function fingerprint(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const hash = createHash("sha256").update(`${size}\n`);
    const block = Buffer.alloc(blockBytes);
    const step = Math.max(blockBytes, Math.floor((size - blockBytes) / (blocks - 1)));
    for (let at = 0; at < size; at += step) hash.update(block.subarray(0, readSync(file, block, 0, blockBytes, at)));
    return hash.digest();
  } finally {
    closeSync(file);
  }
}
