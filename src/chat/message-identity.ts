import { hashText } from "../text/hash.ts";
import type { ReadMessage } from "./messages.ts";
import type { Conversation } from "./transcripts.ts";

/** By what a message that is read again is known: the id that its application gave it, else what it says. */

export type KnownMessages = { given: string; content: string };
/** A message of a thread. `at`: milliseconds since 1970. */
export type Stored = KnownMessages & { at: number; session?: string };
/** `timed`: false when its time is a guess. */
export type Identified = ReadMessage & { given: string; content: string; timed?: boolean };

/**
 * Messages with an id each. Where the file gives none it is made of what the message says, and how often that was said before in the
 * conversation: a file that has grown gives the old ones the same ids. `alone`: the file holds no other conversation.
 */
export function identified({ key, messages }: Conversation, alone: boolean): Identified[] {
  const contents = messages.map((message) => hashText(contentOf(message)));
  const salt = key ?? (alone ? "" : hashText(contents.join("\n")));
  const times = new Map<string, number>();
  const taken = new Set<string>();
  return messages.map((message, i) => {
    const said = `${salt}\n${contents[i]}\n${message.at ?? ""}`;
    const before = times.get(said) ?? 0;
    times.set(said, before + 1);
    // An id that comes twice in a file is no id.
    const own = message.id !== undefined && !taken.has(message.id) ? message.id : undefined;
    const given = own ?? `said-${hashText(`${said}\n${before}`)}`;
    taken.add(given);
    return { ...message, given, content: contents[i]! };
  });
}

/** What a message says, whoever stores it: two of the same content are the same. */
export function contentOf({ role, speaker, blocks }: Pick<ReadMessage, "role" | "speaker" | "blocks">): string {
  return JSON.stringify([role, speaker ?? "", blocks.map(sorted)]);
}

/** Stores may give the fields of an object back in another order. */
function sorted(block: object): [string, unknown][] {
  return Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether a message that is read again says nothing else than the stored one. One without a time does not say another time. */
export function isUnchanged(stored: Stored, { content, at, timed, session }: Identified): boolean {
  return (
    stored.content === content &&
    (at === undefined || timed === false || stored.at === at) &&
    stored.session === session
  );
}

/** Ids this long are not counted up: two conversations hardly have the same one. */
const surelyUnique = 16;

/** Whether a stored conversation has all that was read, so that nothing is written. */
export function holdsAll(stored: readonly Stored[], read: readonly Identified[]): boolean {
  return (
    stored.length >= read.length &&
    read.every((message, i) => stored[i]!.given === message.given && isUnchanged(stored[i]!, message))
  );
}

/** Whether a stored conversation is the one that was read, word for word: one is the beginning of the other. */
export function isSameConversation(stored: readonly KnownMessages[], read: readonly KnownMessages[]): boolean {
  return beginAlike(stored, read, (a, b) => a.given === b.given && a.content === b.content);
}

/** Whether it may be an earlier version of it: ids that are surely unique say something else by now. 1, 2, 3 are ids of any conversation. */
export function isEarlierVersion(stored: readonly KnownMessages[], read: readonly KnownMessages[]): boolean {
  return beginAlike(
    stored,
    read,
    (a, b) => a.given === b.given && (a.content === b.content || a.given.length >= surelyUnique),
  );
}

function beginAlike(
  a: readonly KnownMessages[],
  b: readonly KnownMessages[],
  same: (a: KnownMessages, b: KnownMessages) => boolean,
): boolean {
  const length = Math.min(a.length, b.length);
  return length > 0 && a.slice(0, length).every((each, i) => same(each, b[i]!));
}
