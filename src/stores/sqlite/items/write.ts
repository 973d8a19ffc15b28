import { deflateRawSync } from "node:zlib";
import type { Item, Link } from "../../../item.ts";
import { lastPart } from "../../scope/modules.ts";
import { storable } from "../../storable.ts";
import type { IndexedFile, IndexedItem, ItemTerms, Scope, StoreChange } from "../../store.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { ensureOwner, type Owner } from "../engine/owner.ts";
import { linkCodes } from "../engine/schema.ts";
import { restoreVectors, vectorsBefore } from "../search/model-vectors.ts";
import { StoredNames } from "../search/names.ts";
import { PostingChanges } from "../search/segments.ts";
import { storeVectors } from "../search/vectors.ts";
import { storedQualifiedName } from "./items.ts";
import { removeFile, removeItem, type WriteCounts } from "./remove.ts";

// Level 2 of deflate: a third of the source's size at several hundred megabytes a second; level 6 saves a tenth more for three times the time.
const compression = { level: 2 };

/** Applies a change in one transaction and makes the owner's revision grow. */
export function writeChange(database: Database, ownerName: string, change: StoreChange): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    const counts: WriteCounts = {
      names: new StoredNames(database, owner.id),
      unit: new PostingChanges("unit"),
      file: new PostingChanges("file"),
    };
    const numbers = nextNumbers(database);

    const files = withLastOnly(change.files);
    const before = vectorsBefore(database, owner, itemIds(files));
    for (const path of change.removed) removeFile(database, owner, path, counts);
    for (const { path } of files) removeFile(database, owner, path, counts);
    removeClaimedIds(database, owner, files, counts);

    counts.names.intern(owner.named ? itemNames(files) : [], linkNames(files));
    for (const file of files) addFile(database, owner, file, numbers, counts, before);
    for (const { path, size, modified } of change.touched ?? []) {
      database.run("UPDATE files SET size = ?, modified = ? WHERE owner = ? AND path = ?", [
        size,
        modified,
        owner.id,
        path,
      ]);
    }
    for (const { path, role } of change.roles ?? []) {
      database.run("UPDATE files SET role = ? WHERE owner = ? AND path = ?", [role ?? null, owner.id, path]);
    }
    counts.unit.finish(database, owner);
    counts.file.finish(database, owner);
    counts.names.finish();
    database.run("UPDATE owners SET revision = revision + 1 WHERE id = ?", [owner.id]);
  });
}

type Numbers = { file: number; item: number };

function nextNumbers(database: Database): Numbers {
  return database.get<Numbers>(
    `SELECT coalesce((SELECT max(id) FROM files), 0) + 1 AS file,
     coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'items'), 0) + 1 AS item`,
  )!;
}

/** A path or an id given twice in one change: the last one counts. */
function withLastOnly(files: IndexedFile[]): IndexedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const holder = new Map<string, IndexedItem>();
  for (const file of byPath.values()) for (const indexed of file.items) holder.set(indexed.item.id, indexed);
  return [...byPath.values()].map((file) => {
    const items = file.items.filter((indexed) => holder.get(indexed.item.id) === indexed);
    return items.length === file.items.length ? file : { ...file, items };
  });
}

/** Ids are unique per owner: an id that comes with these files leaves the file that had it. */
function removeClaimedIds(database: Database, owner: Owner, files: IndexedFile[], counts: WriteCounts): void {
  const ids = [...itemIds(files)];
  const claimed = database.all<{ id: number; name: number; file: number }>(
    "SELECT i.id, i.name, i.file FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value",
    [JSON.stringify(ids), owner.id],
  );
  for (const row of claimed) removeItem(database, owner, row, counts);
}

function* itemIds(files: IndexedFile[]): Iterable<string> {
  for (const file of files) for (const { item } of file.items) yield item.id;
}

function* itemNames(files: IndexedFile[]): Iterable<string> {
  for (const file of files) for (const { item } of file.items) yield storable(item.name);
}

function* linkNames(files: IndexedFile[]): Iterable<string> {
  for (const file of files) for (const link of ownLinks(file)) yield targetName(link);
}

/** Containment is stored as the item's parent; a link that starts in another file could not be removed with this one. */
function ownLinks(file: IndexedFile): Link[] {
  const ids = new Set(file.items.map(({ item }) => item.id));
  return file.links.filter((link) => link.kind !== "contains" && ids.has(link.from));
}

function targetName(link: Link): string {
  return storable(link.to ?? link.name ?? "");
}

function addFile(
  database: Database,
  owner: Owner,
  file: IndexedFile,
  numbers: Numbers,
  counts: WriteCounts,
  before: ReturnType<typeof vectorsBefore>,
): void {
  const number = numbers.file++;
  const path = file.path;
  const first = numbers.item;
  const whole = file.items.findIndex(({ item }) => isWholeFile(item));
  database.run(
    `INSERT INTO files(id, owner, path, base, hash, size, modified, language, items, first, last, whole, role)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      number,
      owner.id,
      path,
      path.slice(path.lastIndexOf("/") + 1).toLowerCase(),
      file.hash,
      file.size,
      file.modified,
      file.language ?? null,
      file.items.length,
      first,
      first + file.items.length - 1,
      whole < 0 ? null : first + whole,
      file.role ?? null,
    ],
  );
  if (owner.named) database.run(`INSERT INTO paths_${owner.id}(rowid, path) VALUES(?, ?)`, [number, path]);
  database.run("INSERT INTO texts(file, text, imports) VALUES(?, ?, ?)", [
    number,
    deflateRawSync(file.text, compression),
    deflateRawSync(JSON.stringify(file.imports), compression),
  ]);
  const itemNumbers = new Map(file.items.map(({ item }) => [item.id, numbers.item++]));
  addItems(database, owner, { number, path }, file.items, itemNumbers, counts);
  addLinks(database, owner, number, ownLinks(file), itemNumbers, counts);
  const vectors = new Map<number, Int8Array>();
  for (const { item, vector } of file.items) if (vector) vectors.set(itemNumbers.get(item.id)!, vector);
  storeVectors(database, number, vectors);
  const written = file.items.map(({ item, unit }) => ({
    number: itemNumbers.get(item.id)!,
    id: item.id,
    hash: item.hash,
    terms: unit?.terms,
  }));
  restoreVectors(database, number, written, before);
}

function isWholeFile({ kind }: Item): boolean {
  return kind === "file" || kind === "document" || kind === "config";
}

/** All of a file together: handing them over one by one costs more than storing them. */
function addItems(
  database: Database,
  owner: Owner,
  file: { number: number; path: string },
  items: readonly IndexedItem[],
  itemNumbers: Map<string, number>,
  counts: WriteCounts,
): void {
  const rows: SqlValue[] = [];
  const terms: Record<Scope, SqlValue[]> = { unit: [], file: [] };
  const addTerms = (scope: Scope, number: number, { terms: packed, length }: ItemTerms) => {
    counts[scope].add(number, packed, length);
    terms[scope].push(number, length, packed);
  };
  for (const indexed of items) {
    const { item } = indexed;
    const number = itemNumbers.get(item.id)!;
    const parent = item.parent === undefined ? undefined : itemNumbers.get(item.parent);
    rows.push(
      number,
      owner.id,
      item.id,
      file.number,
      owner.named ? counts.names.number(storable(item.name)) : 0,
      owner.named ? null : storable(item.name),
      item.source,
      item.kind,
      storedQualifiedName(item.qualifiedName, file.path),
      item.startLine,
      item.endLine,
      item.language ?? null,
      item.signature ?? null,
      item.doc ?? null,
      item.hash,
      parent ?? null,
      parent === undefined ? (item.parent ?? null) : null,
      item.test ? 1 : null,
      item.changed ?? null,
    );
    if (indexed.unit) addTerms("unit", number, indexed.unit);
    if (indexed.file) addTerms("file", number, indexed.file);
  }
  insertRows(
    database,
    "items(id, owner, key, file, name, title, source, kind, qualified, start, stop, language, signature, doc, hash, parent, outside, test, changed)",
    19,
    rows,
  );
  insertRows(database, "unit_terms(item, length, terms)", 3, terms.unit);
  insertRows(database, "file_terms(item, length, terms)", 3, terms.file);
}

function addLinks(
  database: Database,
  owner: Owner,
  file: number,
  links: Link[],
  itemNumbers: Map<string, number>,
  { names }: WriteCounts,
): void {
  if (links.length === 0) return;
  const rows = links.map((link) => {
    const whole = targetName(link);
    const target = link.to === undefined ? lastPart(whole) : whole;
    const wholeNumber = link.to !== undefined ? -1 : target === whole ? 0 : names.number(whole);
    return [linkCodes[link.kind], itemNumbers.get(link.from)!, names.number(target), wholeNumber];
  });
  // One statement a file instead of one a link: handing values over costs more than storing them.
  database.run(
    `INSERT OR IGNORE INTO links(owner, file, kind, item, target, whole)
     SELECT ?, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    [owner.id, file, JSON.stringify(rows)],
  );
}
