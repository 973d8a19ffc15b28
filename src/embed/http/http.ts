import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { DossierError } from "../../errors.ts";
import { quantise } from "../embedder.ts";
import { knownModel } from "../known-models.ts";
import type { HttpModelConfig, ModelEmbedder } from "../model-config.ts";
import type { OpenModelOptions } from "../open-model.ts";
import { embedPassages, isBlank } from "../passages.ts";
import { openPoster, RefusedInput, type RequestLimits } from "./request.ts";

const usualBatch = 32;
/** Servers on the network answer many requests at once; a server on this machine shares our processors. */
const usualConcurrency = { "https:": 4, "http:": 2 };
/** Some 2,000 tokens: a text's subject stands at its beginning, and every server has a limit. */
const longestText = 8_000;
/** A refused text is cut in halves, down to this length. */
const shortestCut = 250;

/** A batch may run on a slow processor; for a question somebody waits. */
export type HttpPatience = { batch: RequestLimits; question: RequestLimits };
const usualPatience: HttpPatience = {
  batch: { attempts: 6, timeout: 120_000, firstPause: 500, longestPause: 60_000 },
  question: { attempts: 2, timeout: 15_000, firstPause: 200, longestPause: 2_000 },
};

/** A model behind OpenAI's `/v1/embeddings`: Ollama, LM Studio, vLLM, TEI, OpenAI, Voyage, Jina. */
export async function openHttpModel(
  config: HttpModelConfig,
  { signal, environment = process.env }: OpenModelOptions = {},
  patience: HttpPatience = usualPatience,
): Promise<ModelEmbedder> {
  const { model } = config;
  const traits = knownModel(model);
  const { queryPrefix = traits.queryPrefix ?? "", passagePrefix = traits.passagePrefix ?? "" } = config;
  const url = endpointOf(config.url);
  const server = openPoster(url, keyOf(config, environment));
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  // Optional fields: some servers refuse fields that they do not know.
  let optional: object = { encoding_format: "float", ...(config.dimensions && { dimensions: config.dimensions }) };
  let hasAnswered = false;

  async function ask(texts: string[], limits: RequestLimits, stop: AbortSignal): Promise<Float32Array[]> {
    const answer = await server.post({ model, input: texts, ...optional }, limits, stop);
    const vectors = vectorsIn(answer, texts.length);
    if ("wrong" in vectors) throw server.unavailable(vectors.wrong);
    hasAnswered = true;
    return vectors;
  }

  /**
   * The reason for a refusal is not machine-readable: an unknown field, a batch or a text that is too large. Each is
   * tried in turn, unless the server refuses a single plain word too: then its message is about the configuration.
   */
  async function askPatiently(texts: string[], limits: RequestLimits, stop: AbortSignal): Promise<Float32Array[]> {
    try {
      return await ask(texts, limits, stop);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      if (Object.keys(optional).length > 0 && !hasAnswered) {
        optional = {};
        return askPatiently(texts, limits, stop);
      }
      if (!hasAnswered) await ask(["word"], limits, stop);
      if (texts.length > 1) {
        const half = texts.length >> 1;
        const first = await askPatiently(texts.slice(0, half), limits, stop);
        return [...first, ...(await askPatiently(texts.slice(half), limits, stop))];
      }
      const [text = ""] = texts;
      if (text.length <= shortestCut) throw error;
      return askPatiently([text.slice(0, text.length >> 1)], limits, stop);
    }
  }

  function quantised(vector: Float32Array, dimensions: number): Int8Array | undefined {
    const isCut = config.dimensions !== undefined && vector.length > dimensions;
    if (vector.length !== dimensions && !isCut) {
      throw server.unavailable(
        `answered with vectors of ${vector.length} components where ${model} should have ${dimensions}`,
      );
    }
    return quantise(vector.subarray(0, dimensions));
  }

  const stopBy = (callerSignal?: AbortSignal) =>
    callerSignal ? AbortSignal.any([callerSignal, closing.signal]) : closing.signal;
  const dimensions =
    config.dimensions ??
    traits.dimensions ??
    (await askPatiently(["word"], patience.question, stopBy(signal)))[0]!.length;

  async function embedBatches(texts: string[], stop: AbortSignal): Promise<Int8Array[]> {
    const size = Math.max(1, config.batchSize ?? usualBatch);
    const vectors: Int8Array[] = new Array(texts.length);
    const failing = new AbortController();
    const either = AbortSignal.any([stop, failing.signal]);
    setMaxListeners(0, either);
    let next = 0;
    async function work(): Promise<void> {
      while (next < texts.length) {
        const start = next;
        next += size;
        const batch = texts.slice(start, start + size);
        const batchVectors = await askPatiently(batch, patience.batch, either);
        for (const [i, vector] of batchVectors.entries()) {
          vectors[start + i] = quantised(vector, dimensions) ?? new Int8Array(dimensions);
        }
      }
    }
    const concurrency = config.concurrency ?? usualConcurrency[url.protocol as "http:" | "https:"];
    const workers = Array.from({ length: Math.max(1, concurrency) }, () =>
      work().catch((error) => {
        // The first failure is the one reported; the others only stop.
        if (!failing.signal.aborted) failing.abort(error);
      }),
    );
    await Promise.all(workers);
    if (failing.signal.aborted) throw failing.signal.reason;
    return vectors;
  }

  return {
    id: { provider: "http", model, dimensions, ...(queryPrefix && { prefix: queryPrefix }) },
    // The address is not part of it: the same model on another server makes the same vectors.
    revision: createHash("sha256")
      .update(JSON.stringify([model, dimensions, passagePrefix]))
      .digest("hex")
      .slice(0, 16),
    embedItems(items, itemsSignal) {
      const stop = stopBy(itemsSignal);
      return embedPassages(items, { prefix: passagePrefix, dimensions }, (texts) =>
        embedBatches(
          texts.map((text) => text.slice(0, longestText)),
          stop,
        ),
      );
    },
    async embedQuery({ text }, querySignal) {
      if (isBlank(text)) return undefined;
      const texts = [(queryPrefix + text).slice(0, longestText)];
      const [vector] = await askPatiently(texts, patience.question, stopBy(querySignal));
      return quantised(vector!, dimensions);
    },
    async close() {
      closing.abort();
    },
  };
}

/** The address that texts are sent to, made of what the user configured. */
function endpointOf(configured: string): URL {
  let url: URL;
  try {
    url = new URL(configured);
  } catch (error) {
    throw new DossierError("bad-input", `${configured} is not an address of a server (http://localhost:11434/v1).`, {
      cause: error,
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new DossierError(
      "bad-input",
      `The address of a model's server begins with http:// or https://, not ${url.protocol}`,
    );
  }
  if (url.username || url.password) {
    throw new DossierError(
      "bad-input",
      `The address of the model's server at ${url.host} holds a password: name the variable that holds the key instead.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/embeddings$/, "")}/embeddings`;
  url.hash = "";
  return url;
}

function keyOf({ keyVariable, url }: HttpModelConfig, environment: Record<string, string | undefined>) {
  if (keyVariable === undefined) return undefined;
  const value = environment[keyVariable]?.trim() ?? "";
  const refused = (problem: string) =>
    new DossierError(
      "model-refused",
      `The variable ${keyVariable}, for the key of the model's server at ${url}, ${problem}.`,
    );
  if (value === "") throw refused("is not set");
  // Any other character is illegal in a header, and the resulting error would print the key.
  if (!/^[\x21-\x7e]+$/.test(value)) throw refused("holds characters that no key has");
  return { value, variable: keyVariable };
}

/** Parses the answer of an OpenAI-compatible server to a batch, which is not trusted. */

/**
 * The vectors in the order of the texts; or what is wrong with the answer, as the end of a sentence that names the
 * server.
 */
function vectorsIn(answer: unknown, count: number): Float32Array[] | { wrong: string } {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return { wrong: "answered without a list of vectors" };
  if (data.length !== count) return { wrong: `answered with ${data.length} vectors for ${count} texts` };
  const vectors: Float32Array[] = new Array(count);
  for (const [place, entry] of data.entries()) {
    const { embedding, index } = (entry ?? {}) as { embedding?: unknown; index?: unknown };
    // Servers may answer in any order; without indexes their order is the order of the request.
    const at = index === undefined ? place : index;
    if (typeof at !== "number" || !(at in data) || vectors[at])
      return { wrong: "answered with vectors in no clear order" };
    const vector = vectorOf(embedding);
    if (!vector) return { wrong: "answered with vectors that hold no numbers" };
    vectors[at] = vector;
  }
  return vectors;
}

function vectorOf(embedding: unknown): Float32Array | undefined {
  const vector = typeof embedding === "string" ? decodeFloats(embedding) : embedding;
  if (!(vector instanceof Float32Array) && !Array.isArray(vector)) return undefined;
  if (vector.length === 0) return undefined;
  // A number that no float of 32 bits can hold is infinite in it.
  const floats = new Float32Array(vector.length);
  for (const [i, component] of vector.entries()) {
    if (typeof component !== "number" || !Number.isFinite(Math.fround(component))) return undefined;
    floats[i] = component;
  }
  return floats;
}

/** Servers that do not know `encoding_format` may answer in base64: floats of 32 bits, little-endian. */
function decodeFloats(base64: string): Float32Array | undefined {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
