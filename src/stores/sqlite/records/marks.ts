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
  const oldMarks = marksOf(parsed(before));
  const newMarks = marksOf(parsed(after));
  const asJson = (marks: string[]) => [`[${marks.join(",")}]`];
  const removed = [...oldMarks].filter((mark) => !newMarks.has(mark));
  const added = [...newMarks].filter((mark) => !oldMarks.has(mark));
  // Values are always passed as JSON, so that the same text is always the same bytes, whatever a driver makes of it.
  if (removed.length > 0) {
    database.run(
      `DELETE FROM marks WHERE owner = ? AND type = ? AND record = ? AND (path, value) IN (
         SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))`,
      [owner, type, number, ...asJson(removed)],
    );
  }
  if (added.length > 0) {
    database.run(
      `INSERT INTO marks(owner, type, record, path, value)
         SELECT ?, ?, ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [owner, type, number, ...asJson(added)],
    );
  }
}

function parsed(body: string | null): unknown {
  return body === null ? undefined : JSON.parse(body);
}
