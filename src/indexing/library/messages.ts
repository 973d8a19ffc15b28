import { describePages, pageSize, pagesTouchedBy, placeOf } from "../../sources/messages/message-items.ts";
import { reach } from "../../sources/messages/neighbour-terms.ts";
import type { LibraryStore, MessageChange, StoredMessage } from "../../stores/library.ts";
import type { Store } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { byOneProcess } from "../files/build-lock.ts";
import { patiently } from "../files/writer.ts";
import { clearShelf, type Following, indexedRevision, inTurn, noteRevision } from "./followed-shelf.ts";

/** Incremented when descriptions change: then all messages are described again. */
const format = 2;
const batchSize = 2000;
const patience = 5000;

export type MessagesOptions = {
  signal?: AbortSignal;
  /** Milliseconds to wait for another process that indexes the messages. */
  patience?: number;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/**
 * Brings the shelf of messages up to date with the library; the cost depends on what changed. Pages are described from
 * the library's current state, so repeating this, in any process, does no harm.
 */
export async function refreshMessages(workspace: Workspace, options: MessagesOptions = {}): Promise<void> {
  const { store, owner } = workspace;
  const shelf = store.shelf("message");
  const work = () => bringUpToDate({ shelf, owner, key: "messages", format }, workspace, options);
  await inTurn(shelf, owner, () =>
    byOneProcess(workspace, "messages", { isCurrent: () => areMessagesCurrent(workspace), work }, options),
  );
}

/** Whether the shelf has the current messages. The revision also grows with documents. */
export async function areMessagesCurrent({ store, owner, library: open }: Workspace): Promise<boolean> {
  const library = await open();
  const indexed = await indexedRevision({ shelf: store.shelf("message"), owner, key: "messages", format });
  const now = await library.revision(owner);
  if (indexed === undefined || indexed >= now) return indexed === now;
  return (await library.messagesSince(owner, indexed, 1)).length === 0;
}

async function bringUpToDate(following: Following, workspace: Workspace, options: MessagesOptions): Promise<void> {
  const { owner } = following;
  const library = workspace.hasRecords() ? await workspace.library() : undefined;
  const [now, indexed] = await Promise.all([library ? library.revision(owner) : 0, indexedRevision(following)]);
  if (indexed === now) return;
  // A revision below the indexed one: another library has replaced the indexed one.
  const anew = indexed === undefined || indexed > now;
  if (anew) await clearShelf(following);
  const start = anew ? 0 : indexed;
  let noted = anew ? undefined : indexed;
  for (let round = 0; round < mostRounds; round++) {
    const until = library ? await library.revision(owner) : 0;
    const last = library ? await catchUp(following, library, start, noted, options) : noted;
    const current = await indexedRevision(following);
    if (last !== "disturbed" && current === last) return noteRevision(following, until);
    // Another process wrote meanwhile, and may have replaced one of these pages with an older one.
    noted = current;
  }
  await noteRevision(following, start);
}

/** How often this is repeated because of another process; the rest is left to the next question. */
const mostRounds = 3;

/**
 * Writes the pages of all changes after a revision. Returns the last recorded revision, or "disturbed" if another
 * process recorded a different one.
 */
async function catchUp(
  following: Following,
  library: LibraryStore,
  start: number,
  noted: number | undefined,
  { signal, progress }: MessagesOptions,
): Promise<number | undefined | "disturbed"> {
  const { shelf, owner } = following;
  let last = noted;
  for (let from = start, done = 0; ; ) {
    const changes = await library.messagesSince(owner, from, batchSize);
    if (changes.length === 0) return last;
    await writePages(shelf, owner, library, changes, signal);
    from = changes.at(-1)!.revision;
    done += changes.length;
    progress?.({ stage: "messages", done });
    if (changes.length < batchSize) return last;
    // An interrupted run continues from here.
    if ((await indexedRevision(following)) !== last) return "disturbed";
    await noteRevision(following, from);
    last = from;
  }
}

/** Consecutive pages, which are described together. */
type Run = { first: number; last: number };

async function writePages(
  shelf: Store,
  owner: string,
  library: LibraryStore,
  changes: MessageChange[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const pagesByThread = new Map<string, Set<number>>();
  for (const { message } of changes) {
    const pages = pagesByThread.get(message.thread) ?? new Set();
    for (const page of pagesTouchedBy(message.number)) pages.add(page);
    pagesByThread.set(message.thread, pages);
  }
  for (const [thread, pages] of pagesByThread) {
    const live = (await library.thread(owner, thread)) !== undefined;
    for (const run of runsOf(pages)) {
      signal?.throwIfAborted();
      const messages = live ? await messagesOf(library, owner, thread, run) : [];
      const files = describePages(thread, run, messages);
      const filled = new Set(files.map(({ path }) => path));
      const removed = placesOf(thread, run).filter((path) => !filled.has(path));
      await patiently(patience, () => shelf.write(owner, { files, removed }));
    }
  }
}

/** Groups consecutive pages; a group has at most as many as one batch of messages fills. */
function runsOf(pages: Set<number>): Run[] {
  const runs: Run[] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const open = runs.at(-1);
    if (open && open.last === page - 1 && page - open.first < batchSize / pageSize) open.last = page;
    else runs.push({ first: page, last: page });
  }
  return runs;
}

/**
 * The messages of these pages, and the neighbouring turns whose terms are spread into them. No term of a parent thread
 * is spread into its branch, so a change of the parent leaves the branch unchanged.
 */
async function messagesOf(
  library: LibraryStore,
  owner: string,
  thread: string,
  { first, last }: Run,
): Promise<StoredMessage[]> {
  const from = Math.max(1, first * pageSize + 1 - reach);
  const limit = (last + 1) * pageSize + reach - from + 1;
  const messages = await library.messages(owner, thread, { from, limit });
  return messages.filter((message) => message.thread === thread);
}

function placesOf(thread: string, { first, last }: Run): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => placeOf(thread, first + i));
}
