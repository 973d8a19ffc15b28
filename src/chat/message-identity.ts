import { hashText } from "../text/hash.ts";
import type { ReadMessage } from "./messages.ts";
import type { Conversation } from "./transcripts.ts";

/**
 * How a message is recognised when it is imported again: `given` is the id from its application, else one made from its
 * content.
 */

export type MessageIdentity = { given: string; content: string };
/** A message of a thread. `at`: milliseconds since 1970. */
export type Stored = MessageIdentity & { at: number; session?: string };
/** `timed`: false when its time is a guess. */
export type Identified = ReadMessage & { given: string; content: string; timed?: boolean };

/**
 * Gives every message an id. Where the file has none, it is a hash of the content and of how often that content came
 * before in the conversation: a file that has grown gives old messages the same ids. `alone`: the file holds no other
 * conversation.
 */
export function identified({ key, messages }: Conversation, alone: boolean): Identified[] {
  const contents = messages.map((message) => hashText(contentOf(message)));
  const salt = key ?? (alone ? "" : hashText(contents.join("\n")));
  const times = new Map<string, number>();
  const usedIds = new Set<string>();
  return messages.map((message, i) => {
    const fingerprint = `${salt}\n${contents[i]}\n${message.at ?? ""}`;
    const before = times.get(fingerprint) ?? 0;
    times.set(fingerprint, before + 1);
    // An id that comes twice in a file does not identify a message.
    const own = message.id !== undefined && !usedIds.has(message.id) ? message.id : undefined;
    const given = own ?? `said-${hashText(`${fingerprint}\n${before}`)}`;
    usedIds.add(given);
    return { ...message, given, content: contents[i]! };
  });
}

/** The content of a message as text: equal for messages that say the same. */
export function contentOf({ role, speaker, blocks }: Pick<ReadMessage, "role" | "speaker" | "blocks">): string {
  return JSON.stringify([role, speaker ?? "", blocks.map(sorted)]);
}

/** Some stores return the fields of an object in another order. */
function sorted(block: object): [string, unknown][] {
  return Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether an imported message equals the stored one. A message without a time equals one of any time. */
export function isUnchanged(stored: Stored, { content, at, timed, session }: Identified): boolean {
  return (
    stored.content === content &&
    (at === undefined || timed === false || stored.at === at) &&
    stored.session === session
  );
}

/** Ids this long are not mere counters: two conversations hardly share one. */
const surelyUnique = 16;

/** Whether a stored conversation contains every imported message, so that nothing needs to be written. */
export function holdsAll(stored: readonly Stored[], imported: readonly Identified[]): boolean {
  return (
    stored.length >= imported.length &&
    imported.every((message, i) => stored[i]!.given === message.given && isUnchanged(stored[i]!, message))
  );
}

/** Whether one of the two conversations is a prefix of the other, word for word. */
export function isSameConversation(stored: readonly MessageIdentity[], imported: readonly MessageIdentity[]): boolean {
  return shareBeginning(stored, imported, (a, b) => a.given === b.given && a.content === b.content);
}

/**
 * Whether the stored conversation may be an earlier version: the ids are surely unique, the content may differ. Ids
 * such as 1, 2, 3 prove nothing.
 */
export function isEarlierVersion(stored: readonly MessageIdentity[], imported: readonly MessageIdentity[]): boolean {
  return shareBeginning(
    stored,
    imported,
    (a, b) => a.given === b.given && (a.content === b.content || a.given.length >= surelyUnique),
  );
}

function shareBeginning(
  a: readonly MessageIdentity[],
  b: readonly MessageIdentity[],
  same: (a: MessageIdentity, b: MessageIdentity) => boolean,
): boolean {
  const length = Math.min(a.length, b.length);
  return length > 0 && a.slice(0, length).every((each, i) => same(each, b[i]!));
}
