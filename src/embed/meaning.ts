import { DossierError } from "../errors.ts";
import type { Store } from "../stores/store.ts";
import type { QueryTerm } from "../text/analysis/query.ts";
import { knownModel } from "./known-models.ts";
import type { ModelConfig } from "./model-config.ts";
import { answeringVectors, type KnownVectors, modelName, readModelState } from "./model-state.ts";
import { modelFailed, openedModel } from "./opened-models.ts";

/**
 * A query as a model sees it: its vector, the key of the vectors to compare it with, and the model's weight in the
 * score, 0..1.
 */
export type Meaning = { model: string; vector: Int8Array; weight: number };

/** Milliseconds that a question waits for a model; a local model may have to be read from disk first. */
const patience = { http: 2000, onnx: 8000, static: 8000 };

/** Undefined if no model of the workspace can answer yet. If a model fails or is late, this is a warning. */
export async function meaningOf(
  query: { text: string; terms: QueryTerm[] },
  store: Store,
  owner: string,
): Promise<{ meaning?: Meaning; warning?: string }> {
  const vectors = answeringVectors(await readModelState(store, owner));
  if (!vectors || query.text.trim() === "") return {};
  const { config, key, id } = vectors;
  try {
    const vector = await withTimeout(config, async (signal) => {
      const embedder = await openedModel(config);
      requireRevision(embedder.revision, vectors);
      const cacheKey = `${key}\n${query.text}`;
      const vector = remembered.get(cacheKey) ?? (await embedder.embedQuery(query, signal));
      if (vector) remember(cacheKey, vector);
      return vector;
    });
    if (vector && vector.length !== id.dimensions) {
      throw new DossierError("embedder-mismatch", `it gave ${vector.length} components instead of ${id.dimensions}`);
    }
    return vector ? { meaning: { model: key, vector, weight: weightOf(config) } } : {};
  } catch (error) {
    return { warning: warningOf(config, modelFailed(config, error)) };
  }
}

/** Cached vectors of recent questions: one question is sent to several sources, and again with other settings. */
const remembered = new Map<string, Int8Array>();
const mostRemembered = 64;

function remember(cacheKey: string, vector: Int8Array): void {
  remembered.delete(cacheKey);
  remembered.set(cacheKey, vector);
  for (const oldest of remembered.keys()) if (remembered.size > mostRemembered) remembered.delete(oldest);
}

/** Vectors of two versions of a model's weights cannot be compared. */
function requireRevision(revision: string, vectors: KnownVectors): void {
  if (revision === vectors.revision) return;
  throw new DossierError(
    "embedder-mismatch",
    "it is not the version that made the vectors; dossier index makes them anew",
  );
}

async function withTimeout<Result>(
  config: ModelConfig,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const most = patience[config.provider];
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop.abort();
      reject(new DossierError("model-unavailable", `it did not answer within ${most / 1000} seconds`));
    }, most);
  });
  try {
    const result = work(stop.signal);
    // The question was already answered without the model, so its failure is ignored.
    result.catch(() => undefined);
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function warningOf(config: ModelConfig, { message }: DossierError): string {
  return `The built-in vectors answered without the model ${modelName(config)}: ${message.replace(/\.$/, "")}.`;
}

/** The model's share of a score, 0..1. The table's weight is relative to a weight of 1 for the words. */
function weightOf(config: ModelConfig): number {
  const { weight } = knownModel(modelName(config));
  return weight / (1 + weight);
}
