import {
  blocksOf,
  mergeParts,
  type PostingChanges,
  type PostingsPart,
  partsToMerge,
  scopeCodes,
  toBytes,
  toNumbers,
} from "../../search/posting-parts.ts";
import { type PostingsBlock, type PostingsEntry, unpackBlock } from "../../search/postings.ts";
import type { Scope } from "../../store.ts";
import type { Database } from "../engine/driver.ts";
import type { Owner } from "../engine/owner.ts";

/** A block's number combines its part's number and its first term in one integer. */
export const termRange = 2 ** 32;

export type PartRow = {
  id: number;
  /** See `PostingsPart`; uint32, little-endian. */
  items: Uint8Array;
  removed: Uint8Array;
};

/** Stores the changed postings of a scope, and its counts. */
export function storeChanges(database: Database, owner: Owner, changes: PostingChanges): void {
  const { scope, count } = changes;
  database.run(
    `UPDATE owners SET ${scope}_count = ${scope}_count + ?, ${scope}_length = ${scope}_length + ? WHERE id = ?`,
    [count, changes.length, owner.id],
  );
  if (owner[`${scope}_count`] + count === 0) dropParts(database, owner, scope);
  else if (!changes.isEmpty) append(database, owner, scope, changes.part());
}

function append(database: Database, owner: Owner, scope: Scope, added: PostingsPart): void {
  const existing = database.all<{ id: number; size: number }>(
    "SELECT id, size FROM parts WHERE owner = ? AND scope = ? ORDER BY id",
    [owner.id, scopeCodes[scope]],
  );
  const remaining =
    existing.length -
    partsToMerge(
      existing.map(({ size }) => size),
      added.size,
    );
  let part = added;
  for (let i = existing.length - 1; i >= remaining; i--) {
    part = mergeParts(readPart(database, existing[i]!.id, existing[i]!.size), part, i === 0);
  }
  storePart(database, owner, scope, freeNumber(database, existing[remaining - 1]?.id ?? 0), part);
  for (const { id } of existing.slice(remaining)) dropPart(database, id);
}

/**
 * The smallest free part number above `after`: parts of a scope are numbered by age, and numbers stay small enough for
 * `termRange`.
 */
function freeNumber(database: Database, after: number): number {
  const used = new Set(database.all<{ id: number }>("SELECT id FROM parts").map(({ id }) => id));
  let free = after + 1;
  while (used.has(free)) free++;
  return free;
}

function readPart(database: Database, id: number, size: number): PostingsPart {
  const row = database.get<PartRow>("SELECT id, items, removed FROM parts WHERE id = ?", [id])!;
  return {
    entries: entriesOf(database, id),
    blocks: () => storedBlocks(database, id),
    items: toNumbers(row.items),
    removed: toNumbers(row.removed),
    size,
  };
}

function* entriesOf(database: Database, part: number): Iterable<PostingsEntry> {
  const ids = database.all<{ id: number }>(
    "SELECT id FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id",
    blockRange(part),
  );
  for (const { id } of ids)
    yield* unpackBlock(database.get<{ data: Uint8Array }>("SELECT data FROM blocks WHERE id = ?", [id])!.data);
}

function storedBlocks(database: Database, part: number): PostingsBlock[] {
  const rows = database.all<{ id: number; data: Uint8Array }>(
    "SELECT id, data FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id",
    blockRange(part),
  );
  return rows.map(({ id, data }) => ({ first: id - part * termRange, data }));
}

/** Stores a part under its own number, so that the parts merged into it can still be read meanwhile. */
function storePart(database: Database, owner: Owner, scope: Scope, id: number, part: PostingsPart): void {
  let size = part.items.byteLength + part.removed.byteLength;
  for (const { first, data } of blocksOf(part)) {
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
