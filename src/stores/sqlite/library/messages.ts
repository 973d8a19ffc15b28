import type { MessageBlock, MessageChange, MessageRange, SpeakerRole, StoredMessage } from "../../library.ts";
import { atMost, given, keptList } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { type Segment, segmentsOf } from "./branches.ts";
import { findThread } from "./threads.ts";

export type MessageRow = {
  id: string;
  thread: string;
  place: number;
  given: string | null;
  role: SpeakerRole;
  speaker: string | null;
  session: string | null;
  at: number;
  blocks: string | null;
};
const columns = `messages.id AS id, threads.id AS thread, place, given, role, speaker, session, at`;
const from = "FROM messages JOIN threads ON threads.number = messages.thread WHERE messages.owner = ?";

function select(database: Database, owner: number, condition: string, values: SqlValue[]): StoredMessage[] {
  return database
    .all<MessageRow>(`SELECT ${columns}, blocks ${from} AND ${condition}`, [owner, ...values])
    .map(asMessage);
}

export function asMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    ...(row.given !== null && { given: given(row.given) }),
    thread: row.thread,
    number: row.place,
    role: row.role,
    ...(row.speaker !== null && { speaker: given(row.speaker) }),
    ...(row.session !== null && { session: given(row.session) }),
    at: row.at,
    blocks: row.blocks === null ? [] : (JSON.parse(row.blocks) as MessageBlock[]),
  };
}

export function readMessages(database: Database, owner: number, id: string, range: MessageRange): StoredMessage[] {
  const thread = findThread(database, owner, id);
  if (!thread) return [];
  // What a deleted parent has is deleted for its branches too.
  const segments = segmentsOf(database, owner, thread.number).filter(
    ({ first, last, deleted }) => !deleted && first <= last,
  );
  return "last" in range
    ? lastOf(database, owner, segments, atMost(range.last))
    : pageOf(database, owner, segments.reverse(), Math.max(1, range.from), atMost(range.limit));
}

function lastOf(database: Database, owner: number, segments: Segment[], count: number): StoredMessage[] {
  const found: StoredMessage[] = [];
  for (const { thread, last } of segments) {
    if (found.length >= count) break;
    const condition = "messages.thread = ? AND place <= ? ORDER BY place DESC LIMIT ?";
    found.push(...select(database, owner, condition, [thread, last, count - found.length]));
  }
  return found.reverse();
}

function pageOf(database: Database, owner: number, segments: Segment[], start: number, limit: number): StoredMessage[] {
  const found: StoredMessage[] = [];
  for (const { thread, last } of segments) {
    if (found.length >= limit) break;
    if (last < start) continue;
    const condition = "messages.thread = ? AND place BETWEEN ? AND ? ORDER BY place LIMIT ?";
    found.push(...select(database, owner, condition, [thread, start, last, limit - found.length]));
  }
  return found;
}

export function messagesById(database: Database, owner: number, ids: string[]): StoredMessage[] {
  const condition = "messages.id IN (SELECT value FROM json_each(?)) AND threads.deleted IS NULL";
  const byId = new Map(select(database, owner, condition, [keptList(ids)]).map((message) => [message.id, message]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

export function messagesSince(database: Database, owner: number, revision: number, limit: number): MessageChange[] {
  const rows = database.all<MessageRow & { revision: number; deleted: number | null }>(
    `SELECT ${columns}, revision, deleted, iif(deleted IS NULL, blocks, NULL) AS blocks
     ${from} AND revision > ? ORDER BY revision LIMIT ?`,
    [owner, revision, atMost(limit)],
  );
  return rows.map((row) => ({ revision: row.revision, message: asMessage(row), deleted: row.deleted !== null }));
}
