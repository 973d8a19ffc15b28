import { entryBytes } from "../text/analysis/terms.ts";
import type { SparseMatrix } from "./products.ts";
import { type RightSingular, rightSingularVectors } from "./svd.ts";
import { firstAtLeast, forEachWeightedTerm, type TermModel } from "./term-model.ts";

/*
 * Latent semantic analysis: the item-term matrix (log(1 + weighted frequency) times idf, rows of length 1) is cut to its
 * strongest directions, so that items that use related words come close though they share none. Measured in
 * docs/ranking: beside BM25, 32 to 128 dimensions rank alike and 256 are worse, and alone 64 are much better than 32;
 * one pass after the first is enough (six are worse); int8 costs nothing.
 */
export const dimensions = 64;
const passes = 1;
/**
 * With as many directions as items, each item has its own and nothing is related: at 60 items, 64 directions cost .6
 * points beside BM25 and 12 bring .5.
 */
const itemsPerDirection = 5;

/** A term of a single item relates nothing. */
const fewestItems = 2;
/** Nor does a term that most items have: the project's own name, or the folder that everything is in. */
const largestShare = 0.5;
/** 72 bytes each in the stored model. The rarest go first: they are in few items and BM25 finds those. */
const mostTerms = 50_000;

/**
 * Learns a direction for every useful term of these items (packed terms, in an order that does not depend on chance).
 * Undefined when the items share no terms. `pause` is awaited between the long steps. Fewer directions than the default
 * tell only the strongest topics apart.
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

/** The terms worth a direction, as rising hashes, with their idf, from the sorted terms of all items. */
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
 * The terms of all items, one after the other, each term once an item: those of item i are from `starts[i]` up to
 * `starts[i + 1]`.
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

/** Overwrites the terms, which are not needed any more. */
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
  // A small workspace may have fewer directions than asked for; the rest of the components stay zero.
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
