import type { Scope } from "../store.ts";
import { mergeEntries, PostingCollector, type PostingsEntry } from "./postings.ts";

/**
 * Postings change by whole files, thousands of terms at a time, all over the alphabet. So each write appends one part, sorted by term,
 * and a part is merged into the one before it unless that is much larger: a term is read from a handful of parts.
 * Item numbers only grow and are never given twice, so a newer part's items follow an older one's, and a removed item needs
 * nothing but its number on a list until the merge that drops it.
 */

const growth = 4;
export const scopeCodes: Record<Scope, number> = { unit: 0, file: 1 };

export type PostingsPart = {
  entries: Iterable<PostingsEntry>;
  /** Items of the part, ascending: numbers and lengths alternate. */
  items: Uint32Array;
  /** Items of older parts that are gone. */
  removed: Uint32Array;
  size: number;
};

/** What one write adds to and takes from the postings of one scope. */
export class PostingChanges {
  readonly scope: Scope;
  readonly #collector = new PostingCollector();
  readonly #items: number[] = [];
  readonly #removed: number[] = [];
  /** By how much the lengths of all items together change. */
  length = 0;
  #bytes = 0;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Items come in ascending order of their numbers. */
  add(item: number, terms: Uint8Array, length: number): void {
    this.#collector.add(item, terms);
    this.#items.push(item, length);
    this.length += length;
    this.#bytes += terms.length;
  }

  remove(item: number, length: number): void {
    this.#removed.push(item);
    this.length -= length;
  }

  /** By how many items there are more. */
  get count(): number {
    return this.#items.length / 2 - this.#removed.length;
  }

  get isEmpty(): boolean {
    return this.#items.length + this.#removed.length === 0;
  }

  part(): PostingsPart {
    return {
      entries: this.#collector.entries(),
      items: Uint32Array.from(this.#items),
      removed: Uint32Array.from(this.#removed).sort(),
      // A packed posting takes less than half of its six bytes in the term vector.
      size: this.#bytes / 2 + this.#removed.length * 4,
    };
  }
}

/** How many of the parts there are, oldest first, a new one of this size is merged with: the last so many. */
export function partsToMerge(sizes: readonly number[], added: number): number {
  let size = added;
  let merged = 0;
  while (merged < sizes.length && size * growth >= sizes[sizes.length - 1 - merged]!) {
    size += sizes[sizes.length - 1 - merged]!;
    merged++;
  }
  return merged;
}

/** One part out of two; `oldest` when no part is older: then nothing is left to be removed elsewhere. */
export function mergeParts(older: PostingsPart, newer: PostingsPart, oldest: boolean): PostingsPart {
  const without = new Set(newer.removed);
  const kept: number[] = [];
  const found = new Set<number>();
  for (let i = 0; i < older.items.length; i += 2) {
    const number = older.items[i]!;
    if (without.has(number)) found.add(number);
    else kept.push(number, older.items[i + 1]!);
  }
  const removed = oldest ? [] : [...older.removed, ...[...without].filter((number) => !found.has(number))];
  const items = new Uint32Array(kept.length + newer.items.length);
  items.set(kept);
  items.set(newer.items, kept.length);
  return {
    entries: mergeEntries(older.entries, newer.entries, found.size > 0 ? (number) => found.has(number) : undefined),
    items,
    removed: Uint32Array.from(removed).sort(),
    size: older.size + newer.size,
  };
}

/** The lengths of all items that are there, from a scope's parts, and which are gone. */
export function liveItems(parts: readonly Pick<PostingsPart, "items" | "removed">[]): {
  /** By item number: its length plus one, or 0 when there is no such item. */
  lengths: Uint32Array;
  /** The smallest number of an item: on a shelf that was filled late, most numbers before it belong to others. */
  first: number;
  isGone: ((number: number) => boolean) | undefined;
} {
  const last = parts.reduce((largest, { items }) => Math.max(largest, items.at(-2) ?? 0), 0);
  const first = parts.reduce((smallest, { items }) => Math.min(smallest, items[0] ?? last), last);
  const lengths = new Uint32Array(last + 1);
  const gone = new Set<number>();
  for (const { items, removed } of parts) {
    for (let i = 0; i < items.length; i += 2) lengths[items[i]!] = items[i + 1]! + 1;
    for (const number of removed) gone.add(number);
  }
  for (const number of gone) if (number < lengths.length) lengths[number] = 0;
  return { lengths, first, isGone: gone.size > 0 ? (number) => lengths[number] === 0 : undefined };
}

/** The block that holds a term if any does: the last that begins at or before it. `firsts` ascend. */
export function blockFor(firsts: readonly number[], term: number): number | undefined {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= term) low = middle + 1;
    else high = middle;
  }
  return firsts[low - 1];
}

export function toNumbers(bytes: Uint8Array): Uint32Array {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return new Uint32Array(copy.buffer);
}

export function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
