import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import { quantise } from "../embedder.ts";
import { graphOf, type LocalModel } from "../model-folder.ts";
import { openTokenizer, type Tokenizer } from "../tokenizer/tokenizer.ts";
import { readGraph } from "./onnx-file.ts";
import { type InferenceSession, loadRuntime, type Runtime } from "./runtime.ts";

/** A loaded model that turns texts into vectors; it runs in a separate process. */
export type OnnxSession = {
  dimensions: number;
  /** Undefined for a text without a direction. */
  embed(text: string): Promise<Int8Array | undefined>;
  close(): Promise<void>;
};

/**
 * Half of the processors, so that the other half answers questions while a workspace is embedded. With one thread each,
 * a processor embeds some 120 functions a second with MiniLM, 60 with bge-small. A second thread adds less than it
 * takes. Each text is one run. Several texts in one run are slower, because their activations leave the processor's
 * cache; and the scales of a quantised model would make a text's vector depend on its neighbours.
 */
const mostThreads = 4;

export async function openSession(folder: string, model: LocalModel, dimensions?: number): Promise<OnnxSession> {
  const path = graphOf(folder);
  if (!path) {
    throw new DossierError(
      "model-damaged",
      `There is no model.onnx and no model_quantized.onnx in ${folder}, so the model ${model.model} cannot run.`,
    );
  }
  const graph = readGraph(path);
  const tokenizer = await openTokenizer(folder);
  requireFit(folder, tokenizer, graph.vocabulary);
  if (dimensions !== undefined && dimensions > graph.dimensions) {
    throw new DossierError(
      "bad-input",
      `${dimensions} dimensions are asked for, but vectors of ${model.model} have ${graph.dimensions}.`,
    );
  }
  const runtime = loadRuntime();
  const session = await createSession(runtime, path);
  const size = dimensions ?? graph.dimensions;
  return {
    dimensions: size,
    async embed(text) {
      const ids = [
        ...tokenizer.before,
        ...tokenizer.encode(text, model.maxTokens - tokenizer.before.length - tokenizer.after.length),
        ...tokenizer.after,
      ];
      if (ids.length === 0) return undefined;
      const output = await run(runtime, session, ids, folder);
      return quantise(pool(output, model.pooling).subarray(0, size));
    },
    close: () => session.release(),
  };
}

function requireFit(folder: string, tokenizer: Tokenizer, vocabulary: number | undefined): void {
  if (vocabulary === undefined || tokenizer.size <= vocabulary) return;
  throw new DossierError(
    "model-damaged",
    `The tokenizer in ${join(folder, "tokenizer.json")} does not fit the model: it knows ${tokenizer.size} pieces, the model ${vocabulary}.`,
  );
}

async function createSession(runtime: Runtime, path: string): Promise<InferenceSession> {
  if (runtime.env.wasm) runtime.env.wasm.numThreads = 1;
  try {
    return await runtime.InferenceSession.create(path, {
      intraOpNumThreads: Math.max(1, Math.min(mostThreads, availableParallelism() >> 1)),
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      // Only errors are logged; they also arrive as exceptions.
      logSeverityLevel: 4,
      // Threads that spin while they wait take processor time from others.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DossierError("model-damaged", `ONNX Runtime cannot load ${path}: ${reason}`, { cause: error });
  }
}

type Output = { data: Float32Array; tokens: number; dimensions: number };

async function run(runtime: Runtime, session: InferenceSession, ids: number[], folder: string): Promise<Output> {
  const shape = [1, ids.length];
  const inputs: Record<string, BigInt64Array> = {
    input_ids: BigInt64Array.from(ids, BigInt),
    attention_mask: new BigInt64Array(ids.length).fill(1n),
    token_type_ids: new BigInt64Array(ids.length),
    position_ids: BigInt64Array.from(ids.keys(), BigInt),
  };
  const feeds = session.inputNames.map((name) => {
    const data = inputs[name];
    if (data) return [name, new runtime.Tensor("int64", data, shape)] as const;
    throw new DossierError("model-damaged", `The model in ${folder} wants an input that is not known here: ${name}.`);
  });
  const outputs = await session.run(Object.fromEntries(feeds)).catch((error: Error) => {
    const reason = error.message.split("\n")[0];
    throw new DossierError("model-damaged", `The model in ${folder} failed on a text: ${reason}`, { cause: error });
  });
  const { data, dims } = outputs[session.outputNames[0]!]!;
  if (!(data instanceof Float32Array)) {
    throw new DossierError("model-damaged", `The model in ${folder} does not answer with floats of 32 bits.`);
  }
  // Some exported models pool in the graph: their output is one vector, without a dimension for the tokens.
  return { data, tokens: dims.length === 3 ? dims[1]! : 1, dimensions: dims.at(-1)! };
}

/** Pools the vectors of all tokens into one: the first token's, or their mean. */
function pool({ data, tokens, dimensions }: Output, pooling: "mean" | "cls"): Float32Array {
  if (pooling === "cls" || tokens === 1) return data.subarray(0, dimensions);
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < data.length; at += dimensions) {
    for (let i = 0; i < dimensions; i++) sum[i]! += data[at + i]!;
  }
  return sum;
}
