import { inflateRawSync } from "node:zlib";
import type { ImportStatement, Item } from "../../item.ts";
import type { FileState, Scope, StoredFile, StoreStatistics } from "../store.ts";
import type { Database } from "./driver.ts";
import { itemsByKey, itemsWhere } from "./items.ts";
import { ensureOwner, findOwner } from "./owner.ts";

/** The plain reads: everything that is not a search. An owner who never wrote has nothing. */

export function files(database: Database, ownerName: string): FileState[] {
  // Asked before every query: as one value, thousands of rows take a third of the time.
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(path, hash, size, modified, items)) AS rows FROM (
       SELECT * FROM files WHERE owner = (SELECT id FROM owners WHERE name = ?) ORDER BY path
     )`,
    [ownerName],
  )!;
  const states = JSON.parse(rows) as [string, string, number, number, number][];
  return states.map(([path, hash, size, modified, items]) => ({ path, hash, size, modified, items }));
}

type FileRow = FileState & { language: string | null; text: Uint8Array; imports: Uint8Array };

export function file(database: Database, ownerName: string, path: string): StoredFile | undefined {
  const row = database.get<FileRow>(
    `SELECT f.path, f.hash, f.size, f.modified, f.items, f.language, t.text, t.imports FROM files AS f
     JOIN texts AS t ON t.file = f.id WHERE f.owner = (SELECT id FROM owners WHERE name = ?) AND f.path = ?`,
    [ownerName, path],
  );
  if (!row) return undefined;
  const { language, text, imports, ...state } = row;
  const stored: StoredFile = {
    ...state,
    text: inflateRawSync(text).toString("utf8"),
    imports: JSON.parse(inflateRawSync(imports).toString("utf8")) as ImportStatement[],
  };
  if (language !== null) stored.language = language;
  return stored;
}

export function items(database: Database, ownerName: string, ids: string[]): Item[] {
  const owner = findOwner(database, ownerName);
  return owner ? itemsByKey(database, owner.id, ids) : [];
}

export function itemsOf(database: Database, ownerName: string, path: string): Item[] {
  const owner = findOwner(database, ownerName);
  if (!owner) return [];
  return itemsWhere(
    database,
    "f.owner = ? AND f.path = ? AND i.id BETWEEN f.first AND f.last ORDER BY i.start, i.stop DESC, i.id",
    [owner.id, path],
  );
}

export function itemsByPrefix(database: Database, ownerName: string, prefix: string, limit: number): Item[] {
  const owner = findOwner(database, ownerName);
  if (!owner) return [];
  // The last code point follows every id that starts with the prefix.
  return itemsWhere(database, "i.owner = ? AND i.key >= ? AND i.key < ? ORDER BY i.key LIMIT ?", [
    owner.id,
    prefix,
    `${prefix}\u{10ffff}`,
    Math.max(0, limit),
  ]);
}

export function terms(database: Database, ownerName: string, scope: Scope, ids: string[]): Map<string, Uint8Array> {
  const owner = findOwner(database, ownerName);
  if (!owner) return new Map();
  const rows = database.all<{ key: string; terms: Uint8Array }>(
    `SELECT i.key, t.terms FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value
     CROSS JOIN ${scope}_terms AS t ON t.item = i.id`,
    [JSON.stringify(ids), owner.id],
  );
  return new Map(rows.map((row) => [row.key, row.terms]));
}

export function wholeFiles(
  database: Database,
  ownerName: string,
  paths: string[],
): Map<string, { item: Item; terms: Uint8Array }> {
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner) return new Map();
    const rows = database.all<{ path: string; key: string; terms: Uint8Array }>(
      `SELECT f.path, i.key, t.terms FROM json_each(?) AS j CROSS JOIN files AS f ON f.owner = ? AND f.path = j.value
       CROSS JOIN items AS i ON i.id = f.whole AND i.file = f.id CROSS JOIN file_terms AS t ON t.item = i.id`,
      [JSON.stringify(paths), owner.id],
    );
    const byKey = new Map(
      itemsByKey(
        database,
        owner.id,
        rows.map(({ key }) => key),
      ).map((item) => [item.id, item]),
    );
    return new Map(rows.map(({ path, key, terms }) => [path, { item: byKey.get(key)!, terms }]));
  });
}

/** Items in one batch of `allTerms`. */
const batchSize = 1000;

export async function* allTerms(
  database: Database,
  ownerName: string,
  scope: Scope,
): AsyncIterable<{ id: string; terms: Uint8Array }[]> {
  const owner = findOwner(database, ownerName);
  if (!owner) return;
  for (let last = 0; ; ) {
    const rows = database.all<{ id: number; key: string; terms: Uint8Array }>(
      `SELECT i.id, i.key, t.terms FROM ${scope}_terms AS t CROSS JOIN items AS i ON i.id = t.item
       WHERE t.item > ? AND i.owner = ? ORDER BY t.item LIMIT ${batchSize}`,
      [last, owner.id],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)!.id;
    yield rows.map(({ key, terms }) => ({ id: key, terms }));
  }
}

export function note(database: Database, ownerName: string, key: string): Uint8Array | undefined {
  return database.get<{ value: Uint8Array }>(
    "SELECT value FROM notes WHERE owner = (SELECT id FROM owners WHERE name = ?) AND key = ?",
    [ownerName, key],
  )?.value;
}

export function writeNote(database: Database, ownerName: string, key: string, value: Uint8Array): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName);
    database.run("INSERT OR REPLACE INTO notes(owner, key, value) VALUES(?, ?, ?)", [owner.id, key, value]);
  });
}

export function statistics(database: Database, ownerName: string): StoreStatistics {
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName)?.id ?? 0;
    const count = (sql: string) => database.get<{ count: number | null }>(sql, [owner])!.count ?? 0;
    const byLabel = (sql: string) => {
      const rows = database.all<{ label: string; count: number }>(sql, [owner]);
      return Object.fromEntries(rows.map(({ label, count }) => [label, count]));
    };
    return {
      engine: database.engine,
      bytes: database.get<{ bytes: number }>(
        "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
      )!.bytes,
      files: count("SELECT count(*) AS count FROM files WHERE owner = ?"),
      items: count("SELECT count(*) AS count FROM items WHERE owner = ?"),
      links: count("SELECT count(*) AS count FROM links WHERE owner = ?"),
      vectors: count(
        "SELECT sum(length(v.items) / 4) AS count FROM files AS f CROSS JOIN vectors AS v ON v.file = f.id WHERE f.owner = ?",
      ),
      textBytes: count("SELECT sum(size) AS count FROM files WHERE owner = ?"),
      kinds: byLabel("SELECT kind AS label, count(*) AS count FROM items WHERE owner = ? GROUP BY kind ORDER BY kind"),
      languages: byLabel(
        "SELECT language AS label, count(*) AS count FROM files WHERE owner = ? AND language IS NOT NULL GROUP BY language ORDER BY language",
      ),
    };
  });
}
