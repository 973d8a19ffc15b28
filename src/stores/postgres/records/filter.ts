import { createHash } from "node:crypto";
import type { RecordFilter } from "../../records.ts";
import { type LongMark, markOf } from "../../rules/marks.ts";
import { anyOf, checkedPath } from "../../rules/record-filter.ts";
import { escapeText } from "../../rules/stored-text.ts";
import { storedHash } from "../engine/stored-hash.ts";

/** Long texts are marked by 132 bits of their hash, so that no filter has to read bodies. */
export const longMark: LongMark = (text) =>
  `#${createHash("sha256").update(JSON.stringify(text)).digest("base64url").slice(0, 22)}`;

/** A mark as text: different texts for different values. */
const storedMark = (mark: string | number): string => (typeof mark === "number" ? `+${mark}` : escapeText(mark));

/** What a mark is found by: its path, and the value at it; those of other types are others. */
export const pathHash = (type: string, path: string): string => storedHash(`${type} ${path}`);
export const markHash = (type: string, path: string, mark: string | number): string =>
  storedHash(`${type} ${path} ${storedMark(mark)}`);

/** SQL conditions with their values; $1 is the owner. */
export type OwnedConditions = { sql: string[]; values: unknown[]; bind(value: unknown): string };

export function conditions(...sql: string[]): OwnedConditions {
  const values: unknown[] = [];
  return { sql, values, bind: (value) => `$${values.push(value) + 1}` };
}

/**
 * A filter as conditions on the table `records`. Marks are looked up once, not for each record, whatever plan the
 * server makes.
 */
export function filterConditions(filter: RecordFilter): OwnedConditions {
  const filterSql = conditions("owner = $1");
  const type = filterSql.bind(filter.type);
  const markedRecords = (path: string, test: string) =>
    `SELECT revision FROM record_marks WHERE owner = $1 AND path = ${filterSql.bind(pathHash(filter.type, checkedPath(path)))} AND ${test}`;
  filterSql.sql.push(`type = ${type}`, filter.deleted ? "deleted IS NOT NULL AND body IS NOT NULL" : "deleted IS NULL");
  if (filter.since !== undefined) filterSql.sql.push(`created >= ${filterSql.bind(filter.since)}`);
  if (filter.until !== undefined) filterSql.sql.push(`created < ${filterSql.bind(filter.until)}`);
  const having = [
    ...anyOf(filter).map(([path, values]) =>
      markedRecords(
        path,
        `value = ANY(${filterSql.bind(values.map((value) => markHash(filter.type, path, markOf(value, longMark)!)))}::bigint[])`,
      ),
    ),
    ...Object.entries(filter.atLeast ?? {}).map(([path, least]) =>
      markedRecords(path, `number >= ${filterSql.bind(least)}`),
    ),
  ];
  if (having.length > 0) filterSql.sql.push(`revision = ANY(ARRAY(${having.join(" INTERSECT ")}))`);
  for (const { path, upTo } of filter.without ?? []) {
    const range = upTo === undefined ? "true" : `number <= ${filterSql.bind(upTo)}`;
    filterSql.sql.push(`revision NOT IN (${markedRecords(path, range)})`);
  }
  return filterSql;
}
