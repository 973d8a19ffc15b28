import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError, stopIfAborted } from "../../errors.ts";
import { quantise } from "../embedder.ts";
import type { LocalModelConfig, ModelEmbedder } from "../model-config.ts";
import { type LocalModel, localModel, requireFolder, revisionOf, weightsName } from "../model-folder.ts";
import { openTokenizer, type Tokenizer } from "../tokenizer/tokenizer.ts";
import { addNumbers, decodedNumbers, type Numbers, SafetensorsFile } from "./safetensors.ts";

/** Texts that are embedded before the event loop gets a turn: some ten milliseconds of work. */
const textsPerTurn = 256;

/** Names of the table of vectors, in model2vec and in sentence-transformers. */
const tableNames = ["embeddings", "embedding.weight", "0.embedding.weight"];

/**
 * A static model has one vector for each piece of text; the vector of a text is the mean of its pieces. In newer
 * model2vec folders each piece has a weight, and pieces share vectors (`mapping`).
 */
export async function openStaticModel(config: LocalModelConfig): Promise<ModelEmbedder> {
  const { folder } = config;
  requireFolder(folder);
  const model = localModel(config);
  const tokenizer = await openTokenizer(folder);
  const table = openTable(folder, tokenizer);
  try {
    const dimensions = config.dimensions ?? table.dimensions;
    if (dimensions > table.dimensions) {
      throw new DossierError(
        "bad-input",
        `${dimensions} dimensions are asked for, but vectors of ${model.model} have ${table.dimensions}.`,
      );
    }
    return embedder(model, tokenizer, table, dimensions, revisionOf(filesOf(folder), model));
  } catch (error) {
    table.close();
    throw error;
  }
}

function filesOf(folder: string): string[] {
  return [join(folder, weightsName), join(folder, "tokenizer.json")];
}

function embedder(
  model: LocalModel,
  tokenizer: Tokenizer,
  table: Table,
  dimensions: number,
  revision: string,
): ModelEmbedder {
  const { queryPrefix, passagePrefix, maxTokens } = model;
  // Quantising a cut vector gives the same result as cutting a whole one, so only the first components are added up.
  const sum = new Float32Array(dimensions);

  function vectorOf(text: string, add: (id: number) => void): Int8Array | undefined {
    sum.fill(0);
    for (const id of tokenizer.encode(text, maxTokens)) if (id !== tokenizer.unknown) add(id);
    return quantise(sum);
  }

  return {
    id: { provider: "static", model: model.model, dimensions, ...(queryPrefix && { prefix: queryPrefix }) },
    revision,
    async embedItems(items, signal) {
      const add = table.whole(sum);
      const vectors: Int8Array[] = [];
      for (const { text } of items) {
        if (vectors.length % textsPerTurn === textsPerTurn - 1) await nextTurn();
        stopIfAborted(signal);
        vectors.push(vectorOf(passagePrefix + text, add) ?? new Int8Array(dimensions));
      }
      return vectors;
    },
    async embedQuery({ text }) {
      return vectorOf(queryPrefix + text, table.byRows(sum));
    },
    async close() {
      table.close();
    },
  };
}

type Table = {
  dimensions: number;
  /** Returns a function that adds a piece's vector to the sum, from the table in memory; used for many texts. */
  whole(sum: Float32Array): (id: number) => void;
  /** The function that reads from the file; used for one text, while the table is not in memory. */
  byRows(sum: Float32Array): (id: number) => void;
  close(): void;
};

function openTable(folder: string, tokenizer: Tokenizer): Table {
  const file = new SafetensorsFile(join(folder, weightsName));
  try {
    return tableIn(file, folder, tokenizer);
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * The name of the table of vectors, and its size. Throws `model-damaged` if the file contains another kind of model.
 */
export function tableShape(file: SafetensorsFile, folder: string): { name: string; rows: number; dimensions: number } {
  const name = tableNames.find((candidate) => file.tensors.get(candidate)?.shape.length === 2);
  const [rows = 0, dimensions = 0] = file.tensors.get(name ?? "")?.shape ?? [];
  if (name && rows > 0 && dimensions > 0) return { name, rows, dimensions };
  const isTransformer = [...file.tensors.keys()].some((key) => /\b(?:encoder|layers?|attention)\b/.test(key));
  throw new DossierError(
    "model-damaged",
    isTransformer
      ? `${folder} holds the weights of a transformer, which runs from its ONNX export (model.onnx or model_quantized.onnx).`
      : `${join(folder, weightsName)} holds no table of vectors (embeddings), so it is not a static model.`,
  );
}

function tableIn(file: SafetensorsFile, folder: string, tokenizer: Tokenizer): Table {
  const { name, rows, dimensions } = tableShape(file, folder);
  const optional = (key: string) => (file.tensors.has(key) ? decodedNumbers(file.read(key)) : undefined);
  const mapping = optional("mapping");
  const weights = optional("weights");
  const pieces = Math.min(mapping?.length ?? rows, weights?.length ?? Number.POSITIVE_INFINITY);
  if (tokenizer.size > pieces) {
    throw new DossierError(
      "model-damaged",
      `The tokenizer in ${folder} does not fit its model: it knows ${tokenizer.size} pieces, the model ${pieces}.`,
    );
  }
  for (let id = 0; id < (mapping?.length ?? 0); id++) {
    if (mapping![id]! >= 0 && mapping![id]! < rows) continue;
    throw new DossierError("model-damaged", `The mapping in ${folder} points outside the model's table.`);
  }
  const rowOf = (id: number) => mapping?.[id] ?? id;
  const weightOf = (id: number) => weights?.[id] ?? 1;
  let loaded: Numbers | undefined;
  const inMemory = (sum: Float32Array, numbers: Numbers) => (id: number) =>
    addNumbers(sum, numbers, rowOf(id) * dimensions, weightOf(id));
  return {
    dimensions,
    whole(sum) {
      loaded ??= file.read(name);
      return inMemory(sum, loaded);
    },
    byRows(sum) {
      if (loaded) return inMemory(sum, loaded);
      return (id) => addNumbers(sum, file.readRow(name, rowOf(id)), 0, weightOf(id));
    },
    close: () => file.close(),
  };
}
