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
export const frequencySteps = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 21, 24, 28, 32, 37, 43, 50, 58, 68, 80, 95, 115, 145, 190,
  255,
];
/** The step of every frequency up to the largest. */
export const stepOf = Uint8Array.from({ length: 256 }, (_, frequency) => {
  let step = 0;
  while (step + 1 < frequencySteps.length && frequencySteps[step + 1]! <= frequency) step++;
  return step;
});

export const entryBytes = 5;

/**
 * Occurrences of terms, each as term hash * 8 + field; packing sorts and counts them. Counting in a map instead takes
 * an object for every key, since such numbers are too large for small integers.
 */
export type TermKeys = number[];

/** Adds terms, given by their hashes, to one field. */
export function addTerms(keys: TermKeys, field: TermField, hashes: readonly number[]): void {
  const index = fields.indexOf(field);
  for (let i = 0; i < hashes.length; i++) keys.push(hashes[i]! * 8 + index);
}

/** Packs occurrences; `length` is their number. */
export function packKeys(keys: TermKeys): { terms: Uint8Array; length: number } {
  if (scratch.length < keys.length) scratch = new Float64Array(keys.length * 2);
  for (let i = 0; i < keys.length; i++) scratch[i] = keys[i]!;
  return packScratch(keys.length);
}

/**
 * Packs the first `count` terms of one field, given by their hashes in ascending order, each once, with their
 * frequencies.
 */
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

/** Packs terms given by their hashes. */
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
  return packScratch(length);
}

let scratch = new Float64Array(1024);

/** Packs the first `length` keys of `scratch`. */
function packScratch(length: number): { terms: Uint8Array; length: number } {
  const keys = scratch.subarray(0, length);
  // The bits of numbers from 0 on are in the order of the numbers, and whole numbers are sorted in a third of the time.
  new BigUint64Array(scratch.buffer, 0, length).sort();
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
    packed[at++] = ((key - hash * 8) << 5) | stepOf[Math.min(255, to - from)]!;
  }
  return { terms: packed, length };
}

export function packTerms(byField: FieldTerms): Uint8Array {
  const keys: TermKeys = [];
  for (const field of fields) addTerms(keys, field, (byField[field] ?? []).map(hashTerm));
  return packKeys(keys).terms;
}

/** Adds the frequencies of one term by field into `into` (indexed like `fields`); true when the term occurs. */
export function frequencies(packed: Uint8Array, termHash: number, into: Uint16Array): boolean {
  let occurs = false;
  for (let at = firstEntry(packed, termHash); at < packed.length && hashAt(packed, at) === termHash; at += entryBytes) {
    const entry = packed[at + 4]!;
    into[entry >> 5]! += frequencySteps[entry & 31]!;
    occurs = true;
  }
  return occurs;
}

/** The byte at which the entries of a term begin, or would. */
export function firstEntry(packed: Uint8Array, termHash: number): number {
  let low = 0;
  let high = packed.length / entryBytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashAt(packed, middle * entryBytes) < termHash) low = middle + 1;
    else high = middle;
  }
  return low * entryBytes;
}

/** Every entry in order: (term hash, field index, frequency). */
export function forEachTerm(
  packed: Uint8Array,
  visit: (termHash: number, field: number, frequency: number) => void,
): void {
  for (let at = 0; at < packed.length; at += entryBytes) {
    const entry = packed[at + 4]!;
    visit(hashAt(packed, at), entry >> 5, frequencySteps[entry & 31]!);
  }
}

/** The term hash of the entry that begins at this byte. */
export function hashAt(packed: Uint8Array, at: number): number {
  return (packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16) | (packed[at + 3]! << 24)) >>> 0;
}
