import type { Item } from "../item.ts";
import type { Hit, VectorSearch } from "./store.ts";

/**
 * Vectors that a language model made of a shelf's items, beside the built-in ones. Several models may have theirs at once: those of an old
 * one answer until a new one's are complete. An item whose text is written again as it was keeps its vectors; one that changed loses them.
 */
export type ModelVectorStore = {
  /** Items that are found by their text and have no vector of this model, file by file. */
  missing(owner: string, model: string, limit: number): Promise<EmptySlot[]>;
  /**
   * Puts vectors into slots; one whose item was replaced meanwhile is left out. Makes no revision grow: what is found by text is the same.
   * Throws `embedder-mismatch` where a vector is not as long as the others of this model.
   */
  write(owner: string, model: string, vectors: ReadonlyMap<number, Int8Array>): Promise<void>;
  /** The nearest by dot product, exact. */
  search(owner: string, model: string, search: VectorSearch): Promise<Hit[]>;
  /** Dot products of a vector with those of these items; an item without one is absent. */
  products(owner: string, model: string, vector: Int8Array, ids: string[]): Promise<Map<string, number>>;
  /** How many items are found by their text, and how many of them have a vector of each model. */
  counts(owner: string): Promise<VectorCounts>;
  /** Removes all that a model made. */
  forget(owner: string, model: string): Promise<void>;
  /**
   * Takes or renews what only one process at a time does: true when nobody else holds it at `now`. Whoever is gone holds it until `until`,
   * milliseconds since 1970, and not longer.
   */
  lease(owner: string, holder: string, now: number, until: number): Promise<boolean>;
};

/** `slot` names this version of the item and is never given twice. */
export type EmptySlot = { slot: number; item: Item };

export type VectorCounts = { items: number; models: { model: string; vectors: number }[] };
