import type { Item, Role } from "../../../item.ts";
import { scopeCodes } from "../../search/posting-parts.ts";
import type { FileOutline, FileState, Scope, StoredFile, StoreStatistics } from "../../store.ts";
import { unpackImports, unpackText } from "../../written-files.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import type { ShelfView } from "../engine/shelf.ts";
import { itemsWhere, writtenName } from "./items.ts";

/** The plain reads: everything that is not a search. */

type FileRow = Omit<FileState, "role"> & { role: Role | null };

function toState({ role, ...state }: FileRow): FileState {
  return role === null ? state : { ...state, role };
}

export async function files(view: ShelfView): Promise<FileState[]> {
  const rows = await view.all<FileRow>(
    "SELECT path, hash, size, modified, items, role FROM files WHERE owner = $1 AND shelf = $2 ORDER BY path",
  );
  return rows.map(toState);
}

export async function file(view: ShelfView, path: string): Promise<StoredFile | undefined> {
  const row = await view.get<FileRow & { language: string | null; text: Uint8Array; imports: Uint8Array }>(
    `SELECT f.path, f.hash, f.size, f.modified, f.items, f.role, f.language, t.text, t.imports FROM files AS f
     JOIN texts AS t ON t.owner = $1 AND t.shelf = $2 AND t.file = f.id
     WHERE f.owner = $1 AND f.shelf = $2 AND f.path = $3`,
    [path],
  );
  if (!row) return undefined;
  const { language, text, imports, ...state } = row;
  const stored = { ...toState(state), text: unpackText(text), imports: unpackImports(imports) };
  return language === null ? stored : { ...stored, language };
}

export function itemsOf(view: ShelfView, path: string): Promise<Item[]> {
  return itemsWhere(view, "f.path = $3 AND i.id BETWEEN f.first AND f.last ORDER BY i.start, i.stop DESC, i.id", [
    path,
  ]);
}

export function itemsByPrefix(view: ShelfView, prefix: string, limit: number): Promise<Item[]> {
  // The last code point follows every id with this prefix.
  return itemsWhere(view, "i.key >= $3 AND i.key < $4 ORDER BY i.key LIMIT $5", [
    prefix,
    `${prefix}\u{10ffff}`,
    Math.max(0, limit),
  ]);
}

/** Limit of ids with one prefix that are examined. */
const mostSharing = 50;

export async function sharedPrefixes(view: ShelfView, prefixes: readonly string[]): Promise<string[]> {
  const rows = await view.all<{ ids: string[] }>(
    `SELECT array_agg(k.key) AS ids FROM unnest($3::text[]) WITH ORDINALITY AS j(prefix, place)
     CROSS JOIN LATERAL (
       SELECT i.key FROM items AS i WHERE i.owner = $1 AND i.shelf = $2
       AND i.key >= j.prefix COLLATE "C" AND i.key < (j.prefix || $4) COLLATE "C" ORDER BY i.key LIMIT ${mostSharing}
     ) AS k GROUP BY j.place HAVING count(*) > 1 ORDER BY j.place`,
    [[...new Set(prefixes)], "\u{10ffff}"],
  );
  return rows.flatMap(({ ids }) => ids);
}

/**
 * Limit of cached term vectors per revision: the same items come up from query to query. About 300 bytes each, files
 * some 2 KB.
 */
const rememberedVectors = 20_000;

export async function terms(view: ShelfView, scope: Scope, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const { vectors } = view.cache;
  if ((vectors.get(scope)?.size ?? rememberedVectors) >= rememberedVectors) vectors.set(scope, new Map());
  const cached = vectors.get(scope)!;
  const missing = ids.filter((id) => !cached.has(id));
  if (missing.length > 0) {
    const rows = await view.all<{ key: string; terms: Uint8Array }>(
      `SELECT i.key, t.terms FROM items AS i JOIN terms AS t ON t.owner = $1 AND t.shelf = $2 AND t.scope = $3 AND t.item = i.id
       WHERE i.owner = $1 AND i.shelf = $2 AND i.key = ANY($4::text[])`,
      [scopeCodes[scope], missing],
    );
    for (const id of missing) cached.set(id, undefined);
    for (const { key, terms } of rows) cached.set(key, terms);
  }
  return new Map(
    ids.flatMap((id) => {
      const vector = cached.get(id);
      return vector ? [[id, vector] as const] : [];
    }),
  );
}

export async function wholeFiles(
  view: ShelfView,
  paths: readonly string[],
): Promise<Map<string, { item: Item; terms: Uint8Array }>> {
  const { wholeFiles: cached } = view.cache;
  if (cached.size > rememberedOutlines) cached.clear();
  const missing = paths.filter((path) => !cached.has(path));
  if (missing.length > 0) {
    const condition = "i.id = f.whole AND f.path = ANY($3::text[])";
    const [items, vectors] = await Promise.all([
      itemsWhere(view, condition, [missing]),
      view.all<{ key: string; terms: Uint8Array }>(
        `SELECT i.key, t.terms FROM files AS f JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id = f.whole
         JOIN terms AS t ON t.owner = $1 AND t.shelf = $2 AND t.scope = ${scopeCodes.file} AND t.item = i.id
         WHERE f.owner = $1 AND f.shelf = $2 AND f.path = ANY($3::text[])`,
        [missing],
      ),
    ]);
    const terms = new Map(vectors.map(({ key, terms }) => [key, terms]));
    for (const path of missing) cached.set(path, undefined);
    for (const item of items) {
      const fileTerms = terms.get(item.id);
      if (fileTerms) cached.set(item.path, { item, terms: fileTerms });
    }
  }
  return new Map(
    paths.flatMap((path) => {
      const entry = cached.get(path);
      return entry ? [[path, entry] as const] : [];
    }),
  );
}

/** Limit of cached outlines per revision: a question opens some dozen files, the next one many of the same. */
const rememberedOutlines = 2000;

export async function outlines(view: ShelfView, paths: readonly string[]): Promise<Map<string, FileOutline>> {
  const { outlines: cached } = view.cache;
  if (cached.size > rememberedOutlines) cached.clear();
  const missing = paths.filter((path) => !cached.has(path));
  if (missing.length > 0) {
    const rows = await view.all<{ path: string; hash: string; imports: Uint8Array; spans: FileOutline["spans"] }>(
      `SELECT f.path, f.hash, t.imports, (
         SELECT coalesce(json_agg(json_build_array(i.start, i.stop, coalesce(i.title, ${writtenName}, '')) ORDER BY i.id), '[]')
         FROM items AS i LEFT JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.id = i.name
         WHERE i.owner = $1 AND i.shelf = $2 AND i.id BETWEEN f.first AND f.last
         AND i.id IS DISTINCT FROM f.whole AND i.kind <> 'field') AS spans
       FROM files AS f JOIN texts AS t ON t.owner = $1 AND t.shelf = $2 AND t.file = f.id
       WHERE f.owner = $1 AND f.shelf = $2 AND f.path = ANY($3::text[])`,
      [missing],
    );
    for (const { path, hash, imports, spans } of rows) {
      cached.set(path, { hash, imports: unpackImports(imports), spans });
    }
  }
  return new Map(paths.flatMap((path) => (cached.has(path) ? [[path, cached.get(path)!] as const] : [])));
}

/** Items in one batch of `allTerms`. */
const batchSize = 1000;

export function termsAfter(
  view: ShelfView,
  scope: Scope,
  last: number,
): Promise<{ item: number; key: string; terms: Uint8Array }[]> {
  return view.all(
    `SELECT t.item, i.key, t.terms FROM terms AS t JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id = t.item
     WHERE t.owner = $1 AND t.shelf = $2 AND t.scope = $3 AND t.item > $4 ORDER BY t.item LIMIT ${batchSize}`,
    [scopeCodes[scope], last],
  );
}

export async function writeMetadata(
  queries: TransactionQueries,
  shelf: number,
  key: string,
  value: Uint8Array,
): Promise<void> {
  await Promise.all([
    queries.run(
      `INSERT INTO shelves(owner, shelf, notes) VALUES($1, $2, 1)
       ON CONFLICT (owner, shelf) DO UPDATE SET notes = shelves.notes + 1`,
      [shelf],
    ),
    queries.run(
      `INSERT INTO notes(owner, shelf, key, value) VALUES($1, $2, $3, $4)
       ON CONFLICT (owner, shelf, key) DO UPDATE SET value = excluded.value`,
      [shelf, key, value],
    ),
  ]);
}

type Counts = Record<"files" | "text_bytes" | "items" | "links" | "vectors", number>;
type Labels = Record<string, number>;

/** Statistics of an owner. `bytes`: of the rows as stored, without indexes. */
export async function statistics(view: ShelfView, engine: string): Promise<StoreStatistics> {
  const row = await view.get<Counts & { bytes: number; kinds: Labels; languages: Labels }>(
    `SELECT
       (SELECT count(*) FROM files WHERE owner = $1 AND shelf = $2) AS files,
       (SELECT coalesce(sum(size), 0)::bigint FROM files WHERE owner = $1 AND shelf = $2) AS text_bytes,
       (SELECT count(*) FROM items WHERE owner = $1 AND shelf = $2) AS items,
       (SELECT count(*) FROM links WHERE owner = $1 AND shelf = $2) AS links,
       (SELECT coalesce(sum(length(items) / 4), 0) FROM vectors WHERE owner = $1 AND shelf = $2) AS vectors,
       (SELECT coalesce(sum(pg_column_size(t.text) + pg_column_size(t.imports)), 0) FROM texts AS t WHERE owner = $1 AND shelf = $2)
         + (SELECT coalesce(sum(pg_column_size(i.*)), 0) FROM items AS i WHERE owner = $1 AND shelf = $2)
         + (SELECT coalesce(sum(pg_column_size(t.terms)), 0) FROM terms AS t WHERE owner = $1 AND shelf = $2)
         + (SELECT coalesce(sum(pg_column_size(b.data)), 0) FROM blocks AS b WHERE owner = $1 AND shelf = $2) AS bytes,
       (SELECT coalesce(json_object_agg(kind, count ORDER BY kind), '{}') FROM (
          SELECT kind, count(*) FROM items WHERE owner = $1 AND shelf = $2 GROUP BY kind) AS k) AS kinds,
       (SELECT coalesce(json_object_agg(language, count ORDER BY language), '{}') FROM (
          SELECT language, count(*) FROM files WHERE owner = $1 AND shelf = $2 AND language IS NOT NULL GROUP BY language) AS l) AS languages`,
  );
  const { text_bytes, ...counts } = row!;
  return { engine, ...counts, textBytes: text_bytes };
}
