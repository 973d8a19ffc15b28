import type { NewMessage, StoredMessage } from "../../library.ts";
import { keptList, keptOrNull } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { freshIds } from "./ids.ts";
import { asMessage, type MessageRow } from "./messages.ts";
import { nextRevision } from "./owner-number.ts";
import { livingThread } from "./threads.ts";

/** What a message says, as it is stored. */
type Fields = Pick<MessageRow, "role" | "speaker" | "session" | "at" | "blocks">;
/** A message of the thread that may be replaced. */
type Known = Fields & { number: number; id: string; place: number; given: string | null };
type Write = { fields: Fields; given: string | null; known?: Known };

/** Within a write transaction of the caller. */
export function addMessages(
  database: Database,
  owner: number | undefined,
  id: string,
  messages: NewMessage[],
): StoredMessage[] {
  const thread = livingThread(database, owner, id);
  if (owner === undefined || messages.length === 0) return [];
  const known = replaceable(database, owner, thread.number, messages);
  // By our id, by theirs, or by position: one that comes twice in a call is written once, as it came last.
  const writes = new Map<string | number, Write>();
  const keys = messages.map((message, i) => {
    const given = keptOrNull(message.id);
    const replaced = given === null ? undefined : known.get(given);
    const key = replaced?.number ?? given ?? -1 - i;
    writes.set(key, { fields: fieldsOf(message), given, known: replaced });
    return key;
  });
  const added = [...writes.values()].filter((write) => !write.known).length;
  const changed = [...writes.values()].filter(({ fields, known }) => !known || !same(fields, known));
  const ids = freshIds(database, "messages", owner, added).values();
  let revision = changed.length === 0 ? 0 : nextRevision(database, owner, "library_revision", changed.length);
  let place = thread.first + thread.count;
  const stored = new Map<string | number, StoredMessage>();
  for (const [key, { fields, given, known }] of writes) {
    const identity = known ?? { id: ids.next().value!, place: place++, given };
    stored.set(key, asMessage({ ...identity, ...fields, thread: thread.id }));
    if (!known) {
      insert(database, { owner, thread: thread.number, revision: revision++, ...identity, ...fields });
    } else if (!same(fields, known)) {
      replace(database, known.number, revision++, fields);
    }
  }
  const newest = changed.reduce((latest, { fields }) => Math.max(latest, fields.at), thread.changed);
  database.run("UPDATE threads SET count = count + ?, changed = ? WHERE number = ?", [added, newest, thread.number]);
  return keys.map((key) => stored.get(key)!);
}

function fieldsOf({ role, speaker, session, at, blocks }: NewMessage): Fields {
  return { role, speaker: keptOrNull(speaker), session: keptOrNull(session), at, blocks: JSON.stringify(blocks) };
}

function same(a: Fields, b: Fields): boolean {
  return (
    a.role === b.role && a.speaker === b.speaker && a.session === b.session && a.at === b.at && a.blocks === b.blocks
  );
}

type Inserted = Omit<Known, "number"> & { owner: number; thread: number; revision: number };

function insert(database: Database, row: Inserted): void {
  database.run(
    `INSERT INTO messages(owner, thread, place, revision, id, given, role, speaker, session, at, blocks)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.owner,
      row.thread,
      row.place,
      row.revision,
      row.id,
      row.given,
      row.role,
      row.speaker,
      row.session,
      row.at,
      row.blocks,
    ],
  );
}

function replace(database: Database, number: number, revision: number, fields: Fields): void {
  const { role, speaker, session, at, blocks } = fields;
  database.run(
    "UPDATE messages SET role = ?, speaker = ?, session = ?, at = ?, blocks = ?, revision = ? WHERE number = ?",
    [role, speaker, session, at, blocks, revision, number],
  );
}

/** Messages of the thread that these would replace, by the id that the application gave, else by ours. */
function replaceable(database: Database, owner: number, thread: number, messages: NewMessage[]): Map<string, Known> {
  const ids = messages.flatMap((message) => message.id ?? []);
  if (ids.length === 0) return new Map();
  const found = (column: string) =>
    database.all<Known>(
      `SELECT number, id, place, given, role, speaker, session, at, blocks FROM messages
       WHERE owner = ? AND thread = ? AND ${column} IN (SELECT value FROM json_each(?))`,
      [owner, thread, keptList(ids)],
    );
  const known = new Map<string, Known>();
  for (const row of found("id")) known.set(row.id, row);
  for (const row of found("given")) known.set(row.given!, row);
  return known;
}
