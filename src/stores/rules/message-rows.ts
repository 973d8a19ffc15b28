import type { MessageBlock, NewMessage, SpeakerRole, StoredMessage } from "../library.ts";
import { escapedOrNull, unescapeText } from "./stored-text.ts";
import { lastPlace, type ThreadRow } from "./thread-rows.ts";

/** A message as engines store it, without blocks when purged. `place`: its number. `given`: the application's id. */
export type MessageRow = MessageFields & { id: string; thread: string; place: number; given: string | null };

/** The content of a message. */
type MessageFields = {
  role: SpeakerRole;
  speaker: string | null;
  session: string | null;
  at: number;
  blocks: string | null;
};

export function asMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    ...(row.given !== null && { given: unescapeText(row.given) }),
    thread: row.thread,
    number: row.place,
    role: row.role,
    ...(row.speaker !== null && { speaker: unescapeText(row.speaker) }),
    ...(row.session !== null && { session: unescapeText(row.session) }),
    at: row.at,
    blocks: row.blocks === null ? [] : (JSON.parse(row.blocks) as MessageBlock[]),
  };
}

type Write = { fields: MessageFields; given: string | null; replaced: MessageRow | undefined };

/** Messages to write, each once. */
export type SortedMessages = {
  /** By our id, by theirs, or by position: of a repeated one only the last is written. */
  writes: Map<string, Write>;
  /** For each message of the call, the key of its write. */
  keys: string[];
  /** How many are new. */
  added: number;
};

/** The ids under which messages of the thread may exist. */
export const idsToReplace = (messages: readonly NewMessage[]): string[] =>
  messages.flatMap(({ id }) => escapedOrNull(id) ?? []);

/** `existing`: messages of the thread with one of the ids, their own or the application's. */
export function sortMessages(messages: readonly NewMessage[], existing: readonly MessageRow[]): SortedMessages {
  const ids = new Set(idsToReplace(messages));
  const replaceable = new Map<string, MessageRow>();
  for (const row of existing) if (ids.has(row.id)) replaceable.set(row.id, row);
  for (const row of existing) if (row.given !== null && ids.has(row.given)) replaceable.set(row.given, row);
  const writes = new Map<string, Write>();
  const keys = messages.map((message, i) => {
    const id = escapedOrNull(message.id);
    const replaced = id === null ? undefined : replaceable.get(id);
    const key = replaced ? `known ${replaced.id}` : id === null ? `at ${i}` : `given ${id}`;
    writes.set(key, { fields: fieldsOf(message), given: id, replaced });
    return key;
  });
  return { writes, keys, added: [...writes.values()].filter((write) => !write.replaced).length };
}

export type MessagePlan = {
  inserted: (MessageRow & { revision: number })[];
  replaced: (MessageRow & { revision: number })[];
  /** Time of the thread's last change, and the owner's revision, afterwards. */
  changed: number;
  revision: number;
  /** One for each message of the call. */
  stored: StoredMessage[];
};

/** `ids`: one for each new message. `revision`: the owner's before. */
export function placeMessages(
  { writes, keys }: SortedMessages,
  thread: ThreadRow,
  ids: readonly string[],
  revision: number,
): MessagePlan {
  const plan: MessagePlan = { inserted: [], replaced: [], changed: thread.changed, revision, stored: [] };
  const rows = new Map<string, MessageRow>();
  let place = lastPlace(thread);
  for (const [key, { fields, given, replaced }] of writes) {
    const identity = replaced ?? { id: ids[plan.inserted.length]!, thread: thread.id, place: ++place, given };
    const row: MessageRow = { ...identity, ...fields };
    rows.set(key, row);
    if (replaced && same(fields, replaced)) continue;
    plan.changed = Math.max(plan.changed, fields.at);
    (replaced ? plan.replaced : plan.inserted).push({ ...row, revision: ++plan.revision });
  }
  plan.stored = keys.map((key) => asMessage(rows.get(key)!));
  return plan;
}

function fieldsOf({ role, speaker, session, at, blocks }: NewMessage): MessageFields {
  return { role, speaker: escapedOrNull(speaker), session: escapedOrNull(session), at, blocks: JSON.stringify(blocks) };
}

function same(a: MessageFields, b: MessageFields): boolean {
  return (
    a.role === b.role && a.speaker === b.speaker && a.session === b.session && a.at === b.at && a.blocks === b.blocks
  );
}
