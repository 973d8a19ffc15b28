import type { MessageChange, MessageRange, NewMessage, StoredMessage } from "../../library.ts";
import { asMessage, idsToReplace, type MessageRow, placeMessages, sortMessages } from "../../rules/message-rows.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapedList } from "../../rules/stored-text.ts";
import { type Segment, visibleSegments } from "../../rules/thread-rows.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { readSegments } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";
import { findThread, needThread } from "./threads.ts";

const columns = `messages.id AS id, threads.id AS thread, place, given, role, speaker, session, at`;
const from = "FROM messages JOIN threads ON threads.number = messages.thread WHERE messages.owner = ?";

function select(database: Database, owner: number, condition: string, values: SqlValue[]): StoredMessage[] {
  return database
    .all<MessageRow>(`SELECT ${columns}, blocks ${from} AND ${condition}`, [owner, ...values])
    .map(asMessage);
}

export function readMessages(database: Database, owner: number, id: string, range: MessageRange): StoredMessage[] {
  const thread = findThread(database, owner, id);
  if (!thread) return [];
  const segments = visibleSegments(readSegments(database, owner, thread.number));
  return "last" in range
    ? lastOf(database, owner, segments, atMost(range.last))
    : pageOf(database, owner, segments.reverse(), Math.max(1, range.from), atMost(range.limit));
}

function lastOf(database: Database, owner: number, segments: Segment<number>[], count: number): StoredMessage[] {
  const messages: StoredMessage[] = [];
  for (const { thread, last } of segments) {
    if (messages.length >= count) break;
    const condition = "messages.thread = ? AND place <= ? ORDER BY place DESC LIMIT ?";
    messages.push(...select(database, owner, condition, [thread, last, count - messages.length]));
  }
  return messages.reverse();
}

function pageOf(
  database: Database,
  owner: number,
  segments: Segment<number>[],
  start: number,
  limit: number,
): StoredMessage[] {
  const messages: StoredMessage[] = [];
  for (const { thread, last } of segments) {
    if (messages.length >= limit) break;
    if (last < start) continue;
    const condition = "messages.thread = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT ?";
    messages.push(...select(database, owner, condition, [thread, start, last, limit - messages.length]));
  }
  return messages;
}

export function messagesById(database: Database, owner: number, ids: string[]): StoredMessage[] {
  const condition = "messages.id IN (SELECT value FROM json_each(?)) AND threads.deleted IS NULL";
  return inOrder(ids, select(database, owner, condition, [escapedList(ids)]));
}

export function messagesSince(database: Database, owner: number, revision: number, limit: number): MessageChange[] {
  const rows = database.all<MessageRow & { revision: number; deleted: number | null }>(
    `SELECT ${columns}, revision, deleted, iif(deleted IS NULL, blocks, NULL) AS blocks
     ${from} AND revision > ? ORDER BY revision LIMIT ?`,
    [owner, revision, atMost(limit)],
  );
  return rows.map((row) => ({ revision: row.revision, message: asMessage(row), deleted: row.deleted !== null }));
}

/** Requires a write transaction of the caller. */
export function addMessages(
  database: Database,
  owner: number | undefined,
  id: string,
  messages: NewMessage[],
): StoredMessage[] {
  const thread = needThread(database, owner, id);
  if (owner === undefined || messages.length === 0) return [];
  const sorted = sortMessages(messages, replaceable(database, owner, thread, messages));
  const before = nextRevision(database, owner, "library_revision", 0) - 1;
  const ids = freshIds(database, "messages", owner, sorted.added);
  const plan = placeMessages(sorted, thread, ids, before);
  nextRevision(database, owner, "library_revision", plan.revision - before);
  for (const row of plan.inserted) insert(database, owner, thread.number, row);
  for (const row of plan.replaced) replace(database, owner, row);
  database.run("UPDATE threads SET count = count + ?, changed = ? WHERE number = ?", [
    sorted.added,
    plan.changed,
    thread.number,
  ]);
  return plan.stored;
}

function insert(database: Database, owner: number, thread: number, row: MessageRow & { revision: number }): void {
  const { place, revision, id, given, role, speaker, session, at, blocks } = row;
  database.run(
    `INSERT INTO messages(owner, thread, place, revision, id, given, role, speaker, session, at, blocks)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [owner, thread, place, revision, id, given, role, speaker, session, at, blocks],
  );
}

function replace(database: Database, owner: number, row: MessageRow & { revision: number }): void {
  const { id, revision, role, speaker, session, at, blocks } = row;
  database.run(
    "UPDATE messages SET role = ?, speaker = ?, session = ?, at = ?, blocks = ?, revision = ? WHERE owner = ? AND id = ?",
    [role, speaker, session, at, blocks, revision, owner, id],
  );
}

/** Messages of the thread that these would replace, found by the application's id or by ours. */
function replaceable(
  database: Database,
  owner: number,
  thread: { number: number; id: string },
  messages: NewMessage[],
): MessageRow[] {
  const ids = idsToReplace(messages);
  if (ids.length === 0) return [];
  const rowsWith = (column: string) =>
    database.all<MessageRow>(
      `SELECT id, place, given, role, speaker, session, at, blocks FROM messages
       WHERE owner = ? AND thread = ? AND ${column} IN (SELECT value FROM json_each(?))`,
      [owner, thread.number, JSON.stringify(ids)],
    );
  return [...rowsWith("id"), ...rowsWith("given")].map((row) => ({ ...row, thread: thread.id }));
}
