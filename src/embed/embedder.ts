import { DossierError } from "../errors.ts";
import type { QueryTerm } from "../text/analysis/query.ts";

/**
 * Turns items and queries into comparable vectors. Each provider is a file in this folder. The store only sees int8
 * vectors whose dot product is `fullScale` squared times the cosine, for every provider.
 */
export type Embedder = {
  id: EmbedderId;
  /** One vector per item, in order; all zeros if the embedder knows nothing about the item. */
  embedItems(items: EmbeddableItem[], signal?: AbortSignal): Promise<Int8Array[]>;
  /** Undefined if the embedder knows no word of the query: there is no direction to search in. */
  embedQuery(query: EmbeddableQuery, signal?: AbortSignal): Promise<Int8Array | undefined>;
};

/** Identifies the origin of vectors. Vectors of two ids are never compared. */
export type EmbedderId = {
  provider: string;
  model: string;
  dimensions: number;
  /** The prefix that a model needs before a query ("query: "), if any. */
  prefix?: string;
};

/** Built-in vectors are made from the packed terms (text/terms), vectors of language models from the text. */
export type EmbeddableItem = { terms: Uint8Array; text: string };
type EmbeddableQuery = { text: string; terms: QueryTerm[] };

/** Length of a quantised vector: a component of 1 is 127. */
export const fullScale = 127;

/** The cosine of two quantised vectors from their dot product, as `searchVectors` scores them. */
export function cosineOf(dotProduct: number): number {
  return dotProduct / (fullScale * fullScale);
}

/** Converts a vector of any length to an int8 vector of length `fullScale`; undefined if it has no direction. */
export function quantise(vector: ArrayLike<number>): Int8Array | undefined {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  const scale = fullScale / Math.sqrt(squares);
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return undefined;
  const quantised = new Int8Array(vector.length);
  // Components of a unit vector are within -1..1, so nothing is clipped.
  for (let i = 0; i < vector.length; i++) quantised[i] = Math.round(vector[i]! * scale);
  return quantised;
}

/** Throws `embedder-mismatch` unless vectors made by `stored` may be searched with `requested`. */
export function requireSameEmbedder(stored: EmbedderId, requested: EmbedderId): void {
  const isSame =
    stored.provider === requested.provider &&
    stored.model === requested.model &&
    stored.dimensions === requested.dimensions &&
    (stored.prefix ?? "") === (requested.prefix ?? "");
  if (isSame) return;
  throw new DossierError(
    "embedder-mismatch",
    `The index holds vectors of ${describe(stored)}, but ${describe(requested)} is asked for.`,
  );
}

function describe(id: EmbedderId): string {
  const prefix = id.prefix ? `, prefix "${id.prefix}"` : "";
  return `${id.provider}/${id.model} (${id.dimensions} dimensions${prefix})`;
}
