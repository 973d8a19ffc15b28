import type { Scope } from "../../store.ts";
import type { Database } from "../engine/driver.ts";
import type { Owner } from "../engine/owner.ts";
import { mergeEntries, PostingCollector, type PostingsEntry, packBlocks, unpackBlock } from "./postings.ts";

/**
 * Postings change by whole files, thousands of terms at a time, all over the alphabet. So each write appends one part, sorted by term,
 * and a part is merged into the one before it unless that is much larger: a term is read from a handful of parts.
 * Item numbers only grow and are never given twice, so a newer part's items follow an older one's, and a removed item needs
 * nothing but its number on a list until the merge that drops it.
 */

const growth = 4;
const scopeCodes: Record<Scope, number> = { unit: 0, file: 1 };
/** A block's number is its part's number and its first term in one integer. */
export const termRange = 2 ** 32;

export type PartRow = {
  id: number;
  /** Items of the part, ascending: numbers and lengths alternate (uint32, little-endian). */
  items: Uint8Array;
  /** Items of older parts that are gone (uint32, little-endian). */
  removed: Uint8Array;
};
type Part = { entries: Iterable<PostingsEntry>; items: Uint32Array; removed: Uint32Array; size: number };

/** What one write transaction adds to and takes from the postings of one scope. */
export class PostingChanges {
  readonly #scope: Scope;
  readonly #collector = new PostingCollector();
  readonly #items: number[] = [];
  readonly #removed: number[] = [];
  #length = 0;
  #bytes = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Items come in ascending order of their numbers. */
  add(item: number, terms: Uint8Array, length: number): void {
    this.#collector.add(item, terms);
    this.#items.push(item, length);
    this.#length += length;
    this.#bytes += terms.length;
  }

  remove(item: number, length: number): void {
    this.#removed.push(item);
    this.#length -= length;
  }

  finish(database: Database, owner: Owner): void {
    const change = this.#items.length / 2 - this.#removed.length;
    database.run(
      `UPDATE owners SET ${this.#scope}_count = ${this.#scope}_count + ?, ${this.#scope}_length = ${this.#scope}_length + ? WHERE id = ?`,
      [change, this.#length, owner.id],
    );
    if (owner[`${this.#scope}_count`] + change === 0) dropParts(database, owner, this.#scope);
    else if (this.#items.length + this.#removed.length > 0) this.#append(database, owner);
  }

  #append(database: Database, owner: Owner): void {
    const known = database.all<{ id: number; size: number }>(
      "SELECT id, size FROM parts WHERE owner = ? AND scope = ? ORDER BY id",
      [owner.id, scopeCodes[this.#scope]],
    );
    let part: Part = {
      entries: this.#collector.entries(),
      items: Uint32Array.from(this.#items),
      removed: Uint32Array.from(this.#removed).sort(),
      // A packed posting takes less than half of its six bytes in the term vector.
      size: this.#bytes / 2 + this.#removed.length * 4,
    };
    const merged: number[] = [];
    while (known.length > 0 && part.size * growth >= known.at(-1)!.size) {
      const { id, size } = known.pop()!;
      part = mergeParts(readPart(database, id, size), part, known.length === 0);
      merged.push(id);
    }
    storePart(database, owner, this.#scope, freeNumber(database, known.at(-1)?.id ?? 0), part);
    for (const id of merged) dropPart(database, id);
  }
}

/** The smallest free part number above `after`: parts of a scope are in order of age, and numbers stay small enough for `termRange`. */
function freeNumber(database: Database, after: number): number {
  const taken = new Set(database.all<{ id: number }>("SELECT id FROM parts").map(({ id }) => id));
  let free = after + 1;
  while (taken.has(free)) free++;
  return free;
}

function mergeParts(older: Part, newer: Part, oldest: boolean): Part {
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

function readPart(database: Database, id: number, size: number): Part {
  const row = database.get<PartRow>("SELECT id, items, removed FROM parts WHERE id = ?", [id])!;
  return { entries: entriesOf(database, id), items: toNumbers(row.items), removed: toNumbers(row.removed), size };
}

function* entriesOf(database: Database, part: number): Iterable<PostingsEntry> {
  const ids = database.all<{ id: number }>(
    "SELECT id FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id",
    blockRange(part),
  );
  for (const { id } of ids)
    yield* unpackBlock(database.get<{ data: Uint8Array }>("SELECT data FROM blocks WHERE id = ?", [id])!.data);
}

/** Stores a part under a number of its own, so that the parts it is merged from can still be read meanwhile. */
function storePart(database: Database, owner: Owner, scope: Scope, id: number, part: Part): void {
  let size = part.items.byteLength + part.removed.byteLength;
  for (const { first, data } of packBlocks(part.entries)) {
    database.run("INSERT INTO blocks(id, data) VALUES(?, ?)", [id * termRange + first, data]);
    size += data.length;
  }
  database.run("INSERT INTO parts(id, owner, scope, size, items, removed) VALUES(?, ?, ?, ?, ?, ?)", [
    id,
    owner.id,
    scopeCodes[scope],
    size,
    toBytes(part.items),
    toBytes(part.removed),
  ]);
}

function dropPart(database: Database, id: number): void {
  database.run("DELETE FROM blocks WHERE id BETWEEN ? AND ?", blockRange(id));
  database.run("DELETE FROM parts WHERE id = ?", [id]);
}

function dropParts(database: Database, owner: Owner, scope: Scope): void {
  for (const { id } of partsOf(database, owner, scope)) dropPart(database, id);
}

/** The parts of a scope, oldest first. */
export function partsOf(database: Database, owner: Owner, scope: Scope): PartRow[] {
  return database.all("SELECT id, items, removed FROM parts WHERE owner = ? AND scope = ? ORDER BY id", [
    owner.id,
    scopeCodes[scope],
  ]);
}

export function blockRange(part: number): [first: number, last: number] {
  return [part * termRange, (part + 1) * termRange - 1];
}

export function toNumbers(bytes: Uint8Array): Uint32Array {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  return new Uint32Array(bytes.slice().buffer);
}

function toBytes(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
