import type { Item } from "../../item.ts";
import type { StoredMessage } from "../../stores/library.ts";
import type { IndexedFile, IndexedItem, ItemTerms } from "../../stores/store.ts";
import { packHashes } from "../../text/analysis/terms.ts";
import { hashTerm, hashText } from "../../text/hash.ts";
import { timeMarks } from "../../text/times/asked-times.ts";
import { mentionsTime } from "../../text/times/times.ts";
import { termHashes } from "../terms.ts";
import { withWords } from "./irregular-forms.ts";
import { type Frequencies, reach, spreadTerms, type Turn } from "./neighbour-terms.ts";
import { asksSomething, isQuestion, nameOf, returnedIn, saidIn, shownIn, speakerOf } from "./text.ts";

/**
 * Messages of a thread are indexed in small pages: a new message rewrites its page, and the previous one when its last
 * turns get a new neighbour. Small, because every rewritten item takes a new number in the store.
 */
export const pageSize = 32;

export function pageOf(number: number): number {
  return Math.floor((number - 1) / pageSize);
}

export function placeOf(thread: string, page: number): string {
  return `${thread}/${String(page).padStart(6, "0")}`;
}

/** A path filter for all pages of a thread. */
export function pagesOf(thread: string): string {
  return `${thread}/**`;
}

/** Pages that a change of this message affects: its own, and those of the neighbouring turns. */
export function pagesTouchedBy(number: number): number[] {
  const first = pageOf(Math.max(1, number - reach));
  const last = pageOf(number + reach);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * Marks among a message's terms, which no text can contain: terms are made of letters, digits and `_`. Its day and
 * month are marks, too.
 */
export const marks = { question: hashTerm("?"), time: hashTerm("@time") } as const;

const pictureCounts = 0.7;
const resultCounts = 0.5;

/** The rest of a longer text is not searched. */
const longestText = 32_000;
/** Number of terms that a turn lends to its neighbours from its beginning, and as many from its end. */
const lent = 32;

/**
 * Pages of a thread as the index takes them; empty pages are left out. `messages`: all messages of these pages and up
 * to `reach` messages on either side, in order. The text itself stays in the library.
 */
export function describePages(
  thread: string,
  { first, last }: { first: number; last: number },
  messages: readonly StoredMessage[],
): IndexedFile[] {
  const analysed = messages.map(analyseMessage);
  const turns = analysed.map(({ turn }) => turn);
  const pages = new Map<number, IndexedItem[]>();
  messages.forEach((message, at) => {
    const page = pageOf(message.number);
    if (page < first || page > last) return;
    const items = pages.get(page) ?? [];
    items.push({ item: itemOf(message, page), unit: analysed[at]!.unit, file: spreadTerms(turns, at) });
    pages.set(page, items);
  });
  return [...pages].map(([page, items]) => ({
    path: placeOf(thread, page),
    hash: hashText(items.map(({ item }) => `${item.id} ${item.hash}`).join("\n")),
    size: 0,
    modified: Math.max(...items.map(({ item }) => item.changed ?? 0)),
    text: "",
    imports: [],
    items,
    links: [],
  }));
}

function analyseMessage(message: StoredMessage): { turn: Turn; unit: ItemTerms } {
  const text = saidIn(message);
  const spoken = withWords(termHashes(bounded(text)));
  const pictured = termHashes(bounded(shownIn(message)));
  const returned = termHashes(returnedIn(message));
  const own = weighed([spoken, 1], [pictured, pictureCounts], [returned, resultCounts]);
  const ends = [...spoken.slice(0, lent), ...spoken.slice(-lent)];
  const lentTerms = spoken.length > 2 * lent ? weighed([ends, 1], [pictured.slice(0, lent), pictureCounts]) : own;
  const markTerms = [
    ...timeMarks(message.at).map(hashTerm),
    ...(isQuestion(message) ? [marks.question] : []),
    ...(mentionsTime(bounded(text)) ? [marks.time] : []),
  ];
  return {
    turn: { session: message.session, own, near: lentTerms, asks: asksSomething(message) },
    unit: packHashes({
      name: termHashes(speakerOf(message)),
      path: markTerms,
      doc: spoken,
      comment: pictured,
      string: returned,
    }),
  };
}

function bounded(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText - longestText / 4)}\n${text.slice(-longestText / 4)}`;
}

function weighed(...parts: [hashes: readonly number[], weight: number][]): Frequencies {
  const sums = new Map<number, number>();
  for (const [hashes, weight] of parts) {
    for (let i = 0; i < hashes.length; i++) sums.set(hashes[i]!, (sums.get(hashes[i]!) ?? 0) + weight);
  }
  return { hashes: [...sums.keys()], counts: [...sums.values()] };
}

function itemOf(message: StoredMessage, page: number): Item {
  const { id, thread, number, session, at } = message;
  return {
    id,
    source: "message",
    kind: "message",
    name: nameOf(message),
    qualifiedName: `message::${thread}/${number}`,
    path: placeOf(thread, page),
    startLine: number,
    endLine: number,
    // Speaker and session: ranking needs both without reading the body.
    signature: session === undefined ? speakerOf(message) : `${speakerOf(message)}\n${session}`,
    hash: hashText(JSON.stringify([message.role, message.speaker, message.blocks])),
    changed: at,
  };
}

export type MessagePlace = { thread: string; number: number; speaker: string; session?: string };

/** The facts about a message that its item contains, so that the message need not be read. */
export function messagePlace({ qualifiedName, signature = "" }: Item): MessagePlace {
  const slash = qualifiedName.lastIndexOf("/");
  const line = signature.indexOf("\n");
  return {
    thread: qualifiedName.slice("message::".length, slash),
    number: Number(qualifiedName.slice(slash + 1)),
    speaker: line < 0 ? signature : signature.slice(0, line),
    ...(line < 0 ? {} : { session: signature.slice(line + 1) }),
  };
}
