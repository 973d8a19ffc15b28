import type { KeptType } from "../../records.ts";
import type { Database } from "../engine/driver.ts";

/**
 * Marks are the short values of a record's body by their dotted path: what filters ask for is then found without reading
 * bodies (20,000 of them take 75 ms). An element of a list is marked at the list's path. What lies inside a list of objects
 * has no dotted path and no mark.
 */

/** Longer texts are prose, which nobody filters by; a filter that does reads the bodies. */
const longestMark = 60;

export type Plain = string | number | boolean;

/** A value as marks keep it: JSON's true is no 1 and its "1" no number. Nothing for what is too long. */
export function markOf(value: Plain): string | number | undefined {
  if (typeof value === "string") return value.length <= longestMark ? `=${value}` : undefined;
  return typeof value === "boolean" ? String(value) : value;
}

export type Marked = { owner: number; type: KeptType; number: number };

/** Replaces the marks of one body by those of another; without a body there are none. */
export function replaceMarks(
  database: Database,
  { owner, type, number }: Marked,
  before: unknown,
  after: unknown,
): void {
  const old = marksOf(before);
  const fresh = marksOf(after);
  const given = (marks: string[]) => [`[${marks.join(",")}]`];
  const gone = [...old].filter((mark) => !fresh.has(mark));
  const added = [...fresh].filter((mark) => !old.has(mark));
  // Values go in as JSON on every path, so that the same text is always the same bytes, whatever a driver makes of it.
  if (gone.length > 0) {
    database.run(
      `DELETE FROM marks WHERE owner = ? AND type = ? AND record = ? AND (path, value) IN (
         SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
      [owner, type, number, ...given(gone)],
    );
  }
  if (added.length > 0) {
    database.run(
      `INSERT INTO marks(owner, type, record, path, value)
         SELECT ?, ?, ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [owner, type, number, ...given(added)],
    );
  }
}

/** Each as JSON, `["path",value]`. */
function marksOf(body: unknown): Set<string> {
  const marks = new Set<string>();
  visit(body, "");
  return marks;

  function visit(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      for (const element of value) mark(element, path);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (/^\w+$/.test(key)) visit(inner, path === "" ? key : `${path}.${key}`);
      }
    } else {
      mark(value, path);
    }
  }

  function mark(value: unknown, path: string): void {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return;
    const kept = markOf(value);
    if (kept !== undefined && path !== "") marks.add(JSON.stringify([path, kept]));
  }
}
