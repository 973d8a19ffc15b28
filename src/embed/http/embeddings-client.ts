import { setMaxListeners } from "node:events";
import { quantise } from "../embedder.ts";
import type { HttpModelConfig } from "../model-config.ts";
import { type Poster, RefusedInput, type RequestLimits } from "./request.ts";

const usualBatch = 32;
/**
 * Servers on the network answer many requests at once; a server on this machine shares its processors with this
 * process.
 */
const usualConcurrency = { "https:": 4, "http:": 2 };
/** A refused text is cut in halves, down to this length. */
const shortestCut = 250;

type EmbedOptions = { dimensions: number; limits: RequestLimits; stop: AbortSignal };

/** Asks one server for the vectors of texts. */
export class EmbeddingsClient {
  readonly #config: HttpModelConfig;
  readonly #server: Poster;
  readonly #concurrency: number;
  /** Optional fields of a request: some servers refuse unknown fields. */
  #optional: object;
  #hasAnswered = false;

  constructor(config: HttpModelConfig, url: URL, server: Poster) {
    this.#config = config;
    this.#server = server;
    this.#concurrency = config.concurrency ?? usualConcurrency[url.protocol as "http:" | "https:"];
    this.#optional = { encoding_format: "float", ...(config.dimensions && { dimensions: config.dimensions }) };
  }

  /**
   * The vectors of texts, in order. The reason for a refusal is not machine-readable: it may be an unknown field, or a
   * batch or a text that is too large. Each is tried in turn, unless the server refuses a single plain word too: then
   * its message is about the configuration.
   */
  async vectors(texts: string[], limits: RequestLimits, stop: AbortSignal): Promise<Float32Array[]> {
    try {
      return await this.#ask(texts, limits, stop);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      if (Object.keys(this.#optional).length > 0 && !this.#hasAnswered) {
        this.#optional = {};
        return this.vectors(texts, limits, stop);
      }
      if (!this.#hasAnswered) await this.#ask(["word"], limits, stop);
      if (texts.length > 1) {
        const half = texts.length >> 1;
        const first = await this.vectors(texts.slice(0, half), limits, stop);
        return [...first, ...(await this.vectors(texts.slice(half), limits, stop))];
      }
      const [text = ""] = texts;
      if (text.length <= shortestCut) throw error;
      return this.vectors([text.slice(0, text.length >> 1)], limits, stop);
    }
  }

  /** The quantised vectors of any number of texts, requested in batches, some of them concurrently. */
  async embed(texts: string[], { dimensions, limits, stop }: EmbedOptions): Promise<Int8Array[]> {
    const size = Math.max(1, this.#config.batchSize ?? usualBatch);
    const vectors: Int8Array[] = new Array(texts.length);
    const failing = new AbortController();
    const either = AbortSignal.any([stop, failing.signal]);
    setMaxListeners(0, either);
    let next = 0;
    const work = async () => {
      while (next < texts.length) {
        const start = next;
        next += size;
        const batch = await this.vectors(texts.slice(start, start + size), limits, either);
        for (const [i, vector] of batch.entries()) {
          vectors[start + i] = this.quantised(vector, dimensions) ?? new Int8Array(dimensions);
        }
      }
    };
    const workers = Array.from({ length: Math.max(1, this.#concurrency) }, () =>
      work().catch((error) => {
        // The first failure is reported; the other requests only stop.
        if (!failing.signal.aborted) failing.abort(error);
      }),
    );
    await Promise.all(workers);
    if (failing.signal.aborted) throw failing.signal.reason;
    return vectors;
  }

  quantised(vector: Float32Array, dimensions: number): Int8Array | undefined {
    const isCut = this.#config.dimensions !== undefined && vector.length > dimensions;
    if (vector.length !== dimensions && !isCut) {
      throw this.#server.unavailable(
        `answered with vectors of ${vector.length} components where ${this.#config.model} should have ${dimensions}`,
      );
    }
    return quantise(vector.subarray(0, dimensions));
  }

  async #ask(texts: string[], limits: RequestLimits, stop: AbortSignal): Promise<Float32Array[]> {
    const answer = await this.#server.post(
      { model: this.#config.model, input: texts, ...this.#optional },
      limits,
      stop,
    );
    const vectors = vectorsIn(answer, texts.length);
    if ("wrong" in vectors) throw this.#server.unavailable(vectors.wrong);
    this.#hasAnswered = true;
    return vectors;
  }
}

/**
 * The vectors in the order of the texts; or the error in the answer, as the end of a sentence that names the server.
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
  // A number that is too large for a 32-bit float becomes infinite.
  const floats = new Float32Array(vector.length);
  for (const [i, component] of vector.entries()) {
    if (typeof component !== "number" || !Number.isFinite(Math.fround(component))) return undefined;
    floats[i] = component;
  }
  return floats;
}

/** Servers that do not know `encoding_format` may answer in base64: 32-bit floats, little-endian. */
function decodeFloats(base64: string): Float32Array | undefined {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}
