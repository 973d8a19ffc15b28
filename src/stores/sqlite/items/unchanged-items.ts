import { storable } from "../../storable.ts";
import type { IndexedFile, IndexedItem, ItemTerms } from "../../store.ts";
import { storedQualifiedName } from "../../written-files.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { vectorsOf } from "../search/vectors.ts";
import type { WriteCounts } from "./remove.ts";

/**
 * What stays of a file that is written again. A commit changes a few functions of a file of hundreds: an item whose terms are as they were
 * keeps its number, and with it its postings, links and vector.
 */
export type Standing = {
  file: number;
  /** By item id. */
  items: Map<string, StandingItem>;
  /** Built-in vectors of all items that the file had, by their numbers. */
  vectors: Map<number, Int8Array>;
};

type StandingItem = {
  id: number;
  name: number;
  /** What a row says besides where it is: as `saidOf` gives it. */
  said: SqlValue[];
  /** Where it is and what it held: as `placeOf` gives it. */
  place: SqlValue[];
};

type StoredRow = {
  id: number;
  key: string;
  name: number;
  called: string;
  said: string;
  place: string;
  unit_length: number | null;
  unit: Uint8Array | null;
  file_length: number | null;
  file: Uint8Array | null;
};

const saidColumns = ["source", "kind", "qualified", "language", "signature", "doc", "outside", "test"];
const placeColumns = ["place", "start", "stop", "hash", "parent", "changed"];

/** The row's values that seldom change while the terms stay. */
export function saidOf({ item }: IndexedItem, path: string, outside: string | null): SqlValue[] {
  const qualified = storedQualifiedName(item.qualifiedName, path);
  const { source, kind, language, signature, doc, test } = item;
  return [source, kind, qualified, language ?? null, signature ?? null, doc ?? null, outside, test ? 1 : null];
}

/** The row's values that change with every edit above the item. */
export function placeOf({ item }: IndexedItem, place: number, parent: number | null): SqlValue[] {
  return [place, item.startLine, item.endLine, item.hash, parent, item.changed ?? null];
}

export const itemColumns = ["id", "owner", "key", "file", "name", "title", ...saidColumns, ...placeColumns];

/** Looks at what is stored of a file and removes the items that do not stay; undefined when nothing is stored. */
export function standingOf(
  database: Database,
  owner: number,
  file: IndexedFile,
  counts: WriteCounts,
): Standing | undefined {
  const stored = database.get<{ id: number }>("SELECT id FROM files WHERE owner = ? AND path = ?", [owner, file.path]);
  if (!stored) return undefined;
  const written = new Map(file.items.map((indexed) => [indexed.item.id, indexed]));
  const items: Standing["items"] = new Map();
  const gone: number[] = [];
  for (const row of storedRows(database, owner, stored.id)) {
    const indexed = written.get(row.key);
    if (indexed && isAsStored(indexed, row)) {
      const [said, place] = [JSON.parse(row.said) as SqlValue[], JSON.parse(row.place) as SqlValue[]];
      items.set(row.key, { id: row.id, name: row.name, said, place });
      continue;
    }
    gone.push(row.id);
    if (row.name > 0) counts.names.releaseItem(row.name);
    if (row.unit_length !== null) counts.unit.remove(row.id, row.unit_length);
    if (row.file_length !== null) counts.file.remove(row.id, row.file_length);
  }
  removeRows(database, gone);
  // Models read the text itself, which may have changed where its terms have not: `restoreVectors` looks at both.
  database.run("DELETE FROM model_vectors WHERE file = ?", [stored.id]);
  return { file: stored.id, items, vectors: vectorsOf(database, stored.id) };
}

function storedRows(database: Database, owner: number, file: number): StoredRow[] {
  const columns = (names: string[]) => `json_array(${names.map((name) => `i.${name}`).join(", ")})`;
  return database.all<StoredRow>(
    `SELECT i.id, i.key, i.name, coalesce(i.title, nullif(n.name, ''), n.folded) AS called,
     ${columns(saidColumns)} AS said, ${columns(placeColumns)} AS place,
     u.length AS unit_length, u.terms AS unit, w.length AS file_length, w.terms AS file
     FROM items AS i LEFT JOIN names AS n ON n.id = i.name LEFT JOIN unit_terms AS u ON u.item = i.id
     LEFT JOIN file_terms AS w ON w.item = i.id WHERE i.owner = ? AND i.file = ?`,
    [owner, file],
  );
}

function isAsStored(indexed: IndexedItem, row: StoredRow): boolean {
  return (
    row.called === storable(indexed.item.name) &&
    hasTerms(indexed.unit, row.unit, row.unit_length) &&
    hasTerms(indexed.file, row.file, row.file_length)
  );
}

function hasTerms(written: ItemTerms | undefined, stored: Uint8Array | null, length: number | null): boolean {
  if (!written || !stored) return !written && !stored;
  return written.length === length && Buffer.compare(written.terms, stored) === 0;
}

function removeRows(database: Database, items: number[]): void {
  if (items.length === 0) return;
  for (const [table, key] of [
    ["items", "id"],
    ["unit_terms", "item"],
    ["file_terms", "item"],
  ]) {
    database.run(`DELETE FROM ${table} WHERE ${key} IN (SELECT value FROM json_each(?))`, [JSON.stringify(items)]);
  }
}

/** Brings the rows of items that stay up to date. What they say is rewritten only where it differs. */
export function updatePlaces(database: Database, places: SqlValue[][]): void {
  if (places.length === 0) return;
  const set = placeColumns.map((name, index) => `${name} = j.value ->> ${index + 1}`).join(", ");
  database.run(`UPDATE items SET ${set} FROM json_each(?) AS j WHERE items.id = j.value ->> 0`, [
    JSON.stringify(places),
  ]);
}

export function isSameRow(one: readonly SqlValue[], other: readonly SqlValue[]): boolean {
  return one.every((value, index) => value === other[index]);
}
