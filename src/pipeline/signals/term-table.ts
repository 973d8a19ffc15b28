import { entryBytes, firstEntry, frequencySteps, hashAt } from "../../text/analysis/terms.ts";

/** The distinct terms of a query, to be counted in many packed term vectors. */
export type TermTable = {
  hashes: Int32Array;
  /** Open addressing: the position of a term plus one; 0 for an empty slot. */
  slots: Uint32Array;
  /** The frequency of each term in the last counted vector. */
  frequencies: Float64Array;
};

/** Slots for each term: most entries of a vector then hit an empty slot. */
const spread = 8;

/** A table of terms by their hashes, each once. */
export function termTable(hashes: readonly number[]): TermTable {
  let size = 16;
  while (size < hashes.length * spread) size *= 2;
  const slots = new Uint32Array(size);
  for (let i = 0; i < hashes.length; i++) {
    let slot = hashes[i]! & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
  }
  return { hashes: Int32Array.from(hashes), slots, frequencies: new Float64Array(hashes.length) };
}

/**
 * The frequency of every term of the table, weighted by field. The next call overwrites it. A pasted report has more
 * terms than most units have entries: then each entry is looked up in the table, otherwise each term in the vector.
 */
export function countTerms(packed: Uint8Array, table: TermTable, weights: Float64Array): Float64Array {
  const { hashes, frequencies } = table;
  frequencies.fill(0);
  const steps = 32 - Math.clz32(packed.length / entryBytes);
  if (hashes.length * steps > packed.length / entryBytes) countEntries(packed, table, weights);
  else for (let i = 0; i < hashes.length; i++) frequencies[i] = frequencyOf(hashes[i]! >>> 0, packed, weights);
  return frequencies;
}

function countEntries(packed: Uint8Array, { hashes, slots, frequencies }: TermTable, weights: Float64Array): void {
  const mask = slots.length - 1;
  for (let at = 0; at < packed.length; at += entryBytes) {
    const entry = packed[at + 4]!;
    const weight = weights[entry >> 5]!;
    // Usually few fields count, so most entries need no look-up.
    if (weight === 0) continue;
    const hash = hashAt(packed, at) | 0;
    let slot = hash & mask;
    for (let term = slots[slot]!; term !== 0; term = slots[slot]!) {
      if (hashes[term - 1] === hash) {
        frequencies[term - 1]! += weight * frequencySteps[entry & 31]!;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
}

function frequencyOf(hash: number, packed: Uint8Array, weights: Float64Array): number {
  let frequency = 0;
  for (let at = firstEntry(packed, hash); at < packed.length && hashAt(packed, at) === hash; at += entryBytes) {
    const entry = packed[at + 4]!;
    frequency += weights[entry >> 5]! * frequencySteps[entry & 31]!;
  }
  return frequency;
}
