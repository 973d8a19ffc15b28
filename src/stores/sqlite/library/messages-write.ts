import type { NewMessage, StoredMessage } from "../../library.ts";
import { idsToReplace, type MessageRow, placeMessages, sortMessages } from "../../rules/message-rows.ts";
import type { Database } from "../engine/driver.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";
import { needThread } from "./threads.ts";

/** Within a write transaction of the caller. */
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

/** Messages of the thread that these would replace, by the application's id or by ours. */
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
