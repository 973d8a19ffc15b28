import { storable } from "../../rules/stored-text.ts";
import { baseName } from "../../search/name-likeness.ts";
import { PostingChanges } from "../../search/posting-parts.ts";
import type { IndexedFile, IndexedItem, ItemTerms, Scope, StoreChange } from "../../store.ts";
import {
  itemIds,
  linkNames,
  linkNumbers,
  ownLinks,
  packImports,
  packText,
  wholeFileAt,
  withLastOnly,
} from "../../written-files.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { GatheredRows } from "../engine/insert-rows.ts";
import { ensureOwner, type Owner, type OwnWrite } from "../engine/owner.ts";
import { restoreVectors, vectorsBefore } from "../search/model-vectors.ts";
import { StoredNames } from "../search/names.ts";
import { storeChanges } from "../search/segments.ts";
import { storeVectors } from "../search/vectors.ts";
import { type ItemWrite, removeFile, removeItem } from "./remove.ts";
import {
  contentValues,
  isSameRow,
  itemColumns,
  positionValues,
  type UnchangedItems,
  unchangedItems,
  updatePositions,
} from "./unchanged-items.ts";

/** Applies a change in one transaction and increments the owner's revision. */
export function writeChange(database: Database, ownerName: string, change: StoreChange): OwnWrite {
  return database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    const names = new StoredNames(database, owner.id);
    const postings = { unit: new PostingChanges("unit"), file: new PostingChanges("file") };
    const written = { files: new Set<number>(), goneItems: new Set<number>() };
    const write: ItemWrite = { database, owner, names, postings, written };
    const numbers = nextNumbers(database);

    const files = withLastOnly(change.files);
    const before = vectorsBefore(database, owner, itemIds(files));
    for (const path of change.removed) removeFile(write, path);
    // Removals come first, because an id may move from one file to another.
    const prepared = files.map((file) => ({ file, previous: unchangedItems(write, file) }));
    const newItems = prepared.map(({ file, previous }) => changedItems(file, previous));
    removeClaimedIds(write, newItems.flat());

    const newNames = owner.named ? newItems.flatMap((items) => items.map(({ item }) => storable(item.name))) : [];
    names.intern(newNames, linkNames(files));
    const rows = new GatheredRows();
    for (const { file, previous } of prepared) {
      const numbered = numberFile(file, previous, numbers);
      written.files.add(numbered.number);
      addFile(owner, numbered, rows);
      addItems(write, numbered, rows);
      writeLinks(write, numbered, rows);
      writeVectors(database, numbered, before);
    }
    rows.insert(database);
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
    storeChanges(database, owner, postings.unit);
    storeChanges(database, owner, postings.file);
    names.finish();
    database.run("UPDATE owners SET revision = revision + 1 WHERE id = ?", [owner.id]);
    return { owner: owner.id, revision: owner.revision, ...written };
  });
}

function changedItems({ items }: IndexedFile, previous: UnchangedItems | undefined): IndexedItem[] {
  return previous ? items.filter(({ item }) => !previous.items.has(item.id)) : items;
}

type Numbers = { file: number; item: number };

function nextNumbers(database: Database): Numbers {
  return database.get<Numbers>(
    `SELECT coalesce((SELECT max(id) FROM files), 0) + 1 AS file,
     coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'items'), 0) + 1 AS item`,
  )!;
}

/** Ids are unique per owner: an id in these files is removed from the file that had it. */
function removeClaimedIds(write: ItemWrite, newItems: IndexedItem[]): void {
  const ids = newItems.map(({ item }) => item.id);
  const claimed = write.database.all<{ id: number; name: number; file: number }>(
    "SELECT i.id, i.name, i.file FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value",
    [JSON.stringify(ids), write.owner.id],
  );
  for (const row of claimed) removeItem(write, row);
}

/** A file with its row number, the row numbers of its items by id, and what is already stored for it. */
type NumberedFile = {
  file: IndexedFile;
  number: number;
  itemNumbers: Map<string, number>;
  previous: UnchangedItems | undefined;
};

function numberFile(file: IndexedFile, previous: UnchangedItems | undefined, numbers: Numbers): NumberedFile {
  const number = previous?.file ?? numbers.file++;
  const itemNumbers = new Map(
    file.items.map(({ item }) => [item.id, previous?.items.get(item.id)?.id ?? numbers.item++]),
  );
  return { file, number, itemNumbers, previous };
}

function addFile(owner: Owner, { file, number, itemNumbers, previous }: NumberedFile, rows: GatheredRows): void {
  const wholeIndex = wholeFileAt(file.items);
  rows.add(
    "files(id, owner, path, base, hash, size, modified, language, items, whole, role)",
    11,
    [
      number,
      owner.id,
      file.path,
      baseName(file.path),
      file.hash,
      file.size,
      file.modified,
      file.language ?? null,
      file.items.length,
      wholeIndex < 0 ? null : itemNumbers.get(file.items[wholeIndex]!.item.id)!,
      file.role ?? null,
    ],
    "OR REPLACE",
  );
  if (owner.named && !previous) rows.add(`paths_${owner.id}(rowid, path)`, 2, [number, file.path]);
  const texts = [number, packText(file.text), packImports(file.imports)];
  rows.add("texts(file, text, imports)", 3, texts, "OR REPLACE");
}

function writeVectors(
  database: Database,
  { file, number, itemNumbers, previous }: NumberedFile,
  before: ReturnType<typeof vectorsBefore>,
): void {
  const vectors = new Map<number, Int8Array>();
  for (const { item, vector } of file.items) {
    const itemNumber = itemNumbers.get(item.id)!;
    const currentVector = vector ?? previous?.vectors.get(itemNumber);
    if (currentVector) vectors.set(itemNumber, currentVector);
  }
  if (previous || vectors.size > 0) storeVectors(database, number, vectors);
  const writtenItems = file.items.map(({ item, unit }) => ({
    number: itemNumbers.get(item.id)!,
    id: item.id,
    hash: item.hash,
    terms: unit?.terms,
  }));
  restoreVectors(database, number, writtenItems, before);
}

function addItems(
  { database, owner, names, postings }: ItemWrite,
  { file, number: fileNumber, itemNumbers, previous }: NumberedFile,
  rows: GatheredRows,
): void {
  const values: SqlValue[] = [];
  const moved: SqlValue[][] = [];
  const terms: Record<Scope, SqlValue[]> = { unit: [], file: [] };
  const addTerms = (scope: Scope, number: number, { terms: packed, length }: ItemTerms) => {
    postings[scope].add(number, packed, length);
    terms[scope].push(number, length, packed);
  };
  for (const [index, indexed] of file.items.entries()) {
    const { item } = indexed;
    const number = itemNumbers.get(item.id)!;
    const parent = item.parent === undefined ? null : (itemNumbers.get(item.parent) ?? null);
    const content = contentValues(indexed, file.path, parent === null ? (item.parent ?? null) : null);
    const position = positionValues(indexed, index, parent);
    const unchanged = previous?.items.get(item.id);
    if (unchanged && isSameRow(content, unchanged.content)) {
      if (!isSameRow(position, unchanged.position)) moved.push([number, ...position]);
      continue;
    }
    const name = owner.named ? (unchanged?.name ?? names.number(storable(item.name))) : 0;
    values.push(
      number,
      owner.id,
      item.id,
      fileNumber,
      name,
      owner.named ? null : storable(item.name),
      ...content,
      ...position,
    );
    if (unchanged) continue;
    if (indexed.unit) addTerms("unit", number, indexed.unit);
    if (indexed.file) addTerms("file", number, indexed.file);
  }
  updatePositions(database, moved);
  rows.add(`items(${itemColumns.join(", ")})`, itemColumns.length, values, previous ? "OR REPLACE" : "");
  rows.add("unit_terms(item, length, terms)", 3, terms.unit);
  rows.add("file_terms(item, length, terms)", 3, terms.file);
}

type LinkRow = [kind: number, item: number, target: number, whole: number];

/** For a stored file only added and removed links are written. */
function writeLinks(write: ItemWrite, { file, number, itemNumbers, previous }: NumberedFile, rows: GatheredRows): void {
  const linkRows = ownLinks(file).map((link): LinkRow => {
    const { kind, target, whole } = linkNumbers(link, (name) => write.names.number(name));
    return [kind, itemNumbers.get(link.from)!, target, whole];
  });
  const added = previous ? newLinks(write, number, linkRows) : linkRows;
  const values: SqlValue[] = [];
  for (const [kind, item, target, whole] of added) values.push(write.owner.id, number, kind, item, target, whole);
  rows.add("links(owner, file, kind, item, target, whole)", 6, values, "OR IGNORE");
}

/** The links that are new in a file. Removes the outdated ones. */
function newLinks(write: ItemWrite, file: number, rows: LinkRow[]): LinkRow[] {
  const outdated = new Map(linksOf(write, file).map((row) => [linkKey(row), row]));
  const before = new Set(outdated.keys());
  const added = rows.filter((row) => {
    const key = linkKey(row);
    outdated.delete(key);
    return !before.has(key);
  });
  removeLinks(write, file, [...outdated.values()]);
  return added;
}

function linkKey([kind, item, target, whole]: LinkRow): string {
  return `${kind} ${item} ${target} ${whole}`;
}

function linksOf({ database, owner }: ItemWrite, file: number): LinkRow[] {
  const { rows } = database.get<{ rows: string }>(
    "SELECT json_group_array(json_array(kind, item, target, whole)) AS rows FROM links WHERE owner = ? AND file = ?",
    [owner.id, file],
  )!;
  return JSON.parse(rows) as LinkRow[];
}

function removeLinks({ database, owner, names }: ItemWrite, file: number, outdated: LinkRow[]): void {
  if (outdated.length === 0) return;
  for (const [, , target, whole] of outdated) {
    names.releaseLink(target);
    if (whole > 0) names.releaseLink(whole);
  }
  database.run(
    `DELETE FROM links WHERE (owner, file, kind, item, target, whole) IN (
       SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?3))`,
    [owner.id, file, JSON.stringify(outdated)],
  );
}
