import type { Filter } from "../store.ts";
import { pathMatcher } from "../globs.ts";
import type { Value } from "./driver.ts";
import { cacheOf, type Owner, pathsOf, type Session } from "./owner.ts";

/** A filter as SQL conditions on `items AS i`, starting with AND; empty when everything passes. */
export type Conditions = { sql: string; values: Value[] };

/** Distinct glob lists remembered per revision: a server's users may send any number of them. */
const rememberedGlobs = 64;

export function conditions(session: Session, owner: Owner, filter: Filter | undefined): Conditions {
  let sql = "";
  const values: Value[] = [];
  const among = (column: string, json: string) => {
    sql += ` AND ${column} IN (SELECT value FROM json_each(?))`;
    values.push(json);
  };
  if (filter?.sources) among("i.source", JSON.stringify(filter.sources));
  if (filter?.kinds) among("i.kind", JSON.stringify(filter.kinds));
  if (filter?.languages) among("i.language", JSON.stringify(filter.languages));
  if (filter?.paths?.length) among("i.file", filesMatching(session, owner, filter.paths));
  if (filter?.tests !== undefined) sql += filter.tests ? " AND i.test = 1" : " AND i.test IS NULL";
  return { sql, values };
}

function filesMatching(session: Session, owner: Owner, globs: string[]): string {
  const { globs: remembered } = cacheOf(session, owner);
  const key = JSON.stringify(globs);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const matches = pathMatcher(globs);
  const files: number[] = [];
  for (const { id, path } of pathsOf(session, owner)) if (matches(path)) files.push(id);
  if (remembered.size >= rememberedGlobs) remembered.clear();
  const json = JSON.stringify(files);
  remembered.set(key, json);
  return json;
}
