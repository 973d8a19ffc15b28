import { pathMatcher } from "../../globs.ts";
import type { Filter } from "../../store.ts";
import type { ShelfView } from "../engine/shelf.ts";

/** A filter as SQL conditions on `items AS i`, starting with AND; empty when everything passes. */
export type FilterConditions = { sql: string; values: unknown[] };

/** Limit of cached glob lists per revision: a server's users may send any number of them. */
const rememberedGlobs = 64;
const rememberedFilters = 64;

/** `from`: the number of the first value, $3 or later. */
export async function conditions(view: ShelfView, filter: Filter | undefined, from: number): Promise<FilterConditions> {
  let sql = "";
  const values: unknown[] = [];
  const among = (column: string, type: "text" | "int", list: readonly unknown[]) => {
    sql += ` AND ${column} = ANY($${from + values.length}::${type}[])`;
    values.push(list);
  };
  if (filter?.ids) among("i.key", "text", filter.ids);
  if (filter?.sources) among("i.source", "text", filter.sources);
  if (filter?.kinds) among("i.kind", "text", filter.kinds);
  if (filter?.languages) among("i.language", "text", filter.languages);
  if (filter?.paths?.length) among("i.file", "int", await filesMatching(view, filter.paths));
  if (filter?.files) {
    sql += ` AND i.file IN (SELECT w.id FROM files AS w WHERE w.owner = $1 AND w.shelf = $2 AND w.path = ANY($${from + values.length}::text[]))`;
    values.push(filter.files);
  }
  if (filter?.tests !== undefined) sql += filter.tests ? " AND i.test = 1" : " AND i.test IS NULL";
  return { sql, values };
}

/** Paths of all the shelf's files, in order. */
export async function pathsOf(view: ShelfView): Promise<{ id: number; path: string }[]> {
  view.cache.paths ??= await view.all("SELECT id, path FROM files WHERE owner = $1 AND shelf = $2 ORDER BY path");
  return view.cache.paths;
}

async function filesMatching(view: ShelfView, globs: string[]): Promise<number[]> {
  const { globs: remembered } = view.cache;
  const key = JSON.stringify(globs);
  const cached = remembered.get(key);
  if (cached) return cached;
  const matches = pathMatcher(globs);
  const files = (await pathsOf(view)).filter(({ path }) => matches(path)).map(({ id }) => id);
  if (remembered.size >= rememberedGlobs) remembered.clear();
  remembered.set(key, files);
  return files;
}

/**
 * The item numbers that pass a filter, as one byte each; undefined when all do. Cached: a user's filter rarely changes.
 */
export async function passing(view: ShelfView, filter: Filter | undefined): Promise<Uint8Array | undefined> {
  const where = await conditions(view, filter, 3);
  if (where.sql === "") return undefined;
  const { passing: remembered } = view.cache;
  const key = JSON.stringify(filter);
  const cached = remembered.get(key);
  if (cached) return cached;
  const rows = await view.all<{ id: number }>(
    `SELECT i.id FROM items AS i WHERE i.owner = $1 AND i.shelf = $2${where.sql} ORDER BY i.id`,
    where.values,
  );
  const allowed = new Uint8Array((rows.at(-1)?.id ?? 0) + 1);
  for (const { id } of rows) allowed[id] = 1;
  // Lists of files or ids differ for every query: not worth caching.
  if (filter?.files || filter?.ids) return allowed;
  if (remembered.size >= rememberedFilters) remembered.clear();
  remembered.set(key, allowed);
  return allowed;
}
