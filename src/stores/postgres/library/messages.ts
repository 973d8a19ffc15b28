import type { MessageChange, MessageRange, NewMessage, StoredMessage } from "../../library.ts";
import { asMessage, idsToReplace, type MessageRow, placeMessages, sortMessages } from "../../rules/message-rows.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapeText } from "../../rules/stored-text.ts";
import { visibleSegments } from "../../rules/thread-rows.ts";
import type { Queries, TransactionQueries } from "../engine/session/session.ts";
import { type Revisions, saveRevision } from "../records/owner-rows.ts";
import { readSegments } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { needThread } from "./threads.ts";

const columns = "m.id, m.thread, place, given, role, speaker, session, at, blocks";

export async function readMessages(queries: Queries, thread: string, range: MessageRange): Promise<StoredMessage[]> {
  const segments = visibleSegments(await readSegments(queries, thread));
  if (segments.length === 0) return [];
  const last = "last" in range;
  const limit = atMost(last ? range.last : range.limit);
  // Segments follow each other without a gap, so their positions form one order. Each is read from its own end.
  const within = last ? "true" : "place >= $5";
  const order = last ? "place DESC" : "place";
  const rows = await queries.all<MessageRow>(
    `SELECT m.* FROM unnest($2::text[], $3::bigint[]) AS s(thread, last) CROSS JOIN LATERAL (
       SELECT ${columns} FROM messages AS m WHERE m.owner = $1 AND m.thread = s.thread AND place <= s.last AND ${within}
       ORDER BY ${order} LIMIT $4
     ) AS m ORDER BY ${order} LIMIT $4`,
    [
      segments.map((segment) => segment.thread),
      segments.map((segment) => segment.last),
      limit,
      ...(last ? [] : [range.from]),
    ],
  );
  return (last ? rows.reverse() : rows).map(asMessage);
}

export async function messagesById(queries: Queries, ids: string[]): Promise<StoredMessage[]> {
  const rows = await queries.all<MessageRow>(
    `SELECT ${columns} FROM messages AS m JOIN threads AS t ON t.owner = m.owner AND t.id = m.thread
     WHERE m.owner = $1 AND m.id = ANY($2) AND t.deleted IS NULL`,
    [ids.map(escapeText)],
  );
  return inOrder(ids, rows.map(asMessage));
}

export async function messagesSince(queries: Queries, revision: number, limit: number): Promise<MessageChange[]> {
  const rows = await queries.all<MessageRow & { revision: number; deleted: number | null }>(
    `SELECT m.id, m.thread, place, given, role, speaker, session, at, m.revision, t.deleted,
       CASE WHEN t.deleted IS NULL THEN blocks END AS blocks
     FROM messages AS m JOIN threads AS t ON t.owner = m.owner AND t.id = m.thread
     WHERE m.owner = $1 AND m.revision > $2 ORDER BY m.revision LIMIT $3`,
    [revision, atMost(limit)],
  );
  return rows.map((row) => ({ revision: row.revision, message: asMessage(row), deleted: row.deleted !== null }));
}

/** Within a transaction that holds the owner's revisions. */
export async function addMessages(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
  messages: NewMessage[],
): Promise<StoredMessage[]> {
  const ids = idsToReplace(messages);
  const [thread, existing] = await Promise.all([
    needThread(queries, id),
    ids.length === 0 ? [] : replaceable(queries, id, ids),
  ]);
  if (messages.length === 0) return [];
  const sorted = sortMessages(messages, existing);
  const plan = placeMessages(sorted, thread, await freshIds(queries, "messages", sorted.added), library);
  if (plan.revision === library) return plan.stored;
  await Promise.all([
    saveMessages(queries, [...plan.inserted, ...plan.replaced]),
    queries.run("UPDATE threads SET count = count + $3, changed = $4 WHERE owner = $1 AND id = $2", [
      thread.id,
      sorted.added,
      plan.changed,
    ]),
    saveRevision(queries, "library", plan.revision),
  ]);
  return plan.stored;
}

/** Messages of the thread with one of these ids, their own or the application's. */
function replaceable(queries: Queries, thread: string, ids: string[]): Promise<MessageRow[]> {
  return queries.all<MessageRow>(
    `SELECT ${columns} FROM messages AS m WHERE m.owner = $1 AND m.thread = $2 AND (m.id = ANY($3) OR given = ANY($3))`,
    [escapeText(thread), ids],
  );
}

function saveMessages(queries: TransactionQueries, rows: (MessageRow & { revision: number })[]): Promise<number> {
  return queries.run(
    `INSERT INTO messages(owner, id, thread, place, revision, given, role, speaker, session, at, blocks)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::double precision[], $11::text[])
     ON CONFLICT (owner, id) DO UPDATE SET revision = excluded.revision, role = excluded.role, speaker = excluded.speaker,
       session = excluded.session, at = excluded.at, blocks = excluded.blocks`,
    [
      rows.map((row) => row.id),
      rows.map((row) => row.thread),
      rows.map((row) => row.place),
      rows.map((row) => row.revision),
      rows.map((row) => row.given),
      rows.map((row) => row.role),
      rows.map((row) => row.speaker),
      rows.map((row) => row.session),
      rows.map((row) => row.at),
      rows.map((row) => row.blocks),
    ],
  );
}
