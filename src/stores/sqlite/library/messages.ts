import type { MessageChange, MessageRange, StoredMessage } from "../../library.ts";
import { asMessage, type MessageRow } from "../../rules/message-rows.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapedList } from "../../rules/stored-text.ts";
import { type Segment, visibleSegments } from "../../rules/thread-rows.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { readSegments } from "./branches.ts";
import { findThread } from "./threads.ts";

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
