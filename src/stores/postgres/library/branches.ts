import { escapeText } from "../../rules/stored-text.ts";
import {
  type Segment,
  type SharedMessage,
  segmentsOf,
  sharedMessage,
  type ThreadLine,
  visibleSegments,
} from "../../rules/thread-rows.ts";
import type { Queries } from "../engine/session/session.ts";

/** The segments of a thread, its own first, then its parents'; none for an unknown or deleted one. */
export async function readSegments(queries: Queries, thread: string): Promise<Segment<string>[]> {
  // UNION ends it even where a damaged table has a cycle.
  const lines = await queries.all<ThreadLine<string>>(
    `WITH RECURSIVE line(thread, parent, first, count, deleted) AS (
       SELECT id, parent, first, count, deleted FROM threads WHERE owner = $1 AND id = $2 AND deleted IS NULL
       UNION
       SELECT t.id, t.parent, t.first, t.count, t.deleted FROM line JOIN threads AS t ON t.owner = $1 AND t.id = line.parent
     )
     SELECT thread, parent, first, count, deleted FROM line`,
    [escapeText(thread)],
  );
  return segmentsOf(lines, escapeText(thread));
}

/** The id of the last visible message of a thread; null where there is none. */
export async function lastVisible(queries: Queries, thread: string): Promise<string | null> {
  const segment = visibleSegments(await readSegments(queries, thread))[0];
  if (!segment) return null;
  const sql = "SELECT id FROM messages WHERE owner = $1 AND thread = $2 AND place = $3";
  return (await queries.get<{ id: string }>(sql, [segment.thread, segment.last]))?.id ?? null;
}

/** The position of a message that the thread has, itself or from its parents, by its id or the application's. */
export async function sharedUpTo(
  queries: Queries,
  parent: string,
  message: string,
): Promise<{ place: number; id: string }> {
  const segments = await readSegments(queries, parent);
  const called = await queries.all<SharedMessage<string>>(
    "SELECT thread, place, id, given FROM messages WHERE owner = $1 AND thread = ANY($2) AND (id = $3 OR given = $3)",
    [segments.map(({ thread }) => thread), escapeText(message)],
  );
  return sharedMessage(segments, called, message, parent);
}
