import { matchConversations } from "../../chat/match-conversations.ts";
import { contentOf, type Identified, identified, isUnchanged, type Stored } from "../../chat/message-identity.ts";
import { threadTitle, titleOf } from "../../chat/titles.ts";
import type { Conversation } from "../../chat/transcripts.ts";
import type { LibraryStore, NewMessage, ThreadInfo } from "../../stores/library.ts";
import { hashText } from "../../text/hash.ts";

export type ThreadImportOptions = {
  /** Milliseconds since 1970, for messages that do not say when. */
  now: number;
  dryRun: boolean;
  /** Append to this thread instead of finding or making one. */
  into?: ThreadInfo;
  title?: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
};

/** `thread` is absent when a trial run would make it. */
export type ImportedThreads = { thread?: string; title: string; added: number; updated: number; unchanged: number };

const pageSize = 1000;
/** Messages of one transaction. */
const batchSize = 500;

/**
 * Writes conversations into threads. An existing thread gets what is new or changed; importing the same file again
 * changes nothing.
 */
export async function importConversations(
  library: LibraryStore | undefined,
  owner: string,
  conversations: readonly Conversation[],
  options: ThreadImportOptions,
): Promise<ImportedThreads[]> {
  const read = conversations.map((each) => identified(each, conversations.length === 1));
  const threads = options.into ? read.map(() => options.into) : await threadsOf(library, owner, read, options.signal);
  const imported: ImportedThreads[] = [];
  for (const [i, conversation] of conversations.entries()) {
    options.signal?.throwIfAborted();
    const [messages, thread] = [read[i]!, threads[i]];
    const title = thread?.title ?? threadTitle(options.title ?? conversation.title ?? titleOf(messages));
    const storedById = library && thread ? await knownIn(library, owner, thread.id) : new Map<string, Stored>();
    const writes: NewMessage[] = [];
    const counts = { added: 0, updated: 0, unchanged: 0 };
    let before = options.now;
    for (const message of dated(messages, options.now)) {
      const stored = storedById.get(message.given);
      const isSame = stored && isUnchanged(stored, message);
      counts[isSame ? "unchanged" : stored ? "updated" : "added"]++;
      // A message without a time gets the time of the message before it.
      before = message.at ?? stored?.at ?? before;
      if (!isSame) writes.push(newMessage(message, before));
    }
    const id = options.dryRun ? thread?.id : await write(library!, owner, thread?.id, title, writes, options);
    imported.push({ ...(id !== undefined && { thread: id }), title, ...counts });
    options.progress?.(i + 1, conversations.length);
  }
  return imported;
}

/** Messages before the first one with a time get that time. */
function dated(messages: Identified[], now: number): Identified[] {
  const first = messages.find(({ at }) => at !== undefined)?.at;
  if (first === undefined || messages[0]!.at !== undefined) return messages;
  return [{ ...messages[0]!, at: Math.min(first, now), timed: false }, ...messages.slice(1)];
}

function newMessage({ given, role, speaker, blocks, session }: Identified, at: number): NewMessage {
  return {
    id: given,
    role,
    ...(speaker !== undefined && { speaker }),
    blocks,
    at,
    ...(session !== undefined && { session }),
  };
}

async function write(
  library: LibraryStore,
  owner: string,
  threadId: string | undefined,
  title: string,
  messages: NewMessage[],
  { now, signal }: ThreadImportOptions,
): Promise<string> {
  const id = threadId ?? (await library.createThread(owner, { title, at: messages[0]?.at ?? now })).id;
  for (let from = 0; from < messages.length; from += batchSize) {
    signal?.throwIfAborted();
    await library.addMessages(owner, id, messages.slice(from, from + batchSize));
  }
  return id;
}

async function knownIn(library: LibraryStore, owner: string, thread: string): Promise<Map<string, Stored>> {
  const storedById = new Map<string, Stored>();
  for (let from = 1; ; ) {
    const page = await library.messages(owner, thread, { from, limit: pageSize });
    for (const message of page) {
      if (message.given === undefined) continue;
      const { given, at, session } = message;
      storedById.set(given, {
        given,
        content: hashText(contentOf(message)),
        at,
        ...(session !== undefined && { session }),
      });
    }
    if (page.length < pageSize) return storedById;
    from = page.at(-1)!.number + 1;
  }
}

/** The threads that conversations were imported into before, even if they were renamed. */
async function threadsOf(
  library: LibraryStore | undefined,
  owner: string,
  conversations: readonly Identified[][],
  signal?: AbortSignal,
): Promise<(ThreadInfo | undefined)[]> {
  if (!library || conversations.length === 0) return conversations.map(() => undefined);
  const firsts = new Set(conversations.map(([first]) => first!.given));
  const candidates: ThreadInfo[] = [];
  const stored: Stored[][] = [];
  for (let offset = 0; ; offset += pageSize) {
    const { threads } = await library.threads(owner, { limit: pageSize, offset });
    for (const thread of threads) {
      signal?.throwIfAborted();
      // A branch begins with the messages of its parent, which is a candidate itself.
      if (thread.parent !== undefined || thread.messages === 0) continue;
      const [first] = await library.messages(owner, thread.id, { from: 1, limit: 1 });
      if (first?.given === undefined || !firsts.has(first.given)) continue;
      candidates.push(thread);
      stored.push([...(await knownIn(library, owner, thread.id)).values()]);
    }
    if (threads.length < pageSize) break;
  }
  return matchConversations(conversations, stored).map((number) =>
    number === undefined ? undefined : candidates[number],
  );
}
