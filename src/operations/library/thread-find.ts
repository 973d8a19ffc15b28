import { DossierError } from "../../errors.ts";
import type { LibraryStore, StoredMessage, ThreadInfo } from "../../stores/library.ts";
import { closest } from "../../text/similarity/closest.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { plain } from "../terminal/phrases.ts";

type State = "kept" | "deleted" | "either";

const pageSize = 500;
const mostNamed = 5;
const wholeId = /^thr-[0-9a-z]{13}$/;

/** The thread that an id, its beginning, or a title means. */
export async function findThread(workspace: Workspace, typed: string, state: State = "kept"): Promise<ThreadInfo> {
  const reference = typed.trim().replace(/^\[(.*)\]$/, "$1");
  const library = workspace.hasRecords() ? await workspace.library() : undefined;
  const exact = library && (await library.thread(workspace.owner, reference, { deleted: true }));
  if (exact) return inState(exact, state);
  const candidates =
    library && !wholeId.test(reference) ? await threadsNamed(library, workspace.owner, reference, state) : [];
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) {
    const choices = candidates.slice(0, mostNamed).map(({ id, title }) => `${id} (${plain(title).slice(0, 60)})`);
    const more = candidates.length > mostNamed ? ", and others" : "";
    throw new DossierError(
      "bad-input",
      `${JSON.stringify(typed.slice(0, 200))} could be any of ${choices.join(", ")}${more}.`,
    );
  }
  throw await noThread(library, workspace.owner, typed);
}

function inState(thread: ThreadInfo, state: State): ThreadInfo {
  const deleted = thread.deleted !== undefined;
  if (state === "either" || deleted === (state === "deleted")) return thread;
  throw new DossierError(
    "not-found",
    deleted ? `${thread.id} was deleted; dossier thread restore takes that back.` : `${thread.id} is not deleted.`,
  );
}

/** Threads with exactly this title; else those whose id begins with it. */
async function threadsNamed(
  library: LibraryStore,
  owner: string,
  reference: string,
  state: State,
): Promise<ThreadInfo[]> {
  const matches: ThreadInfo[] = [];
  const states = state === "either" ? [false, true] : [state === "deleted"];
  const byId = /^thr-[0-9a-z]+$/.test(reference);
  const title = reference.toLowerCase();
  for (const deleted of states) {
    for (let offset = 0; ; offset += pageSize) {
      const query = { ...(!byId && { query: reference }), deleted, limit: pageSize, offset };
      const { threads } = await library.threads(owner, query);
      matches.push(
        ...threads.filter((each) => (byId ? each.id.startsWith(reference) : each.title.toLowerCase() === title)),
      );
      if (threads.length < pageSize) break;
    }
  }
  return matches;
}

async function noThread(library: LibraryStore | undefined, owner: string, typed: string): Promise<DossierError> {
  const newest = (await library?.threads(owner, { limit: pageSize }))?.threads ?? [];
  const guess = closest(
    typed,
    newest.map(({ title }) => title),
  );
  const hint = guess === undefined ? "" : ` Did you mean ${JSON.stringify(guess)}?`;
  return new DossierError("not-found", `There is no thread ${JSON.stringify(typed.slice(0, 200))}.${hint}`);
}

/**
 * A message of a thread, including those that a branch shares with its parents: by its id, by the application's id, or
 * by its number.
 */
export async function findMessage(
  library: LibraryStore,
  owner: string,
  thread: ThreadInfo,
  typed: string,
): Promise<StoredMessage> {
  const reference = typed.trim().replace(/^\[(.*)\]$/, "$1");
  const [byId] = await library.messagesById(owner, [reference]);
  const number = byId?.number ?? (/^\d{1,9}$/.test(reference) ? Number(reference) : undefined);
  if (number !== undefined && number > 0) {
    const [atNumber] = await library.messages(owner, thread.id, { from: number, limit: 1 });
    if (atNumber?.number === number && (byId === undefined || atNumber.id === byId.id)) return atNumber;
  } else {
    for (let from = 1; ; ) {
      const page = await library.messages(owner, thread.id, { from, limit: pageSize });
      const byOwnId = page.find((message) => message.given === reference);
      if (byOwnId) return byOwnId;
      if (page.length < pageSize) break;
      from = page.at(-1)!.number + 1;
    }
  }
  throw new DossierError("not-found", `There is no message ${JSON.stringify(typed.slice(0, 100))} in ${thread.id}.`);
}
