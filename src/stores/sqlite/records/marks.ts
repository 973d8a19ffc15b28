import type { KeptType } from "../../records.ts";
import { marksOf } from "../../rules/marks.ts";
import type { Database } from "../engine/driver.ts";

export type Marked = { owner: number; type: KeptType; number: number };

/** Replaces the marks of one body by those of another; without a body there are none. */
export function replaceMarks(
  database: Database,
  { owner, type, number }: Marked,
  before: string | null,
  after: string | null,
): void {
  const old = marksOf(parsed(before));
  const fresh = marksOf(parsed(after));
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

function parsed(body: string | null): unknown {
  return body === null ? undefined : JSON.parse(body);
}
