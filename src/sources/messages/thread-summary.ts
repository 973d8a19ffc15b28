import type { Item } from "../../item.ts";
import type { LibraryStore, StoredMessage, ThreadInfo } from "../../stores/library.ts";
import { hashText } from "../../text/hash.ts";
import { iso } from "../../text/times/iso.ts";
import type { RecordText } from "../source.ts";
import { placeOf } from "./message-items.ts";
import { isQuestion, saidIn, speakerOf } from "./text.ts";

/**
 * A rule-based summary of a thread: its title, its first question, its decisions, and its last turn. It has the
 * thread's id.
 */
export function isThreadId(id: string): boolean {
  return id.startsWith("thr-");
}

/** The summaries of these threads as items; deleted ones are absent. */
export async function summaryItems(ids: readonly string[], library: LibraryStore, owner: string): Promise<Item[]> {
  const threads = await Promise.all(ids.filter(isThreadId).map((id) => library.thread(owner, id)));
  return threads.flatMap((thread) => (thread && thread.messages > 0 ? [itemOf(thread)] : []));
}

function itemOf({ id, title, changed, messages }: ThreadInfo): Item {
  return {
    id,
    source: "message",
    kind: "message",
    name: title,
    qualifiedName: `message::${id}/0`,
    path: placeOf(id, 0),
    startLine: 1,
    endLine: 1,
    signature: "summary",
    hash: hashText(`${id} ${messages} ${changed}`),
    changed,
  };
}

/** Only the beginning and the end of a long thread are read. */
const readFirst = 20;
const readLast = 400;
const mostDecisions = 5;
const longestSentence = 240;

export async function readSummaries(
  items: readonly Item[],
  library: LibraryStore,
  owner: string,
): Promise<Map<string, RecordText>> {
  const texts = new Map<string, RecordText>();
  for (const { id } of items) {
    const thread = await library.thread(owner, id);
    if (!thread) continue;
    const first = await library.messages(owner, id, { from: 1, limit: readFirst });
    const last = await library.messages(owner, id, { last: readLast });
    const all = [...new Map([...first, ...last].map((message) => [message.id, message])).values()];
    const facts = { id, thread: id, thread_title: thread.title, role: "summary" };
    texts.set(id, { lines: summaryLines(thread.title, all), facts: { ...facts, timestamp: iso(thread.changed) } });
  }
  return texts;
}

/** `messages`: in their order. */
export function summaryLines(title: string, messages: readonly StoredMessage[]): string[] {
  const question = messages.find(isQuestion) ?? messages[0];
  const last = messages.at(-1);
  const decisions = messages.flatMap(decisionsIn).slice(-mostDecisions);
  return [
    `Summary of the thread ${JSON.stringify(cut(title))}`,
    ...(question ? [`First question: ${turnLine(question)}`] : []),
    ...decisions.map((decision) => `Decided: ${decision}`),
    ...(last && last !== question ? [`Last turn: ${turnLine(last)}`] : []),
  ];
}

function turnLine(message: StoredMessage): string {
  return `${speakerOf(message)}: ${cut(saidIn(message))}`;
}

const sentence = /[^.!?。！？\n]{3,400}[.!?。！？]?/gu;
const decided =
  /\b(?:decided|agreed|chose|chosen|settled on|approved|decision|we(?:'ll| will| shall) (?:use|take|go|keep|do)|go(?:ing)? with|let'?s (?:use|take|go with|do|keep)|beschlossen|entschieden|vereinbart|décidé|convenu|decidido|acordado)\b/iu;
/** Only the beginning of a longer text is read. */
const longestRead = 8000;

/** Sentences that state a decision; questions do not. */
function decisionsIn(message: StoredMessage): string[] {
  const sentences = saidIn(message).slice(0, longestRead).match(sentence) ?? [];
  return sentences.filter((each) => decided.test(each) && !/[?？]\s*$/.test(each)).map(cut);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longestSentence
    ? line
    : `${line.slice(0, longestSentence - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
