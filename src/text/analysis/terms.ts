import { hashTerm } from "../hash.ts";

/**
 * A packed term vector: which terms an item has, in which field, how often. It is what the second phase
 * ranks by, the same on every engine, so a weight can change without indexing again.
 *
 * Layout: entries of 5 bytes sorted by term hash and then field: uint32 little-endian term hash, then one byte of
 * field (upper 3 bits) and frequency (lower 5 bits, a step of `frequencySteps`).
 * Terms are hashed to 32 bits so that no dictionary has to be shared: 100,000 words collide about once.
 */

export const fields = ["name", "path", "signature", "doc", "comment", "string", "code"] as const;
export type TermField = (typeof fields)[number];
export type FieldTerms = Partial<Record<TermField, string[]>>;

/** Frequencies saturate in ranking: exact up to 16, in steps of some 15 % above. */
const frequencySteps = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 21, 24, 28, 32, 37, 43, 50, 58, 68, 80, 95, 115, 145, 190,
  255,
];
/** The step of every frequency up to the largest. */
const stepOf = Uint8Array.from({ length: 256 }, (_, frequency) => {
  let step = 0;
  while (step + 1 < frequencySteps.length && frequencySteps[step + 1]! <= frequency) step++;
  return step;
});

export const entryBytes = 5;

/** How often each term occurs in each field; the key is term hash * 8 + field. */
export type TermCounts = Map<number, number>;

/** Adds terms, given by their hashes, to the counts of one field. */
export function addTerms(counts: TermCounts, field: TermField, hashes: readonly number[]): void {
  const index = fields.indexOf(field);
  for (let i = 0; i < hashes.length; i++) {
    const key = hashes[i]! * 8 + index;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

/** Adds the counts of all fields but name and path, which belong to the part, not to the whole. */
export function addText(whole: TermCounts, part: TermCounts): void {
  for (const [key, count] of part) if (key % 8 > 1) whole.set(key, (whole.get(key) ?? 0) + count);
}

export function packCounts(counts: TermCounts): Uint8Array {
  const keys = Float64Array.from(counts.keys()).sort();
  const packed = new Uint8Array(keys.length * entryBytes);
  const view = new DataView(packed.buffer);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    view.setUint32(i * entryBytes, Math.floor(key / 8), true);
    packed[i * entryBytes + 4] = ((key % 8) << 5) | stepOf[Math.min(255, counts.get(key)!)]!;
  }
  return packed;
}

/** Packs the first `count` terms of one field, given by their hashes in ascending order, each once, with their frequencies. */
export function packSorted(
  field: TermField,
  hashes: ArrayLike<number>,
  frequencies: ArrayLike<number>,
  count: number,
): Uint8Array {
  const packed = new Uint8Array(count * entryBytes);
  const index = fields.indexOf(field) << 5;
  for (let i = 0, at = 0; i < count; i++) {
    const hash = hashes[i]!;
    packed[at++] = hash;
    packed[at++] = hash >>> 8;
    packed[at++] = hash >>> 16;
    packed[at++] = hash >>> 24;
    packed[at++] = index | stepOf[Math.min(255, frequencies[i]!)]!;
  }
  return packed;
}

/** Packs terms given by their hashes, without counting them in a map first: half of the time for short texts. */
export function packHashes(byField: Partial<Record<TermField, readonly number[]>>): {
  terms: Uint8Array;
  length: number;
} {
  let length = 0;
  for (const field of fields) length += byField[field]?.length ?? 0;
  if (scratch.length < length) scratch = new Float64Array(length * 2);
  let filled = 0;
  for (let index = 0; index < fields.length; index++) {
    const hashes = byField[fields[index]!] ?? [];
    for (let i = 0; i < hashes.length; i++) scratch[filled++] = hashes[i]! * 8 + index;
  }
  const keys = scratch.subarray(0, length).sort();
  let distinct = 0;
  for (let i = 0; i < length; i++) if (keys[i] !== keys[i + 1]) distinct++;
  const packed = new Uint8Array(distinct * entryBytes);
  for (let from = 0, to = 0, at = 0; from < length; from = to) {
    const key = keys[from]!;
    while (keys[to] === key) to++;
    const hash = Math.floor(key / 8);
    packed[at++] = hash;
    packed[at++] = hash >>> 8;
    packed[at++] = hash >>> 16;
    packed[at++] = hash >>> 24;
    packed[at++] = ((key % 8) << 5) | stepOf[Math.min(255, to - from)]!;
  }
  return { terms: packed, length };
}

let scratch = new Float64Array(1024);

export function packTerms(byField: FieldTerms): Uint8Array {
  const counts: TermCounts = new Map();
  for (const field of fields) addTerms(counts, field, (byField[field] ?? []).map(hashTerm));
  return packCounts(counts);
}

/** Adds the frequencies of one term by field into `into` (indexed like `fields`); true when the term occurs. */
export function frequencies(packed: Uint8Array, termHash: number, into: Uint16Array): boolean {
  let low = 0;
  let high = packed.length / entryBytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashAt(packed, middle) < termHash) low = middle + 1;
    else high = middle;
  }
  let occurs = false;
  for (let i = low; i * entryBytes < packed.length && hashAt(packed, i) === termHash; i++) {
    const entry = packed[i * entryBytes + 4]!;
    into[entry >> 5]! += frequencySteps[entry & 31]!;
    occurs = true;
  }
  return occurs;
}

/** Every entry in order: (term hash, field index, frequency). */
export function forEachTerm(
  packed: Uint8Array,
  visit: (termHash: number, field: number, frequency: number) => void,
): void {
  for (let i = 0; i * entryBytes < packed.length; i++) {
    const entry = packed[i * entryBytes + 4]!;
    visit(hashAt(packed, i), entry >> 5, frequencySteps[entry & 31]!);
  }
}

function hashAt(packed: Uint8Array, entry: number): number {
  const at = entry * entryBytes;
  return (packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16) | (packed[at + 3]! << 24)) >>> 0;
}
