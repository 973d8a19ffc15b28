import { escapeText } from "../../rules/stored-text.ts";
import {
  type Segment,
  type SharedMessage,
  segmentsOf,
  sharedMessage,
  type ThreadLine,
  visibleSegments,
} from "../../rules/thread-rows.ts";
import type { Database } from "../engine/driver.ts";

type Line = [thread: number, parent: number | null, first: number, count: number, deleted: number | null];

/** The segments of a thread: its own first, then those of its parents. */
export function readSegments(database: Database, owner: number, thread: number): Segment<number>[] {
  // UNION stops at a cycle, which a damaged file may have. Read as one value, which takes a third of the time for a
  // long line of parents.
  const { rows } = database.get<{ rows: string }>(
    `WITH RECURSIVE line(number, parent, first, count, deleted) AS (
       SELECT number, parent, first, count, deleted FROM threads WHERE number = ? AND owner = ?
       UNION
       SELECT threads.number, threads.parent, threads.first, threads.count, threads.deleted
       FROM line JOIN threads ON threads.number = line.parent WHERE threads.owner = ?
     )
     SELECT json_group_array(json_array(number, parent, first, count, deleted)) AS rows FROM line`,
    [thread, owner, owner],
  )!;
  const lines = (JSON.parse(rows) as Line[]).map(
    ([thread, parent, first, count, deleted]): ThreadLine<number> => ({ thread, parent, first, count, deleted }),
  );
  return segmentsOf(lines, thread);
}

/** The id of the last visible message of a thread; null if there is none. */
export function lastVisible(database: Database, owner: number, thread: number): string | null {
  const segment = visibleSegments(readSegments(database, owner, thread))[0];
  if (!segment) return null;
  const sql = "SELECT id FROM messages WHERE owner = ? AND thread = ? AND place = ?";
  return database.get<{ id: string }>(sql, [owner, segment.thread, segment.last])?.id ?? null;
}

/** The position of a message in a thread, its own or its parents', found by its id or by the application's id. */
export function sharedUpTo(
  database: Database,
  owner: number,
  parent: { number: number; id: string },
  message: string,
): { place: number; id: string } {
  const segments = readSegments(database, owner, parent.number);
  const threads = JSON.stringify(segments.map(({ thread }) => thread));
  const messagesWhere = (condition: string) =>
    database.all<SharedMessage<number>>(
      `SELECT thread, place, id, given FROM messages WHERE owner = ? AND ${condition}`,
      [owner, escapeText(message), threads],
    );
  const inThreads = "thread IN (SELECT value FROM json_each(?))";
  const candidates = [...messagesWhere(`id = ? AND +${inThreads}`), ...messagesWhere(`given = ? AND ${inThreads}`)];
  return sharedMessage(segments, candidates, message, parent.id);
}
