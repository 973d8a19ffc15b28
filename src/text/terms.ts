import { hashTerm } from "./hash.ts";

/**
 * A packed term vector: which terms an item has, in which field, how often. It is what the second phase
 * ranks by, the same on every engine, so a weight can change without indexing again.
 *
 * Layout: entries of 6 bytes sorted by term hash and then field:
 * uint32 little-endian term hash, uint8 field, uint8 frequency (255 means 255 or more).
 * Terms are hashed to 32 bits so that no dictionary has to be shared: 100,000 words collide about once.
 */

export const fields = ["name", "path", "signature", "doc", "comment", "string", "code"] as const;
export type Field = (typeof fields)[number];
export type FieldTerms = Partial<Record<Field, string[]>>;

const entryBytes = 6;

export function packTerms(byField: FieldTerms): Uint8Array {
  const counts = new Map<number, number>();
  for (let field = 0; field < fields.length; field++) {
    for (const term of byField[fields[field]!] ?? []) {
      const key = hashTerm(term) * 8 + field;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const keys = Float64Array.from(counts.keys()).sort();
  const packed = new Uint8Array(keys.length * entryBytes);
  const view = new DataView(packed.buffer);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    view.setUint32(i * entryBytes, Math.floor(key / 8), true);
    packed[i * entryBytes + 4] = key % 8;
    packed[i * entryBytes + 5] = Math.min(255, counts.get(key)!);
  }
  return packed;
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
  let found = false;
  for (let i = low; i * entryBytes < packed.length && hashAt(packed, i) === termHash; i++) {
    into[packed[i * entryBytes + 4]!]! += packed[i * entryBytes + 5]!;
    found = true;
  }
  return found;
}

/** Every entry in order: (term hash, field index, frequency). */
export function forEachTerm(
  packed: Uint8Array,
  visit: (termHash: number, field: number, frequency: number) => void,
): void {
  for (let i = 0; i * entryBytes < packed.length; i++) {
    visit(hashAt(packed, i), packed[i * entryBytes + 4]!, packed[i * entryBytes + 5]!);
  }
}

function hashAt(packed: Uint8Array, entry: number): number {
  const at = entry * entryBytes;
  return (packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16) | (packed[at + 3]! << 24)) >>> 0;
}
