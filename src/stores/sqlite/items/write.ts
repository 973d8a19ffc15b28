import type { Link } from "../../../item.ts";
import { baseName } from "../../search/name-likeness.ts";
import { PostingChanges } from "../../search/parts.ts";
import { storable } from "../../storable.ts";
import type { IndexedFile, IndexedItem, ItemTerms, Scope, StoreChange } from "../../store.ts";
import {
  itemIds,
  itemNames,
  linkNames,
  linkNumbers,
  ownLinks,
  packImports,
  packText,
  storedQualifiedName,
  wholeFileAt,
  withLastOnly,
} from "../../written-files.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { ensureOwner, type Owner } from "../engine/owner.ts";
import { restoreVectors, vectorsBefore } from "../search/model-vectors.ts";
import { StoredNames } from "../search/names.ts";
import { storeChanges } from "../search/segments.ts";
import { storeVectors } from "../search/vectors.ts";
import { removeFile, removeItem, type WriteCounts } from "./remove.ts";

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
    storeChanges(database, owner, counts.unit);
    storeChanges(database, owner, counts.file);
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

/** Ids are unique per owner: an id that comes with these files leaves the file that had it. */
function removeClaimedIds(database: Database, owner: Owner, files: IndexedFile[], counts: WriteCounts): void {
  const ids = [...itemIds(files)];
  const claimed = database.all<{ id: number; name: number; file: number }>(
    "SELECT i.id, i.name, i.file FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value",
    [JSON.stringify(ids), owner.id],
  );
  for (const row of claimed) removeItem(database, owner, row, counts);
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
  const whole = wholeFileAt(file.items);
  database.run(
    `INSERT INTO files(id, owner, path, base, hash, size, modified, language, items, first, last, whole, role)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      number,
      owner.id,
      path,
      baseName(path),
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
    packText(file.text),
    packImports(file.imports),
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
    const { kind, target, whole } = linkNumbers(link, (name) => names.number(name));
    return [kind, itemNumbers.get(link.from)!, target, whole];
  });
  // One statement a file instead of one a link: handing values over costs more than storing them.
  database.run(
    `INSERT OR IGNORE INTO links(owner, file, kind, item, target, whole)
     SELECT ?, ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    [owner.id, file, JSON.stringify(rows)],
  );
}
