import type { MessageBlock, NewMessage, SpeakerRole, StoredMessage } from "../library.ts";
import { given, keptOrNull } from "./stored-text.ts";
import { lastPlace, type ThreadRow } from "./thread-rows.ts";

/** A message as engines keep it; a purged one has no blocks. `place` is its number, `given` the id that the application gave. */
export type MessageRow = MessageFields & { id: string; thread: string; place: number; given: string | null };

/** What a message says. */
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

type Write = { fields: MessageFields; given: string | null; known: MessageRow | undefined };

/** Messages as they will be written, each once. */
export type SortedMessages = {
  /** By our id, by theirs, or by position: one that comes twice in a call is written once, as it came last. */
  writes: Map<string, Write>;
  /** For each message of the call, which of these it is. */
  keys: string[];
  /** How many are new. */
  added: number;
};

/** The ids under which messages of the thread may be known. */
export const idsToReplace = (messages: readonly NewMessage[]): string[] =>
  messages.flatMap(({ id }) => keptOrNull(id) ?? []);

/** `known`: messages of the thread that have one of the ids, as their own or as the application's. */
export function sortMessages(messages: readonly NewMessage[], known: readonly MessageRow[]): SortedMessages {
  const ids = new Set(idsToReplace(messages));
  const replaceable = new Map<string, MessageRow>();
  for (const row of known) if (ids.has(row.id)) replaceable.set(row.id, row);
  for (const row of known) if (row.given !== null && ids.has(row.given)) replaceable.set(row.given, row);
  const writes = new Map<string, Write>();
  const keys = messages.map((message, i) => {
    const id = keptOrNull(message.id);
    const replaced = id === null ? undefined : replaceable.get(id);
    const key = replaced ? `known ${replaced.id}` : id === null ? `at ${i}` : `given ${id}`;
    writes.set(key, { fields: fieldsOf(message), given: id, known: replaced });
    return key;
  });
  return { writes, keys, added: [...writes.values()].filter((write) => !write.known).length };
}

export type MessagePlan = {
  inserted: (MessageRow & { revision: number })[];
  replaced: (MessageRow & { revision: number })[];
  /** When the thread was last changed, and the owner's revision, afterwards. */
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
  for (const [key, { fields, given, known }] of writes) {
    const identity = known ?? { id: ids[plan.inserted.length]!, thread: thread.id, place: ++place, given };
    const row: MessageRow = { ...identity, ...fields };
    rows.set(key, row);
    if (known && same(fields, known)) continue;
    plan.changed = Math.max(plan.changed, fields.at);
    (known ? plan.replaced : plan.inserted).push({ ...row, revision: ++plan.revision });
  }
  plan.stored = keys.map((key) => asMessage(rows.get(key)!));
  return plan;
}

function fieldsOf({ role, speaker, session, at, blocks }: NewMessage): MessageFields {
  return { role, speaker: keptOrNull(speaker), session: keptOrNull(session), at, blocks: JSON.stringify(blocks) };
}

function same(a: MessageFields, b: MessageFields): boolean {
  return (
    a.role === b.role && a.speaker === b.speaker && a.session === b.session && a.at === b.at && a.blocks === b.blocks
  );
}
