import type { QueryTerm } from "../text/analysis/query.ts";
import { entryBytes, fields, frequencySteps, hashAt, type TermField } from "../text/analysis/terms.ts";
import { hashTerm } from "../text/hash.ts";

/**
 * The result of training: one direction per term. An item's vector is the weighted sum of its terms' directions, so a
 * new item is folded in without training again.
 */
export type TermModel = {
  dimensions: number;
  /** Term hashes (text/hash), ascending. */
  hashes: Uint32Array;
  /** For each term, the value of a component of 127; it includes the term's rarity. */
  scales: Float32Array;
  /** `dimensions` components per term. */
  directions: Int8Array;
};

// Measured on text and code search: equal weights cost 4 points with the vectors alone, .4 beside BM25.
const weights: Record<TermField, number> = { name: 4, path: 1, signature: 1, doc: 2, comment: 1, string: 1, code: 1 };
/** By field number; an invalid number, in damaged terms, counts 1. */
const weightOf = [...fields.map((field) => weights[field]), 1];

/** Calls `visit` for every distinct term of an item, ascending by hash, with its damped weight over all fields. */
export function forEachWeightedTerm(packed: Uint8Array, visit: (termHash: number, weight: number) => void): void {
  let term = -1;
  let sum = 0;
  // The loop of forEachTerm without a call for each term: a first index reads millions of them.
  for (let at = 0; at < packed.length; at += entryBytes) {
    const hash = hashAt(packed, at);
    if (hash !== term) {
      if (term >= 0) visit(term, Math.log1p(sum));
      term = hash;
      sum = 0;
    }
    const entry = packed[at + 4]!;
    sum += weightOf[entry >> 5]! * frequencySteps[entry & 31]!;
  }
  if (term >= 0) visit(term, Math.log1p(sum));
}

/** The vector of an item, of any length; all zeros if the model knows none of its terms. */
export function foldItem(model: TermModel, packed: Uint8Array): Float64Array {
  const sum = new Float64Array(model.dimensions);
  let from = 0;
  forEachWeightedTerm(packed, (hash, weight) => {
    from = firstAtLeast(model.hashes, hash, from);
    if (model.hashes[from] === hash) add(model, from, weight, sum);
  });
  return sum;
}

export function foldQuery(model: TermModel, terms: QueryTerm[]): Float64Array {
  const sum = new Float64Array(model.dimensions);
  for (const { term, weight } of terms) {
    const hash = hashTerm(term);
    const at = firstAtLeast(model.hashes, hash, 0);
    if (model.hashes[at] === hash) add(model, at, weight, sum);
  }
  return sum;
}

function add(model: TermModel, term: number, weight: number, sum: Float64Array): void {
  const { directions, dimensions } = model;
  const scale = weight * model.scales[term]!;
  const from = term * dimensions;
  for (let k = 0; k < dimensions; k++) sum[k]! += scale * directions[from + k]!;
}

/** Index of the first of the ascending `hashes` that is not below `hash`, from `low` on. */
export function firstAtLeast(hashes: Uint32Array, hash: number, low: number): number {
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

/*
 * The model as bytes, little-endian: uint32 magic, dimensions, number of terms, 0; then the hashes, the scales and the
 * directions. They are read as views, so opening a model of a few megabytes costs nothing.
 */
const magic = 0x31415344;
const headerBytes = 16;

export function encodeModel(model: TermModel): Uint8Array {
  const count = model.hashes.length;
  const bytes = new Uint8Array(headerBytes + count * (8 + model.dimensions));
  new Uint32Array(bytes.buffer, 0, 4).set([magic, model.dimensions, count, 0]);
  new Uint32Array(bytes.buffer, headerBytes, count).set(model.hashes);
  new Float32Array(bytes.buffer, headerBytes + count * 4, count).set(model.scales);
  new Int8Array(bytes.buffer, headerBytes + count * 8).set(model.directions);
  return bytes;
}

/** Undefined if the bytes are not a complete model. */
export function decodeModel(stored: Uint8Array): TermModel | undefined {
  if (stored.length < headerBytes) return undefined;
  // A database may return bytes that begin anywhere in a larger buffer; numbers must begin at a multiple of four.
  const bytes = stored.byteOffset % 4 === 0 ? stored : stored.slice();
  const [mark, dimensions, count] = new Uint32Array(bytes.buffer, bytes.byteOffset, 3) as unknown as [
    number,
    number,
    number,
  ];
  if (mark !== magic || bytes.length !== headerBytes + count * (8 + dimensions)) return undefined;
  const from = bytes.byteOffset + headerBytes;
  return {
    dimensions,
    hashes: new Uint32Array(bytes.buffer, from, count),
    scales: new Float32Array(bytes.buffer, from + count * 4, count),
    directions: new Int8Array(bytes.buffer, from + count * 8, count * dimensions),
  };
}
