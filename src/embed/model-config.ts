import type { Embedder } from "./embedder.ts";

/**
 * The model that makes the vectors of a workspace. Without one there are only the built-in vectors, learned from the
 * workspace.
 */
export type ModelConfig = LocalModelConfig | HttpModelConfig;

/**
 * Traits of a model, local or on a server. The table of known models (known-models.ts) gives the values of missing
 * fields.
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
  /** The model's name; by default the folder's name. */
  model?: string;
  pooling?: "mean" | "cls";
};

/** A server with OpenAI's `/v1/embeddings`. The key is never stored, only the name of the variable that contains it. */
export type HttpModelConfig = ModelTraits & {
  provider: "http";
  /** The base address, without `/embeddings`: `http://localhost:11434/v1`. */
  url: string;
  model: string;
  keyVariable?: string;
  batchSize?: number;
  concurrency?: number;
};

/** An embedder that runs a model: it keeps a process or connections open until it is closed. */
export type ModelEmbedder = Embedder & {
  /** Identifies one version of the weights: vectors of two revisions cannot be compared. */
  revision: string;
  close(): Promise<void>;
};
