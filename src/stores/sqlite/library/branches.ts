import { DossierError } from "../../../errors.ts";
import { kept } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";

/** One thread's share of what is in a branch: its own messages from `first` to `last`, none when that is smaller. */
export type Segment = { thread: number; first: number; last: number; deleted: boolean };
type Row = [number: number, parent: number | null, first: number, last: number, deleted: number | null];

/**
 * What a thread is made of, its own part first, then its parents'. A parent gives what its branch shares, but never more than is shared by
 * everything between; so what a parent of a parent gives may be less than what the parent itself shows.
 */
export function segmentsOf(database: Database, owner: number, thread: number): Segment[] {
  // UNION, and a share that never grows, end it even where a damaged file has a circle. As one value: a third of the time for a long line.
  const { rows } = database.get<{ rows: string }>(
    `WITH RECURSIVE line(number, parent, first, upto, deleted, last) AS (
       SELECT number, parent, first, first + count - 1, deleted, first + count - 1 FROM threads WHERE number = ? AND owner = ?
       UNION
       SELECT threads.number, threads.parent, threads.first, min(line.upto, line.first - 1), threads.deleted,
         min(line.upto, line.first - 1, threads.first + threads.count - 1)
       FROM line JOIN threads ON threads.number = line.parent
       WHERE threads.owner = ?
     )
     SELECT json_group_array(json_array(number, parent, first, last, deleted)) AS rows FROM line`,
    [thread, owner, owner],
  )!;
  const byNumber = new Map<number, Row>();
  for (const row of JSON.parse(rows) as Row[]) if (!byNumber.has(row[0])) byNumber.set(row[0], row);
  const segments: Segment[] = [];
  for (let next: number | null = thread; next !== null && byNumber.has(next); ) {
    const [number, parent, first, last, deleted]: Row = byNumber.get(next)!;
    byNumber.delete(number);
    segments.push({ thread: number, first, last, deleted: deleted !== null });
    next = parent;
  }
  return segments;
}

type Place = { place: number; id: string | null };

/** Where a branch of everything that a thread has by now begins. */
export function lastShared(
  database: Database,
  owner: number,
  parent: { number: number; first: number; count: number },
): Place {
  const place = parent.first + parent.count - 1;
  for (const { thread, last, first, deleted } of segmentsOf(database, owner, parent.number)) {
    if (deleted || last < first) continue;
    const row = database.get<{ id: string }>("SELECT id FROM messages WHERE owner = ? AND thread = ? AND place = ?", [
      owner,
      thread,
      last,
    ]);
    return { place, id: row?.id ?? null };
  }
  return { place, id: null };
}

/** The place of a message that the thread has, itself or from its parents, by its id or the id that the application gave. */
export function sharedUpTo(
  database: Database,
  owner: number,
  parent: { number: number; id: string },
  message: string,
): Place {
  for (const { thread, last, deleted } of segmentsOf(database, owner, parent.number)) {
    if (deleted) continue;
    const found =
      find(database, "id = ?", [owner, thread, last, kept(message)]) ??
      find(database, "given = ?", [owner, thread, last, kept(message)]);
    if (found) return found;
  }
  throw new DossierError("not-found", `There is no message ${message} in the thread ${parent.id}.`);
}

function find(database: Database, condition: string, values: (string | number)[]): Place | undefined {
  const sql = `SELECT place, id FROM messages WHERE owner = ? AND thread = ? AND place <= ? AND ${condition}`;
  return database.get<Place>(sql, values);
}
