import { pathMatcher } from "../../globs.ts";
import type { Filter } from "../../store.ts";
import type { SqlValue } from "../engine/driver.ts";
import { cacheOf, type Owner, pathsOf, type StoreSession, type TestsApart, type Written } from "../engine/owner.ts";

/** A filter as SQL conditions on `items AS i`, starting with AND; empty when everything passes. */
export type Conditions = { sql: string; values: SqlValue[] };

/** Limit of cached glob lists per revision: a server's users may send any number of them. */
const rememberedGlobs = 64;
const rememberedFilters = 64;

export function conditions(session: StoreSession, owner: Owner, filter: Filter | undefined): Conditions {
  let sql = "";
  const values: SqlValue[] = [];
  const among = (column: string, json: string) => {
    sql += ` AND ${column} IN (SELECT value FROM json_each(?))`;
    values.push(json);
  };
  if (filter?.ids) among("i.key", JSON.stringify(filter.ids));
  if (filter?.sources) among("i.source", JSON.stringify(filter.sources));
  if (filter?.kinds) among("i.kind", JSON.stringify(filter.kinds));
  if (filter?.languages) among("i.language", JSON.stringify(filter.languages));
  if (filter?.paths?.length) among("i.file", filesMatching(session, owner, filter.paths));
  if (filter?.files) among("i.file", filesAt(session, owner, filter.files));
  if (filter?.tests !== undefined) sql += filter.tests ? " AND i.test = 1" : " AND i.test IS NULL";
  return { sql, values };
}

function filesMatching(session: StoreSession, owner: Owner, globs: string[]): string {
  const { globs: remembered } = cacheOf(session, owner);
  const key = JSON.stringify(globs);
  const cached = remembered.get(key);
  if (cached !== undefined) return cached;
  const matches = pathMatcher(globs);
  const files: number[] = [];
  for (const { id, path } of pathsOf(session, owner)) if (matches(path)) files.push(id);
  if (remembered.size >= rememberedGlobs) remembered.clear();
  const json = JSON.stringify(files);
  remembered.set(key, json);
  return json;
}

/**
 * The item numbers that pass a filter, as one byte each; undefined if all pass. Cached, since a user's filter rarely
 * changes.
 */
export function passing(session: StoreSession, owner: Owner, filter: Filter | undefined): Uint8Array | undefined {
  // Lists of files differ in every query: they are not worth caching, and cheap since only their items are read.
  if (filter?.files) return rowsIn(session, owner, filter);
  const where = conditions(session, owner, filter);
  if (where.sql === "") return undefined;
  const { passing: remembered } = cacheOf(session, owner);
  const key = JSON.stringify(filter);
  const cached = remembered.get(key);
  if (cached) return cached;
  const allowed = readPassing(session, owner, filter!, where);
  if (remembered.size >= rememberedFilters) remembered.clear();
  remembered.set(key, allowed);
  return allowed;
}

function readPassing(session: StoreSession, owner: Owner, filter: Filter, where: Conditions): Uint8Array {
  if (isOnly("paths", filter)) return itemsAt(session, owner, filter.paths!);
  if (isOnly("tests", filter)) return testsApart(session, owner)[filter.tests ? "tests" : "others"];
  return rowsOf(session, owner, where, filter.ids ? "items_key" : "items_file");
}

function isOnly(name: keyof Filter, filter: Filter): boolean {
  return Object.entries(filter).every(([key, value]) => (value === undefined) === (key !== name));
}

/**
 * Tests and all other items, read together, since a query searches one group after the other. A number without an item
 * counts among the others; no search returns it.
 */
function testsApart(session: StoreSession, owner: Owner): TestsApart {
  const cache = cacheOf(session, owner);
  if (!cache.testsApart) {
    const { earlier } = cache;
    const { last } = session.database.get<{ last: number }>("SELECT coalesce(max(id), 0) AS last FROM items")!;
    const apart = { tests: new Uint8Array(last + 1), others: new Uint8Array(last + 1).fill(1) };
    if (earlier?.testsApart) copyTests(session, owner, { ...earlier, testsApart: earlier.testsApart }, apart);
    else for (const id of testIds(session, owner)) setTest(apart, id, true);
    cache.testsApart = apart;
  }
  return cache.testsApart;
}

function testIds({ database }: StoreSession, owner: Owner): number[] {
  const { ids } = database.get<{ ids: string }>(
    "SELECT json_group_array(i.id) AS ids FROM items AS i INDEXED BY items_file WHERE i.owner = ? AND i.test = 1",
    [owner.id],
  )!;
  return JSON.parse(ids) as number[];
}

/** Copies the earlier bytes and reads the files written since. */
function copyTests(
  { database }: StoreSession,
  owner: Owner,
  { testsApart: before, files, goneItems }: Written & { testsApart: TestsApart },
  apart: TestsApart,
): void {
  const { length } = apart.tests;
  apart.tests.set(before.tests.subarray(0, length));
  apart.others.set(before.others.subarray(0, length));
  for (const id of goneItems) setTest(apart, id, false);
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(i.id, i.test)) AS rows
     FROM json_each(?) AS j CROSS JOIN items AS i INDEXED BY items_file ON i.owner = ? AND i.file = j.value`,
    [JSON.stringify([...files]), owner.id],
  )!;
  for (const [id, test] of JSON.parse(rows) as [number, number | null][]) setTest(apart, id, test === 1);
}

function setTest({ tests, others }: TestsApart, id: number, isTest: boolean): void {
  tests[id] = isTest ? 1 : 0;
  others[id] = isTest ? 0 : 1;
}

/** Uses the index of items by file, so no item is read. */
function itemsAt(session: StoreSession, owner: Owner, globs: string[]): Uint8Array {
  const from = "json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.file = j.value";
  return bytesOf(session, from, [filesMatching(session, owner, globs), owner.id]);
}

function rowsIn(session: StoreSession, owner: Owner, { files = [], ...others }: Filter): Uint8Array {
  const { sql, values } = conditions(session, owner, others);
  const from = `json_each(?) AS j CROSS JOIN files AS f ON f.id = j.value
    CROSS JOIN items AS i ON i.owner = f.owner AND i.file = f.id WHERE i.owner = ?${sql}`;
  return bytesOf(session, from, [filesAt(session, owner, files), owner.id, ...values]);
}

/** Numbers of the files at these paths, as JSON. */
function filesAt(session: StoreSession, owner: Owner, paths: string[]): string {
  return session.database.get<{ ids: string }>(
    `SELECT json_group_array(f.id) AS ids FROM json_each(?) AS j CROSS JOIN files AS f ON f.owner = ? AND f.path = j.value`,
    [JSON.stringify(paths), owner.id],
  )!.ids;
}

/** Without a named index the planner may take any of the owner's indexes, and reads every item. */
function rowsOf(
  session: StoreSession,
  owner: Owner,
  { sql, values }: Conditions,
  index: "items_key" | "items_file",
): Uint8Array {
  return bytesOf(session, `items AS i INDEXED BY ${index} WHERE i.owner = ?${sql}`, [owner.id, ...values]);
}

function bytesOf(session: StoreSession, from: string, values: SqlValue[]): Uint8Array {
  const row = session.database.get<{ ids: string; last: number | null }>(
    `SELECT json_group_array(i.id) AS ids, max(i.id) AS last FROM ${from}`,
    values,
  )!;
  const allowed = new Uint8Array((row.last ?? 0) + 1);
  for (const id of JSON.parse(row.ids) as number[]) allowed[id] = 1;
  return allowed;
}
