import type { Item } from "../item.ts";
import type { Hit, VectorSearch } from "./store.ts";

/**
 * Vectors of a shelf's items by a language model, beside the built-in ones. Several models may have theirs at once: an
 * old model answers until a new one is complete. An item that is written with the same text keeps its vectors; a
 * changed one loses them.
 */
export type ModelVectorStore = {
  /** Searchable items without a vector of this model, file by file. */
  missing(owner: string, model: string, limit: number): Promise<EmptySlot[]>;
  /**
   * Writes vectors into slots; one whose item was replaced meanwhile is left out. The revision stays: text search gives
   * the same. Throws `embedder-mismatch` where a vector's length differs from the others of this model.
   */
  write(owner: string, model: string, vectors: ReadonlyMap<number, Int8Array>): Promise<void>;
  /** The nearest by dot product, exact. */
  search(owner: string, model: string, search: VectorSearch): Promise<Hit[]>;
  /** Dot products of a vector with those of these items; an item without one is absent. */
  products(owner: string, model: string, vector: Int8Array, ids: string[]): Promise<Map<string, number>>;
  /** Number of searchable items, and of those with a vector of each model. */
  counts(owner: string): Promise<VectorCounts>;
  /** Removes all vectors of a model. */
  forget(owner: string, model: string): Promise<void>;
  /**
   * Takes or renews a lease: true when nobody else holds it at `now`. A process that is gone holds it until `until`,
   * milliseconds since 1970, and not longer.
   */
  lease(owner: string, holder: string, now: number, until: number): Promise<boolean>;
};

/** `slot`: identifies this version of the item and is never reused. */
export type EmptySlot = { slot: number; item: Item };

export type VectorCounts = { items: number; models: { model: string; vectors: number }[] };
