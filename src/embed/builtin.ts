import { setImmediate } from "node:timers/promises";
import { DossierError } from "../errors.ts";
import type { Store } from "../stores/store.ts";
import { hashText } from "../text/hash.ts";
import { type Embedder, type EmbedderId, quantise, requireSameEmbedder } from "./embedder.ts";
import { sampleItems } from "./sample.ts";
import { decodeModel, encodeModel, foldItem, foldQuery, type TermModel } from "./term-model.ts";
import { dimensions, trainModel } from "./train.ts";

/**
 * Vectors learned from the workspace itself: there are no weights to download, and training takes about a second for
 * 35,000 items.
 */
export const builtinId: EmbedderId = { provider: "builtin", model: "lsa-1", dimensions };

export type VectorChange = {
  /** Items that were added or whose text has changed. */
  changedIds: string[];
  /** All items that were written, if more than the changed ones: most parts of a changed file keep their text. */
  writtenIds?: string[];
  /** Number of items in the workspace. */
  total: number;
  /** The embedder's `revision`, if the changed items were written with vectors that it made. */
  embeddedBy?: string;
};
export type VectorOptions = { signal?: AbortSignal; progress?: (progress: VectorProgress) => void };
type VectorProgress = { stage: "reading" | "learning" | "embedding"; done: number; total?: number };

/** `revision` identifies the training: vectors of two trainings cannot be compared. */
export type BuiltinEmbedder = Embedder & { revision: string };

/** The least number of items from which topics can be learned. */
const fewestItems = 50;
/** If this share of the items has changed, the model is stale. */
const staleShare = 0.2;
const batchSize = 500;

const modelNote = "embedder.model";

/** Brings the vectors up to date: trains if there is no model or it is stale, otherwise folds the changed items in. */
export async function updateVectors(
  store: Store,
  owner: string,
  change: VectorChange,
  options: VectorOptions = {},
): Promise<void> {
  const state = await readState(store, owner);
  // Vectors of another version can be replaced at no cost; vectors of another provider may have been paid for.
  if (state && state.provider !== builtinId.provider) requireSameEmbedder(state, builtinId);
  const changedSince = (state?.changedSince ?? 0) + change.changedIds.length;
  const model = state && isSameVersion(state) ? await readModel(store, owner) : undefined;
  const isStale = changedSince > staleShare * change.total;
  if ((!model || isStale) && change.total >= fewestItems) return learn(store, owner, change.total, options);
  if (!state || !model) return;
  const { changedIds, writtenIds = changedIds } = change;
  if (writtenIds.length === 0) return;
  if (change.embeddedBy !== state.revision) await foldChanged(store, owner, model, writtenIds, options);
  await writeState(store, owner, { ...state, changedSince });
}

function isSameVersion(state: EmbedderState): boolean {
  return state.model === builtinId.model && state.dimensions === dimensions;
}

async function readModel(store: Store, owner: string): Promise<TermModel | undefined> {
  const bytes = await store.metadata(owner, modelNote);
  const model = bytes && decodeModel(bytes);
  return model?.dimensions === dimensions ? model : undefined;
}

async function learn(store: Store, owner: string, total: number, { signal, progress }: VectorOptions): Promise<void> {
  const sample = await sampleItems(store.allTerms(owner, "unit"), total, (done) => {
    progress?.({ stage: "reading", done, total });
    stopIfAborted(signal);
  });
  let step = 0;
  const model = await trainModel(sample, async () => {
    progress?.({ stage: "learning", done: ++step });
    await setImmediate();
    stopIfAborted(signal);
  });
  if (!model) return;
  // From here until the last vector is written, the index has vectors of two kinds. Without a state, readers find no
  // embedder, and a run after a crash trains again.
  await writeState(store, owner, undefined);
  const bytes = encodeModel(model);
  await store.writeMetadata(owner, modelNote, bytes);
  let done = 0;
  for await (const batch of store.allTerms(owner, "unit")) {
    stopIfAborted(signal);
    await store.writeVectors(owner, new Map(batch.map(({ id, terms }) => [id, itemVector(model, terms)])));
    done += batch.length;
    progress?.({ stage: "embedding", done, total });
  }
  await writeState(store, owner, { ...builtinId, revision: hashText(bytes), changedSince: 0 });
}

async function foldChanged(
  store: Store,
  owner: string,
  model: TermModel,
  ids: string[],
  { signal, progress }: VectorOptions,
): Promise<void> {
  for (let from = 0; from < ids.length; from += batchSize) {
    stopIfAborted(signal);
    const terms = await store.terms(owner, "unit", ids.slice(from, from + batchSize));
    const vectors = new Map<string, Int8Array>();
    for (const [id, packed] of terms) vectors.set(id, itemVector(model, packed));
    if (vectors.size > 0) await store.writeVectors(owner, vectors);
    progress?.({ stage: "embedding", done: Math.min(from + batchSize, ids.length), total: ids.length });
  }
}

/**
 * All zeros for an item with unknown terms only: it is equally far from everything, and the zeros replace an older
 * vector.
 */
function itemVector(model: TermModel, terms: Uint8Array): Int8Array {
  return quantise(foldItem(model, terms)) ?? new Int8Array(dimensions);
}

/** One opened embedder for each store and owner, so that a query does not read megabytes to embed three words. */
const opened = new WeakMap<Store, Map<string, BuiltinEmbedder>>();

/** The embedder that made the index's vectors; undefined if there is none yet. */
export async function builtinEmbedder(store: Store, owner: string): Promise<BuiltinEmbedder | undefined> {
  const state = await readState(store, owner);
  if (!state) return undefined;
  requireSameEmbedder(state, builtinId);
  const current = opened.get(store)?.get(owner);
  if (current?.revision === state.revision) return current;
  const model = await readModel(store, owner);
  if (!model) throw new DossierError("store-damaged", "What the index learned about related words cannot be read.");
  const embedder: BuiltinEmbedder = {
    id: builtinId,
    revision: state.revision,
    embedItems: async (items) => items.map((item) => itemVector(model, item.terms)),
    embedQuery: async (query) => quantise(foldQuery(model, query.terms)),
  };
  const owners = opened.get(store) ?? new Map<string, BuiltinEmbedder>();
  opened.set(store, owners.set(owner, embedder));
  return embedder;
}

function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DossierError("interrupted", "Learning related words was interrupted.");
}

/**
 * The embedder that made the vectors of an index, of any provider. Without this state the index has no vectors to
 * search.
 */
type EmbedderState = EmbedderId & {
  /** Identifies one training, or one version of a model's weights. */
  revision: string;
  /** Number of items changed since the training. */
  changedSince: number;
};

const stateNote = "embedder";

async function readState(store: Store, owner: string): Promise<EmbedderState | undefined> {
  const bytes = await store.metadata(owner, stateNote);
  return bytes && bytes.length > 0 ? (JSON.parse(new TextDecoder().decode(bytes)) as EmbedderState) : undefined;
}

/** Writes the state; `undefined` removes it. */
export async function writeState(store: Store, owner: string, state: EmbedderState | undefined): Promise<void> {
  await store.writeMetadata(owner, stateNote, new TextEncoder().encode(state ? JSON.stringify(state) : ""));
}
