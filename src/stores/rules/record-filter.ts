import type { RecordFilter } from "../records.ts";
import type { Plain } from "./marks.ts";

/** Every condition "one of these at this path" of a filter. */
export function anyOf({ where = {}, whereAll = {} }: RecordFilter): [path: string, wanted: Plain[]][] {
  const conditions = Object.entries(where);
  for (const [path, groups] of Object.entries(whereAll)) {
    for (const one of groups) conditions.push([path, Array.isArray(one) ? one : [one]]);
  }
  return conditions;
}

/** Paths are written in code, never by users. */
export function checkedPath(path: string): string {
  if (!/^\w+(\.\w+)*$/.test(path)) throw new Error(`"${path}" is no path into a record.`);
  return path;
}
