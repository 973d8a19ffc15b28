import { citationsIn } from "../../chat/citations.ts";
import { mentionsIn } from "../../chat/mention-targets.ts";
import { isInFile, type SourceName, sourceNames } from "../../item.ts";
import { documentIdOf } from "../../sources/documents/document-items.ts";
import type { LibraryStore, StoredMessage } from "../../stores/library.ts";
import { shelfOfId } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Case, type Expected, type Mined, type Mining, placeOf } from "../case.ts";
import { Draw } from "../sample.ts";
import { expectedDocument } from "./expected.ts";
import { stemsOf } from "./phrases.ts";

const mostThreads = 500;
const pageSize = 200;
/** Messages read of one thread, the newest. */
const mostMessages = 2000;
const longestQuestion = 2000;
const fewestTerms = 3;
/** A reply that names more places is a list, not an answer. */
const mostExpected = 5;

/** A conversation is no answer to its own question, and neither are records made from it. */
const answerSources: SourceName[] = sourceNames.filter((name) => name !== "message" && name !== "commit");

/**
 * A person's question in a thread -> the items that the reply cites, the files it names, or the items that the
 * question mentions.
 */
export async function mineThreads(workspace: Workspace, { limit, seed, signal }: Mining): Promise<Mined> {
  const draw = new Draw<Case>(limit, seed);
  if (!workspace.hasRecords()) return { cases: [], found: 0, why: "There are no threads." };
  const { owner } = workspace;
  const library = await workspace.library();
  let messages = 0;
  for (let offset = 0; offset < mostThreads; offset += pageSize) {
    const { threads } = await library.threads(owner, { limit: pageSize, offset });
    for (const { id } of threads) {
      signal?.throwIfAborted();
      const threadMessages = await library.messages(owner, id, { last: mostMessages });
      messages += threadMessages.length;
      // A branch repeats its parent's messages: each is asked once, in its own thread.
      for (const { question, replies } of exchangesOf(threadMessages.filter(({ thread }) => thread === id))) {
        const mined = await caseOf(workspace, library, question, replies);
        if (mined) draw.add(mined.id, mined);
      }
    }
    if (threads.length < pageSize) break;
  }
  const cases = draw.values();
  if (messages === 0) return { cases, found: 0, why: "There are no threads." };
  const none = "No reply in a thread cites or names a file or a document that is still here.";
  return { cases, found: draw.seen, ...(cases.length === 0 ? { why: none } : {}) };
}

type Exchange = { question: StoredMessage; replies: StoredMessage[] };

function exchangesOf(messages: readonly StoredMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    if (message.role === "user") exchanges.push({ question: message, replies: [] });
    else if (message.role === "assistant") exchanges.at(-1)?.replies.push(message);
  }
  return exchanges;
}

async function caseOf(
  workspace: Workspace,
  library: LibraryStore,
  message: StoredMessage,
  replies: readonly StoredMessage[],
): Promise<Case | undefined> {
  const text = textOf(message);
  if (text.length > longestQuestion) return undefined;
  const { found: mentioned } = await mentionsIn(library, workspace.owner, text);
  const query = without(text, mentioned);
  if (stemsOf(query).size < fewestTerms) return undefined;
  const documents = mentioned
    .filter(({ kind }) => kind === "document")
    .map(({ target, name }) => expectedDocument({ id: target, path: name }));
  const reply = replies.map(textOf).join("\n");
  const expect = unique([
    ...documents,
    ...(await cited(workspace, library, reply)),
    ...(await filesNamedIn(workspace, reply)),
  ]);
  // A question that names the items would find them by their names alone.
  const open = expect.filter(({ shown }) => !query.toLowerCase().includes(shown.toLowerCase()));
  if (open.length === 0 || open.length > mostExpected) return undefined;
  return {
    id: `thread ${message.id}`,
    kind: "thread",
    query,
    expect: open,
    from: message.id,
    time: message.at,
    limits: { sources: answerSources, before: message.at },
    hidden: [],
  };
}

function textOf({ blocks }: Pick<StoredMessage, "blocks">): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function without(text: string, spans: readonly { start: number; end: number }[]): string {
  let rest = text;
  for (const { start, end } of [...spans].sort((a, b) => b.start - a.start))
    rest = rest.slice(0, start) + rest.slice(end);
  return rest.replace(/[ \t]+/g, " ").trim();
}

function unique(expected: readonly Expected[]): Expected[] {
  return [...new Map(expected.map((each) => [each.place, each])).values()];
}

/** Files, documents and notes that a text cites by their ids. */
async function cited({ store, owner }: Workspace, library: LibraryStore, text: string): Promise<Expected[]> {
  const expected: Expected[] = [];
  for (const id of new Set(citationsIn(text).map((citation) => citation.id))) {
    const [item, other] = await store.shelf(shelfOfId(id)).itemsByPrefix(owner, id, 2);
    if (!item || (other && item.id !== id)) continue;
    if (item.source === "document") {
      const [info] = await library.documentInfos(owner, [documentIdOf(item)]);
      if (info) expected.push(expectedDocument(info));
    } else if (isInFile(item.source) || item.source === "note") {
      expected.push({ place: placeOf(item), shown: isInFile(item.source) ? item.path : item.name });
    }
  }
  return expected;
}

const pathRun = /[\w@.+-]+(?:\/[\w@.+-]+)+/g;
const mostNamed = 100;

/** Files of the workspace that a text names by their whole path. */
async function filesNamedIn({ store, owner }: Workspace, text: string): Promise<Expected[]> {
  const runs = [...text.matchAll(pathRun)].slice(0, mostNamed).map(([run]) => run.replace(/^\.\/|[.]+$/g, ""));
  const expected: Expected[] = [];
  for (const path of new Set(runs)) {
    const [hit] = await store.searchPaths(owner, { text: path, mode: "exact", limit: 1 });
    if (hit && hit.item.path === path) expected.push({ place: path, shown: path });
  }
  return expected;
}
