import type { Scope } from "../store.ts";
import { mergeEntries, PostingCollector, type PostingsBlock, type PostingsEntry, packBlocks } from "./postings.ts";
import { mergeBlocks, packPostings } from "./postings-packer.ts";

/**
 * An LSM tree of postings. A write changes whole files, and with them thousands of terms from the whole alphabet. So
 * each write appends one part, sorted by term, and a part is merged into the one before it unless that one is much
 * larger: a term is read from a handful of parts. Item numbers only grow and are never reused, so a newer part's items
 * follow an older one's, and a removed item is only listed by its number until a merge drops it.
 */

const growth = 4;
/** "name": trigrams of names, for an engine without its own index for them; the items are then numbers of names. */
export type PostingScope = Scope | "name";
export const scopeCodes: Record<PostingScope, number> = { unit: 0, file: 1, name: 2 };

export type PostingsPart = {
  entries: Iterable<PostingsEntry>;
  /** The same entries as blocks, if they fit in memory at once; undefined when they are too large. */
  blocks?: () => PostingsBlock[] | undefined;
  /** Items of the part, ascending: numbers and lengths alternate. */
  items: Uint32Array;
  /** Removed items of older parts. */
  removed: Uint32Array;
  size: number;
};

/** What one write adds to and removes from the postings of one scope. */
export class PostingChanges<Of extends PostingScope = Scope> {
  readonly scope: Of;
  /** The packed terms of each item, or its hashes. */
  readonly #terms: Uint8Array[] = [];
  readonly #hashes: (readonly number[])[] = [];
  readonly #items: number[] = [];
  readonly #removed: number[] = [];
  /** Change of the total length of all items. */
  length = 0;
  #bytes = 0;

  constructor(scope: Of) {
    this.scope = scope;
  }

  /** Items come in ascending order of their numbers. */
  add(item: number, terms: Uint8Array, length: number): void {
    this.#terms.push(terms);
    this.#items.push(item, length);
    this.length += length;
    this.#bytes += terms.length;
  }

  /**
   * Adds an item by the hashes of its terms only, without frequencies. All items of a scope are added in the same way.
   */
  addHashes(item: number, hashes: readonly number[]): void {
    this.#hashes.push(hashes);
    this.#items.push(item, hashes.length);
    this.#bytes += hashes.length * 6;
  }

  remove(item: number, length: number): void {
    this.#removed.push(item);
    this.length -= length;
  }

  /** Change of the number of items. */
  get count(): number {
    return this.#items.length / 2 - this.#removed.length;
  }

  get isEmpty(): boolean {
    return this.#items.length + this.#removed.length === 0;
  }

  *#entries(): Iterable<PostingsEntry> {
    const collector = new PostingCollector();
    this.#terms.forEach((terms, index) => {
      collector.add(this.#items[index * 2]!, terms);
    });
    this.#hashes.forEach((hashes, index) => {
      collector.addHashes(this.#items[index * 2]!, hashes);
    });
    yield* collector.entries();
  }

  #blocks(): PostingsBlock[] | undefined {
    const numbers = this.#terms.map((_, index) => this.#items[index * 2]!);
    return this.#hashes.length > 0 ? undefined : packPostings(numbers, this.#terms);
  }

  part(): PostingsPart {
    return {
      entries: this.#entries(),
      blocks: () => this.#blocks(),
      items: Uint32Array.from(this.#items),
      removed: Uint32Array.from(this.#removed).sort(),
      // A packed posting takes less than half of its six bytes in the term vector.
      size: this.#bytes / 2 + this.#removed.length * 4,
    };
  }
}

/**
 * The number of existing parts that a new part of this size is merged with, counted from the newest. `sizes`: oldest
 * first.
 */
export function partsToMerge(sizes: readonly number[], added: number): number {
  let size = added;
  let merged = 0;
  while (merged < sizes.length && size * growth >= sizes[sizes.length - 1 - merged]!) {
    size += sizes[sizes.length - 1 - merged]!;
    merged++;
  }
  return merged;
}

/** Merges two parts; `oldest`: no part is older, so no removals remain to be recorded. */
export function mergeParts(older: PostingsPart, newer: PostingsPart, oldest: boolean): PostingsPart {
  const without = new Set(newer.removed);
  const remaining: number[] = [];
  const dropped = new Set<number>();
  for (let i = 0; i < older.items.length; i += 2) {
    const number = older.items[i]!;
    if (without.has(number)) dropped.add(number);
    else remaining.push(number, older.items[i + 1]!);
  }
  const removed = oldest ? [] : [...older.removed, ...[...without].filter((number) => !dropped.has(number))];
  const items = new Uint32Array(remaining.length + newer.items.length);
  items.set(remaining);
  items.set(newer.items, remaining.length);
  const areAllKept = dropped.size === 0 && older.size + newer.size < mostAtOnce;
  return {
    entries: mergeEntries(older.entries, newer.entries, dropped.size > 0 ? (number) => dropped.has(number) : undefined),
    ...(areAllKept ? { blocks: () => mergedBlocks(older, newer) } : {}),
    items,
    removed: Uint32Array.from(removed).sort(),
    size: older.size + newer.size,
  };
}

/** Parts of more bytes are merged list by list: memory stays bounded. */
const mostAtOnce = 4 << 20;

function mergedBlocks(older: PostingsPart, newer: PostingsPart): PostingsBlock[] | undefined {
  const [one, other] = [older.blocks?.(), newer.blocks?.()];
  return one && other && mergeBlocks(one, other);
}

/** The blocks of a part, one after the other. */
export function blocksOf({ blocks, entries }: PostingsPart): Iterable<PostingsBlock> {
  return blocks?.() ?? packBlocks(entries);
}

/** The lengths of all live items of a scope's parts, and the removed items. */
export function liveItems(parts: readonly Pick<PostingsPart, "items" | "removed">[]): {
  /** By item number: its length plus one, or 0 when there is no such item. */
  lengths: Uint32Array;
  /**
   * The smallest item number: on a shelf that was filled late, most lower numbers belong to other shelves or owners.
   */
  first: number;
  isGone: ((number: number) => boolean) | undefined;
} {
  const last = parts.reduce((largest, { items }) => Math.max(largest, items.at(-2) ?? 0), 0);
  const first = parts.reduce((smallest, { items }) => Math.min(smallest, items[0] ?? last), last);
  const lengths = new Uint32Array(last + 1);
  const removedItems = new Set<number>();
  for (const { items, removed } of parts) {
    for (let i = 0; i < items.length; i += 2) lengths[items[i]!] = items[i + 1]! + 1;
    for (const number of removed) removedItems.add(number);
  }
  for (const number of removedItems) if (number < lengths.length) lengths[number] = 0;
  return { lengths, first, isGone: removedItems.size > 0 ? (number) => lengths[number] === 0 : undefined };
}

/** The block that may contain a term: the last one that begins at or before the term. `firsts` ascend. */
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
