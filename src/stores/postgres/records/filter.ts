import { createHash } from "node:crypto";
import type { RecordFilter } from "../../records.ts";
import { type LongMark, markOf, type Plain } from "../../rules/marks.ts";
import { anyOf, checkedPath } from "../../rules/record-filter.ts";
import { escapeText } from "../../rules/stored-text.ts";

/** Long texts are marked by 132 bits of their hash, so that no filter has to read bodies. */
export const longMark: LongMark = (text) =>
  `#${createHash("sha256").update(JSON.stringify(text)).digest("base64url").slice(0, 22)}`;

/** A mark as stored: different texts for different values. */
export const storedMark = (mark: string | number): string => (typeof mark === "number" ? `+${mark}` : escapeText(mark));

/** SQL conditions with their values; $1 is the owner. */
export type OwnedConditions = { sql: string[]; values: unknown[]; bind(value: unknown): string };

export function conditions(...sql: string[]): OwnedConditions {
  const values: unknown[] = [];
  return { sql, values, bind: (value) => `$${values.push(value) + 1}` };
}

/** A filter as conditions on the table `records`. Marks are looked up once, not for each record, whatever plan the server makes. */
export function filterConditions(filter: RecordFilter): OwnedConditions {
  const filterSql = conditions("owner = $1");
  const type = filterSql.bind(filter.type);
  const markedRecords = (path: string, test: string) =>
    `SELECT record FROM record_marks WHERE owner = $1 AND type = ${type} AND path = ${filterSql.bind(checkedPath(path))} AND ${test}`;
  filterSql.sql.push(`type = ${type}`, filter.deleted ? "deleted IS NOT NULL AND body IS NOT NULL" : "deleted IS NULL");
  if (filter.since !== undefined) filterSql.sql.push(`created >= ${filterSql.bind(filter.since)}`);
  if (filter.until !== undefined) filterSql.sql.push(`created < ${filterSql.bind(filter.until)}`);
  const having = [
    ...anyOf(filter).map(([path, values]) =>
      markedRecords(path, `value = ANY(${filterSql.bind(values.map(wantedMark))}::text[])`),
    ),
    ...Object.entries(filter.atLeast ?? {}).map(([path, least]) =>
      markedRecords(path, `number >= ${filterSql.bind(least)}`),
    ),
  ];
  if (having.length > 0) filterSql.sql.push(`id = ANY(ARRAY(${having.join(" INTERSECT ")}))`);
  for (const { path, upTo } of filter.without ?? []) {
    const range = upTo === undefined ? "true" : `number <= ${filterSql.bind(upTo)}`;
    filterSql.sql.push(`id NOT IN (${markedRecords(path, range)})`);
  }
  return filterSql;
}

const wantedMark = (value: Plain): string => storedMark(markOf(value, longMark)!);
