import type { Embedder } from "./embedder.ts";

/**
 * Which model makes the vectors of a workspace. Without one the built-in vectors, learned from the workspace, are all
 * there is.
 */
export type ModelConfig = LocalModelConfig | HttpModelConfig;

/**
 * Traits of a model, local or on a server. A missing field gets its value from the table of known models
 * (known-models.ts).
 */
type ModelTraits = {
  /** Prefixes of a query and of an indexed text ("query: ", "passage: "). */
  queryPrefix?: string;
  passagePrefix?: string;
  /** Vectors are cut to this many components, for models trained to be cut. */
  dimensions?: number;
};

/** A folder with `tokenizer.json` and `model.safetensors` (static) or `model.onnx` or `model_quantized.onnx` (onnx). */
export type LocalModelConfig = ModelTraits & {
  provider: "static" | "onnx";
  folder: string;
  /** The model's name; without it the folder's name. */
  model?: string;
  pooling?: "mean" | "cls";
};

/**
 * A server that speaks OpenAI's `/v1/embeddings`. The key is never kept: only the name of the variable that holds it.
 */
export type HttpModelConfig = ModelTraits & {
  provider: "http";
  /** The base address, without `/embeddings`: `http://localhost:11434/v1`. */
  url: string;
  model: string;
  keyVariable?: string;
  batchSize?: number;
  concurrency?: number;
};

/** An embedder that runs a model: it holds a process or connections until it is closed. */
export type ModelEmbedder = Embedder & {
  /** Names one version of the weights: vectors of two revisions do not compare. */
  revision: string;
  close(): Promise<void>;
};
