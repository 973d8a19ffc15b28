import type { Item } from "../../item.ts";
import type { LibraryStore, StoredMessage } from "../../stores/library.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { RecordText } from "../source.ts";
import { isQuestion, linesOf, saidIn, speakerOf } from "./text.ts";
import { isThreadId, readSummaries } from "./thread-summary.ts";

/**
 * The printed text of messages, by id. A short reply is printed with the question it answers, because it is unclear
 * without it.
 */
export async function readMessages(items: Item[], workspace: Workspace): Promise<Map<string, RecordText>> {
  if (items.length === 0 || !workspace.hasRecords()) return new Map();
  const { owner } = workspace;
  const library = await workspace.library();
  const isSummary = ({ id }: Item) => isThreadId(id);
  const messages = await library.messagesById(
    owner,
    items.filter((item) => !isSummary(item)).map(({ id }) => id),
  );
  const titles = await titlesOf(messages, library, owner);
  const texts = await Promise.all(
    messages.map(async (message): Promise<[string, RecordText] | undefined> => {
      const title = titles.get(message.thread);
      if (title === undefined) return undefined;
      const question = isShort(message) ? await questionBefore(message, library, owner) : undefined;
      const lines = [...(question ? linesOf(question) : []), ...linesOf(message)];
      return [message.id, { lines, facts: factsOf(message, title, question) }];
    }),
  );
  const summaries = await readSummaries(items.filter(isSummary), library, owner);
  return new Map([...texts.filter((text) => text !== undefined), ...summaries]);
}

/** Word limits of a reply that needs its question, and of a question that is printed with it. */
const shortReply = 25;
const longestQuestion = 60;

function isShort(message: StoredMessage): boolean {
  return message.number > 1 && wordsOf(message) <= shortReply;
}

function wordsOf(message: StoredMessage): number {
  return saidIn(message)
    .split(/\s+/, longestQuestion + 2)
    .filter(Boolean).length;
}

/** The previous message, if it is a question by another speaker in the same session. */
async function questionBefore(
  message: StoredMessage,
  library: LibraryStore,
  owner: string,
): Promise<StoredMessage | undefined> {
  const [before] = await library.messages(owner, message.thread, { from: message.number - 1, limit: 1 });
  const answers =
    before !== undefined &&
    before.number === message.number - 1 &&
    before.session === message.session &&
    speakerOf(before) !== speakerOf(message) &&
    isQuestion(before) &&
    wordsOf(before) <= longestQuestion;
  return answers ? before : undefined;
}

/** Titles of threads. Deleted threads are absent, so nothing of them is printed. */
async function titlesOf(messages: StoredMessage[], library: LibraryStore, owner: string): Promise<Map<string, string>> {
  const ids = [...new Set(messages.map(({ thread }) => thread))];
  const threads = await Promise.all(ids.map((id) => library.thread(owner, id)));
  return new Map(threads.flatMap((thread) => (thread ? [[thread.id, thread.title] as const] : [])));
}

function factsOf(message: StoredMessage, title: string, question: StoredMessage | undefined): RecordText["facts"] {
  const { id, thread, number, role, speaker, at, session } = message;
  return {
    id,
    thread,
    thread_title: title,
    number,
    role,
    ...(speaker === undefined ? {} : { speaker }),
    timestamp: new Date(at).toISOString(),
    ...(session === undefined ? {} : { session }),
    ...(question ? { answers: question.id } : {}),
  };
}
