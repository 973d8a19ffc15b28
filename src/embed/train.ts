import { entryBytes } from "../text/analysis/terms.ts";
import type { SparseMatrix } from "./products.ts";
import { type RightSingular, rightSingularVectors } from "./svd.ts";
import { firstAtLeast, forEachWeightedTerm, type TermModel } from "./term-model.ts";

/*
 * Latent semantic analysis: the item-term matrix (log(1 + weighted frequency) times idf, rows of length 1) is reduced
 * to its strongest directions, so that items with related words are close even if they share none. Measured in
 * docs/ranking: beside BM25, 32 to 128 dimensions rank alike and 256 are worse; alone, 64 are much better than 32. One
 * pass after the first is enough (six are worse); int8 costs nothing.
 */
export const dimensions = 64;
const passes = 1;
/**
 * With as many directions as items, each item has its own direction and nothing is related: at 60 items, 64 directions
 * cost .6 points beside BM25 and 12 add .5.
 */
const itemsPerDirection = 5;

/** A term of a single item relates no items. */
const fewestItems = 2;
/** A term that most items have relates none either: the project's own name, or the folder that contains everything. */
const largestShare = 0.5;
/**
 * Each term takes 72 bytes in the stored model. The rarest are dropped first: they are in few items, and BM25 finds
 * those.
 */
const mostTerms = 50_000;

/**
 * Learns a direction for every useful term of these items (packed terms, in a deterministic order). Undefined if the
 * items share no terms. `pause` is awaited between the long steps. With fewer directions than the default, only the
 * strongest topics are distinguished.
 */
export async function trainModel(
  items: Uint8Array[],
  pause?: () => Promise<void>,
  mostDirections = dimensions,
): Promise<TermModel | undefined> {
  const terms = weightedTerms(items);
  const { hashes, rarity } = vocabulary(terms.hashes.slice().sort(), items.length);
  if (hashes.length === 0) return undefined;
  const matrix = weightedMatrix(terms, hashes, rarity);
  await pause?.();
  const useful = Math.max(2, Math.floor(Math.min(items.length, hashes.length) / itemsPerDirection));
  const svd = await rightSingularVectors(matrix, Math.min(dimensions, mostDirections, useful), {
    iterations: passes,
    pause,
  });
  return pack(svd, hashes, rarity);
}

/** The terms worth a direction, as ascending hashes, with their idf, from the sorted terms of all items. */
function vocabulary(all: Uint32Array, itemCount: number): { hashes: Uint32Array; rarity: Float64Array } {
  const most = Math.max(fewestItems, itemCount * largestShare);
  let terms: { hash: number; items: number }[] = [];
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to] === all[from]) to++;
    if (to - from >= fewestItems && to - from <= most) terms.push({ hash: all[from]!, items: to - from });
  }
  if (terms.length > mostTerms) {
    terms.sort((a, b) => b.items - a.items || a.hash - b.hash);
    terms = terms.slice(0, mostTerms).sort((a, b) => a.hash - b.hash);
  }
  return {
    hashes: Uint32Array.from(terms, (term) => term.hash),
    rarity: Float64Array.from(terms, (term) => Math.log(itemCount / term.items)),
  };
}

/**
 * The terms of all items in sequence, each term once per item: those of item i are from `starts[i]` up to `starts[i +
 * 1]`.
 */
type WeightedTerms = { starts: Uint32Array; hashes: Uint32Array; weights: Float32Array };

function weightedTerms(items: Uint8Array[]): WeightedTerms {
  let bytes = 0;
  for (const packed of items) bytes += packed.length;
  const starts = new Uint32Array(items.length + 1);
  // A term has at least one entry.
  const hashes = new Uint32Array(bytes / entryBytes);
  const weights = new Float32Array(bytes / entryBytes);
  let end = 0;
  for (let item = 0; item < items.length; item++) {
    forEachWeightedTerm(items[item]!, (hash, weight) => {
      hashes[end] = hash;
      weights[end++] = weight;
    });
    starts[item + 1] = end;
  }
  return { starts, hashes: hashes.subarray(0, end), weights: weights.subarray(0, end) };
}

/** Builds the matrix in place of the terms, which are not needed any more. */
function weightedMatrix(terms: WeightedTerms, hashes: Uint32Array, rarity: Float64Array): SparseMatrix {
  const { starts, hashes: columns, weights: values } = terms;
  const rows = starts.length - 1;
  let end = 0;
  for (let row = 0, from = 0; row < rows; row++) {
    const to = starts[row + 1]!;
    const begin = end;
    let column = 0;
    let squares = 0;
    for (; from < to; from++) {
      const hash = columns[from]!;
      column = firstAtLeast(hashes, hash, column);
      if (hashes[column] !== hash) continue;
      const value = values[from]! * rarity[column]!;
      columns[end] = column;
      values[end++] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares) || 1;
    for (let j = begin; j < end; j++) values[j]! /= length;
    starts[row + 1] = end;
  }
  return { rows, width: hashes.length, starts, columns, values };
}

function pack(svd: RightSingular, hashes: Uint32Array, rarity: Float64Array): TermModel | undefined {
  if (svd.rank === 0) return undefined;
  const scales = new Float32Array(hashes.length);
  // A small workspace may have fewer directions than requested; the other components stay zero.
  const directions = new Int8Array(hashes.length * dimensions);
  for (let term = 0; term < hashes.length; term++) {
    const direction = svd.vectors.subarray(term * svd.rank, (term + 1) * svd.rank);
    let largest = 0;
    for (const component of direction) largest = Math.max(largest, Math.abs(component));
    if (largest === 0) continue;
    scales[term] = (largest * rarity[term]!) / 127;
    for (let k = 0; k < direction.length; k++)
      directions[term * dimensions + k] = Math.round((direction[k]! / largest) * 127);
  }
  return { dimensions, hashes, scales, directions };
}
