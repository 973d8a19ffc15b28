import type { RecordFilter } from "../../records.ts";
import { markOf, type Plain } from "../../rules/marks.ts";
import { anyOf, checkedPath } from "../../rules/record-filter.ts";
import type { SqlValue } from "../engine/driver.ts";

/** Values are passed as JSON, so that SQLite reads numbers and texts of a filter exactly like those in the bodies. */
const jsonValue = "json_extract(?, '$[0]')";

export type SqlPart = { sql: string; values: SqlValue[] };

/** A filter in SQL; all parts must hold. */
export type FilterPlan = {
  /** A condition on the table `records`. */
  condition: SqlPart;
  /** True if every record with marks meets the condition. */
  conditionIsType: boolean;
  /** Each part selects `record`: the numbers that the marks at one path allow, possibly repeated. */
  marks: SqlPart[];
  /** A range of numbers may have many marks; for few records it is faster to read their bodies. */
  ranges: { marks: SqlPart; body: SqlPart }[];
};

/** How to find the records of a filter. Deleted records have no marks, so everything is read from their bodies. */
export function planOf(owner: number, filter: RecordFilter): FilterPlan {
  const { type, since, until, deleted } = filter;
  const condition: SqlPart[] = [
    { sql: "owner = ? AND type = ?", values: [owner, type] },
    { sql: deleted ? "deleted IS NOT NULL AND body IS NOT NULL" : "deleted IS NULL", values: [] },
  ];
  const always = condition.length;
  const marks: SqlPart[] = [];
  const ranges: FilterPlan["ranges"] = [];
  const inMarks = (path: string, sql: string, value: string): SqlPart => ({
    sql: `SELECT record FROM marks WHERE owner = ? AND type = ? AND path = ? AND ${sql}`,
    values: [owner, type, checkedPath(path), value],
  });
  if (since !== undefined) condition.push({ sql: "created >= ?", values: [since] });
  if (until !== undefined) condition.push({ sql: "created < ?", values: [until] });
  for (const [path, accepted] of anyOf(filter)) {
    if (deleted || accepted.some((one) => markOf(one) === undefined)) condition.push(anyInBody(path, accepted));
    else
      marks.push(
        inMarks(path, "value IN (SELECT value FROM json_each(?))", JSON.stringify(accepted.map((one) => markOf(one)))),
      );
  }
  for (const [path, least] of Object.entries(filter.atLeast ?? {})) {
    const value = JSON.stringify([least]);
    const body = inBody(path, `element.type IN ('integer', 'real') AND element.value >= ${jsonValue}`, [value]);
    // In SQLite every text is larger than every number, so the largest number ends the range.
    if (deleted) condition.push(body);
    else ranges.push({ marks: inMarks(path, `value BETWEEN ${jsonValue} AND 9e999`, value), body });
  }
  for (const { path, upTo } of filter.without ?? []) {
    const place = `json_extract(body, '$.${checkedPath(path)}')`;
    const values = upTo === undefined ? [] : [JSON.stringify([upTo])];
    if (deleted) {
      condition.push({ sql: `(${place} IS NULL${upTo === undefined ? "" : ` OR ${place} > ${jsonValue}`})`, values });
      continue;
    }
    const range = upTo === undefined ? "" : ` AND value BETWEEN -9e999 AND ${jsonValue}`;
    const sql = `number NOT IN (SELECT record FROM marks WHERE owner = ? AND type = ? AND path = ?${range})`;
    condition.push({ sql, values: [owner, type, path, ...values] });
  }
  return { condition: joinParts(condition), conditionIsType: condition.length === always, marks, ranges };
}

function anyInBody(path: string, accepted: Plain[]): SqlPart {
  const tests = accepted.map((one) => {
    if (typeof one === "boolean") return `element.type = '${one}'`;
    const kinds = typeof one === "string" ? "'text'" : "'integer', 'real'";
    return `element.type IN (${kinds}) AND element.value = ${jsonValue}`;
  });
  const values = accepted.filter((one) => typeof one !== "boolean").map((one) => JSON.stringify([one]));
  return inBody(path, tests.map((test) => `(${test})`).join(" OR ") || "false", values);
}

/** Tests the elements at a path: a single value is its own only element, and an object has no elements. */
function inBody(path: string, test: string, values: SqlValue[]): SqlPart {
  const place = `$.${checkedPath(path)}`;
  return {
    sql: `(json_type(body, '${place}') <> 'object'
      AND EXISTS(SELECT 1 FROM json_each(body, '${place}') AS element WHERE ${test}))`,
    values,
  };
}

export function joinParts(parts: SqlPart[]): SqlPart {
  return { sql: parts.map((part) => part.sql).join(" AND "), values: parts.flatMap((part) => part.values) };
}
