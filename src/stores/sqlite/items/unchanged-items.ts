import { storable } from "../../rules/stored-text.ts";
import type { IndexedFile, IndexedItem, ItemTerms } from "../../store.ts";
import { storedQualifiedName } from "../../written-files.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { vectorsOf } from "../search/vectors.ts";
import type { ItemWrite } from "./remove.ts";

/**
 * The unchanged items of a file that is written again. A commit changes a few functions of a file of hundreds: an item
 * with the same terms keeps its number, and with it its postings, links and vector.
 */
export type UnchangedItems = {
  file: number;
  /** By item id. */
  items: Map<string, UnchangedItem>;
  /** Built-in vectors of all items that the file had, by item number. */
  vectors: Map<number, Int8Array>;
};

type UnchangedItem = {
  id: number;
  name: number;
  /** The columns besides the position: see `contentValues`. */
  content: SqlValue[];
  /** Position and hash: see `positionValues`. */
  position: SqlValue[];
};

type StoredRow = {
  id: number;
  key: string;
  name: number;
  called: string;
  content: string;
  position: string;
  unit_length: number | null;
  unit: Uint8Array | null;
  file_length: number | null;
  file: Uint8Array | null;
};

const contentNames = ["source", "kind", "qualified", "language", "signature", "doc", "outside", "test", "decisions"];
const positionNames = ["place", "start", "stop", "hash", "parent", "changed"];

/** Columns that rarely change while the terms stay the same. */
export function contentValues({ item }: IndexedItem, path: string, outside: string | null): SqlValue[] {
  const qualified = storedQualifiedName(item.qualifiedName, path);
  const { source, kind, language, signature, doc, test, decisions } = item;
  return [
    source,
    kind,
    qualified,
    language ?? null,
    signature ?? null,
    doc ?? null,
    outside,
    test ? 1 : null,
    decisions ?? null,
  ];
}

/** Columns that change with every edit above the item. */
export function positionValues({ item }: IndexedItem, place: number, parent: number | null): SqlValue[] {
  return [place, item.startLine, item.endLine, item.hash, parent, item.changed ?? null];
}

export const itemColumns = ["id", "owner", "key", "file", "name", "title", ...contentNames, ...positionNames];

/** Reads the stored items of a file and removes those that changed; undefined when nothing is stored. */
export function unchangedItems(
  { database, owner, names, postings, written }: ItemWrite,
  file: IndexedFile,
): UnchangedItems | undefined {
  const ofPath = "SELECT id FROM files WHERE owner = ? AND path = ?";
  const stored = database.get<{ id: number }>(ofPath, [owner.id, file.path]);
  if (!stored) return undefined;
  const newItems = new Map(file.items.map((indexed) => [indexed.item.id, indexed]));
  const items: UnchangedItems["items"] = new Map();
  const removed: number[] = [];
  for (const row of storedRows(database, owner.id, stored.id)) {
    const indexed = newItems.get(row.key);
    if (indexed && isAsStored(indexed, row)) {
      const [content, position] = [JSON.parse(row.content) as SqlValue[], JSON.parse(row.position) as SqlValue[]];
      items.set(row.key, { id: row.id, name: row.name, content, position });
      continue;
    }
    removed.push(row.id);
    written.goneItems.add(row.id);
    if (row.name > 0) names.releaseItem(row.name);
    if (row.unit_length !== null) postings.unit.remove(row.id, row.unit_length);
    if (row.file_length !== null) postings.file.remove(row.id, row.file_length);
  }
  removeRows(database, removed);
  // A model reads the text itself, which may change while its terms stay the same: `restoreVectors` compares both.
  database.run("DELETE FROM model_vectors WHERE file = ?", [stored.id]);
  return { file: stored.id, items, vectors: vectorsOf(database, stored.id) };
}

function storedRows(database: Database, owner: number, file: number): StoredRow[] {
  const columns = (names: string[]) => `json_array(${names.map((name) => `i.${name}`).join(", ")})`;
  return database.all<StoredRow>(
    `SELECT i.id, i.key, i.name, coalesce(i.title, nullif(n.name, ''), n.folded) AS called,
     ${columns(contentNames)} AS content, ${columns(positionNames)} AS position,
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

function hasTerms(itemTerms: ItemTerms | undefined, stored: Uint8Array | null, length: number | null): boolean {
  if (!itemTerms || !stored) return !itemTerms && !stored;
  return itemTerms.length === length && Buffer.compare(itemTerms.terms, stored) === 0;
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

/** Updates the positions of unchanged items. */
export function updatePositions(database: Database, positions: SqlValue[][]): void {
  if (positions.length === 0) return;
  const set = positionNames.map((name, index) => `${name} = j.value ->> ${index + 1}`).join(", ");
  database.run(`UPDATE items SET ${set} FROM json_each(?) AS j WHERE items.id = j.value ->> 0`, [
    JSON.stringify(positions),
  ]);
}

export function isSameRow(one: readonly SqlValue[], other: readonly SqlValue[]): boolean {
  return one.every((value, index) => value === other[index]);
}
