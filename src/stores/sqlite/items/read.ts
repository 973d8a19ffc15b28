import type { Item, Role } from "../../../item.ts";
import type { FileOutline, FileState, Scope, StoredFile, StoreStatistics } from "../../store.ts";
import { unpackImports, unpackText } from "../../written-files.ts";
import type { Database } from "../engine/driver.ts";
import { cacheOf, ensureOwner, findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { splitBytes } from "../engine/split-bytes.ts";
import { itemsByKey, itemsByNumber, itemsWhere } from "./items.ts";

/** Plain reads: everything except searches. An owner who has never written has nothing. */

export function files(database: Database, ownerName: string): FileState[] {
  // This runs before every query. It reads one value, since thousands of rows take three times as long.
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(path, hash, size, modified, items, role)) AS rows FROM (
       SELECT * FROM files WHERE owner = (SELECT id FROM owners WHERE name = ?) ORDER BY path
     )`,
    [ownerName],
  )!;
  const states = JSON.parse(rows) as [string, string, number, number, number, Role | null][];
  return states.map(([path, hash, size, modified, items, role]) => {
    const state: FileState = { path, hash, size, modified, items };
    if (role !== null) state.role = role;
    return state;
  });
}

type FileRow = Omit<FileState, "role"> & {
  role: Role | null;
  language: string | null;
  text: Uint8Array;
  imports: Uint8Array;
};

export function file(database: Database, ownerName: string, path: string): StoredFile | undefined {
  const row = database.get<FileRow>(
    `SELECT f.path, f.hash, f.size, f.modified, f.items, f.role, f.language, t.text, t.imports FROM files AS f
     JOIN texts AS t ON t.file = f.id WHERE f.owner = (SELECT id FROM owners WHERE name = ?) AND f.path = ?`,
    [ownerName, path],
  );
  if (!row) return undefined;
  const { language, role, text, imports, ...state } = row;
  const stored: StoredFile = {
    ...state,
    text: unpackText(text),
    imports: unpackImports(imports),
  };
  if (language !== null) stored.language = language;
  if (role !== null) stored.role = role;
  return stored;
}

export function items(session: StoreSession, ownerName: string, ids: string[]): Item[] {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    return owner ? itemsByKey(session, owner, ids) : [];
  });
}

export function itemsOf(database: Database, ownerName: string, path: string): Item[] {
  const owner = findOwner(database, ownerName);
  if (!owner) return [];
  return itemsWhere(
    database,
    "f.owner = ? AND f.path = ? AND i.owner = f.owner ORDER BY i.start, i.stop DESC, i.place",
    [owner.id, path],
  );
}

export function itemsByPrefix(database: Database, ownerName: string, prefix: string, limit: number): Item[] {
  const owner = findOwner(database, ownerName);
  if (!owner) return [];
  // The last code point sorts after every id with this prefix.
  return itemsWhere(database, "i.owner = ? AND i.key >= ? AND i.key < ? ORDER BY i.key LIMIT ?", [
    owner.id,
    prefix,
    `${prefix}\u{10ffff}`,
    Math.max(0, limit),
  ]);
}

/** Limit of ids with one prefix that are examined. */
const mostSharing = 50;

export function sharedPrefixes(database: Database, ownerName: string, prefixes: string[]): string[] {
  const owner = findOwner(database, ownerName);
  if (!owner) return [];
  const rows = database.all<{ ids: string }>(
    `SELECT (SELECT json_group_array(key) FROM (
       SELECT i.key FROM items AS i WHERE i.owner = ?1 AND i.key >= j.value AND i.key < j.value || char(1114111) LIMIT ?3
     )) AS ids FROM json_each(?2) AS j`,
    [owner.id, JSON.stringify([...new Set(prefixes)]), mostSharing],
  );
  return rows
    .map(({ ids }) => JSON.parse(ids) as string[])
    .filter((ids) => ids.length > 1)
    .flat();
}

/**
 * Limit of cached term vectors per revision, since queries share many items. A vector has about 300 bytes, that of a
 * file some 2 KB.
 */
const rememberedVectors = 20_000;

export function terms(session: StoreSession, ownerName: string, scope: Scope, ids: string[]): Map<string, Uint8Array> {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner) return new Map();
    const cached = vectorsOf(session, owner, scope);
    const missing = ids.filter((id) => !cached.has(id));
    if (missing.length > 0) readTerms(database, owner, scope, missing, cached);
    const vectors = new Map<string, Uint8Array>();
    for (const id of ids) {
      const vector = cached.get(id);
      if (vector) vectors.set(id, vector);
    }
    return vectors;
  });
}

function readTerms(database: Database, owner: Owner, scope: Scope, ids: string[], into: Map<string, Uint8Array>): void {
  const { keys, lengths, terms } = database.get<{ keys: string; lengths: string; terms: Uint8Array | null }>(
    `SELECT json_group_array(i.key) AS keys, json_group_array(length(t.terms)) AS lengths,
       CAST(group_concat(t.terms, '') AS BLOB) AS terms
     FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value
     CROSS JOIN ${scope}_terms AS t ON t.item = i.id`,
    [JSON.stringify(ids), owner.id],
  )!;
  const vectors = splitBytes(terms, JSON.parse(lengths) as number[]);
  for (const [i, key] of (JSON.parse(keys) as string[]).entries()) into.set(key, vectors[i]!);
}

function vectorsOf(session: StoreSession, owner: Owner, scope: Scope): Map<string, Uint8Array> {
  const { vectors } = cacheOf(session, owner);
  if ((vectors.get(scope)?.size ?? rememberedVectors) >= rememberedVectors) vectors.set(scope, new Map());
  return vectors.get(scope)!;
}

export function wholeFiles(
  session: StoreSession,
  ownerName: string,
  paths: string[],
): Map<string, { item: Item; terms: Uint8Array }> {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner) return new Map();
    const numbers = wholeNumbers(session, owner, paths);
    const itemByNumber = itemsByNumber(session, owner, numbers);
    const items = numbers.flatMap((number) => itemByNumber.get(number) ?? []);
    const vectors = terms(
      session,
      ownerName,
      "file",
      items.map(({ id }) => id),
    );
    return new Map(
      items.flatMap((item) => {
        const fileTerms = vectors.get(item.id);
        return fileTerms ? [[item.path, { item, terms: fileTerms }] as const] : [];
      }),
    );
  });
}

/** The numbers of the whole-file items at these paths; paths without one are left out. */
function wholeNumbers(session: StoreSession, owner: Owner, paths: string[]): number[] {
  const { wholes } = cacheOf(session, owner);
  const missing = paths.filter((path) => !wholes.has(path));
  if (missing.length > 0) {
    const { rows } = session.database.get<{ rows: string }>(
      "SELECT json_group_array(json_array(j.value, f.whole)) AS rows FROM json_each(?) AS j CROSS JOIN files AS f ON f.owner = ? AND f.path = j.value",
      [JSON.stringify(missing), owner.id],
    )!;
    for (const [path, whole] of JSON.parse(rows) as [string, number | null][]) wholes.set(path, whole);
  }
  return paths.flatMap((path) => wholes.get(path) ?? []);
}

/**
 * Limit of cached outlines per revision: a query opens some dozen files, and the next query opens many of them again.
 */
const rememberedOutlines = 2000;

export function outlines(session: StoreSession, ownerName: string, paths: string[]): Map<string, FileOutline> {
  const { database } = session;
  return database.transaction("read", () => {
    const owner = findOwner(database, ownerName);
    if (!owner) return new Map();
    const { outlines: cached } = cacheOf(session, owner);
    if (cached.size > rememberedOutlines) cached.clear();
    const missing = paths.filter((path) => !cached.has(path));
    for (const [path, outline] of missing.length === 0 ? [] : readOutlines(database, owner, missing))
      cached.set(path, outline);
    return new Map(paths.flatMap((path) => (cached.has(path) ? [[path, cached.get(path)!] as const] : [])));
  });
}

function readOutlines(database: Database, owner: Owner, paths: string[]): [string, FileOutline][] {
  const rows = database.all<{ path: string; hash: string; imports: Uint8Array; spans: string }>(
    `SELECT f.path, f.hash, t.imports, (
       SELECT json_group_array(json_array(i.start, i.stop, coalesce(i.title, nullif(n.name, ''), n.folded, '')))
       FROM (SELECT * FROM items WHERE owner = f.owner AND file = f.id ORDER BY place) AS i LEFT JOIN names AS n ON n.id = i.name
       WHERE i.id IS NOT f.whole AND i.kind <> 'field') AS spans
     FROM json_each(?) AS j CROSS JOIN files AS f ON f.owner = ? AND f.path = j.value
     CROSS JOIN texts AS t ON t.file = f.id`,
    [JSON.stringify(paths), owner.id],
  );
  return rows.map(({ path, hash, imports, spans }) => [
    path,
    { hash, imports: unpackImports(imports), spans: JSON.parse(spans) as FileOutline["spans"] },
  ]);
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

export function metadata(database: Database, ownerName: string, key: string): Uint8Array | undefined {
  return database.get<{ value: Uint8Array }>(
    "SELECT value FROM notes WHERE owner = (SELECT id FROM owners WHERE name = ?) AND key = ?",
    [ownerName, key],
  )?.value;
}

export function writeMetadata(database: Database, ownerName: string, key: string, value: Uint8Array): void {
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
