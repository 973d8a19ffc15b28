import { createHash } from "node:crypto";
import type { RecordFilter } from "../../records.ts";
import { type LongMark, markOf, type Plain } from "../../rules/marks.ts";
import { anyOf, checkedPath } from "../../rules/record-filter.ts";
import { kept } from "../../rules/stored-text.ts";

/** Long texts are marked by 132 bits of their hash, so that no filter has to read bodies. */
export const longMark: LongMark = (text) =>
  `#${createHash("sha256").update(JSON.stringify(text)).digest("base64url").slice(0, 22)}`;

/** A mark as the table has it: text that is unlike for what is unlike. */
export const storedMark = (mark: string | number): string => (typeof mark === "number" ? `+${mark}` : kept(mark));

/** Conditions in SQL that grow with their values; $1 is the owner. */
export type OwnedConditions = { sql: string[]; values: unknown[]; bind(value: unknown): string };

export function conditions(...sql: string[]): OwnedConditions {
  const values: unknown[] = [];
  return { sql, values, bind: (value) => `$${values.push(value) + 1}` };
}

/** What a filter asks of the table `records`. Marks are looked up once, not for each record: no plan of the server can make that slow. */
export function filterConditions(filter: RecordFilter): OwnedConditions {
  const found = conditions("owner = $1");
  const type = found.bind(filter.type);
  const marked = (path: string, test: string) =>
    `SELECT record FROM record_marks WHERE owner = $1 AND type = ${type} AND path = ${found.bind(checkedPath(path))} AND ${test}`;
  found.sql.push(`type = ${type}`, filter.deleted ? "deleted IS NOT NULL AND body IS NOT NULL" : "deleted IS NULL");
  if (filter.since !== undefined) found.sql.push(`created >= ${found.bind(filter.since)}`);
  if (filter.until !== undefined) found.sql.push(`created < ${found.bind(filter.until)}`);
  const having = [
    ...anyOf(filter).map(([path, wanted]) =>
      marked(path, `value = ANY(${found.bind(wanted.map(wantedMark))}::text[])`),
    ),
    ...Object.entries(filter.atLeast ?? {}).map(([path, least]) => marked(path, `number >= ${found.bind(least)}`)),
  ];
  if (having.length > 0) found.sql.push(`id = ANY(ARRAY(${having.join(" INTERSECT ")}))`);
  for (const { path, upTo } of filter.without ?? []) {
    const range = upTo === undefined ? "true" : `number <= ${found.bind(upTo)}`;
    found.sql.push(`id NOT IN (${marked(path, range)})`);
  }
  return found;
}

const wantedMark = (value: Plain): string => storedMark(markOf(value, longMark)!);
