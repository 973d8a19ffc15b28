import type { Candidate, Item } from "../../item.ts";
import type { LibraryStore, MessageRange, StoredMessage } from "../../stores/library.ts";
import type { Filter, Hit, TextSearch } from "../../stores/store.ts";
import type { Query } from "../../text/analysis/query.ts";
import { isWithin, marksOf, termsBesideTimes } from "../../text/times/asked-times.ts";
import type { TimeRange } from "../../text/times/times.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Source, SourceSearch } from "../source.ts";
import { messagePlace, pagesOf } from "./message-items.ts";
import { readMessages } from "./read.ts";
import { namedIn, spokenTerms } from "./speakers.ts";
import { speakerOf } from "./text.ts";
import { summaryItems } from "./thread-summary.ts";

/** What was said in threads. */
export const message: Source = {
  name: "message",
  brings: ["message"],
  shelf: "message",
  measuredAs: "messages",
  async find(query, search, workspace) {
    if (!workspace.hasRecords()) return [];
    const library = await workspace.library();
    const line =
      search.thread === undefined ? undefined : await lineOf(library, workspace.owner, search.thread, search.upTo);
    // A path of a file, or a thread that is not there: no message is meant.
    if (search.filter.paths || line?.length === 0) return [];
    const latest = line ? await library.messages(workspace.owner, search.thread!, latestOf(search.upTo)) : [];
    const { times = [] } = search;
    const [hits, near, dated, recent] = await Promise.all([
      search.strategies.includes("text") ? findText(query, search, line, latest, workspace) : [],
      search.meaning ? findNear(search.meaning, search, line, workspace) : [],
      times.length > 0 ? findTimes(times, search, line, workspace) : [],
      recentItems(latest, search, workspace),
    ]);
    const found = new Map<string, Candidate>();
    for (const { item, score } of hits) found.set(item.id, { item, signals: { matched: score }, distance: 0 });
    for (const { item } of near) if (!found.has(item.id)) found.set(item.id, { item, signals: {}, distance: 0 });
    for (const { item } of dated) if (!found.has(item.id)) found.set(item.id, { item, signals: {}, distance: 0 });
    recent.forEach((item, place) => {
      const known = found.get(item.id) ?? { item, signals: {}, distance: 0 };
      // By place, not by time: a reply that took a day is still the last thing that was said.
      known.signals.recent = 1 - place / recent.length;
      found.set(item.id, known);
    });
    for (const item of await summaryItems(search.filter.ids ?? [], library, workspace.owner)) {
      found.set(item.id, { item, signals: {}, distance: 0 });
    }
    for (const { item, signals } of found.values()) {
      if (item.changed !== undefined && isWithin(item.changed, times)) signals.dated = 1;
    }
    return [...found.values()];
  },
  read: readMessages,
};

/** The latest messages of the thread at hand are always candidates. */
const latestAlways = 10;
/** Most that are ranked: phase one counts a neighbour's words almost like its own, so it must bring enough. */
const fewestCandidates = 150;
const candidatesEach = 2;

/** The latest messages up to a number, or of all. */
function latestOf(upTo: number | undefined): MessageRange {
  if (upTo === undefined) return { last: latestAlways };
  const from = Math.max(1, upTo - latestAlways + 1);
  return { from, limit: Math.max(0, upTo - from + 1) };
}

/** A thread, or one that it branched off, with the last of its messages that are meant. */
type Part = { thread: string; upTo: number };

/** Nobody branches this often; a store that says so has a circle. */
const longestLine = 64;

/** The thread, its parent, and so on; empty when there is no such thread. Numbers go on from a parent to its branch. */
async function lineOf(
  library: LibraryStore,
  owner: string,
  id: string,
  last = Number.POSITIVE_INFINITY,
): Promise<Part[]> {
  const line: Part[] = [];
  let upTo = last;
  for (let next: string | undefined = id; next !== undefined && upTo > 0 && line.length < longestLine; ) {
    const thread = await library.thread(owner, next, { deleted: line.length > 0 });
    if (!thread || line.some((part) => part.thread === thread.id)) break;
    line.push({ thread: thread.id, upTo });
    next = thread.parent;
    const shared = thread.branchedAt === undefined ? [] : await library.messagesById(owner, [thread.branchedAt]);
    upTo = Math.min(upTo, shared[0]?.number ?? 0);
  }
  return line;
}

async function findText(
  query: Query,
  search: SourceSearch,
  line: Part[] | undefined,
  latest: StoredMessage[],
  workspace: Workspace,
): Promise<Hit[]> {
  const named = namedIn(query.text, new Set(latest.map(speakerOf)));
  const spoken = spokenTerms(query.terms, query.text, named);
  // A time that is known is not looked for in words.
  const terms = search.times?.length ? termsBesideTimes(spoken, query.text) : spoken;
  const wanted = Math.max(fewestCandidates, search.limit * candidatesEach);
  return terms.length === 0 ? [] : hitsOf({ scope: "file", terms }, wanted, search, line, workspace);
}

/** Days of which more was said are not looked at as a whole. */
const mostOfTimes = 2000;

/** The newest of what was said then. */
async function findTimes(
  times: readonly TimeRange[],
  search: SourceSearch,
  line: Part[] | undefined,
  workspace: Workspace,
): Promise<Hit[]> {
  const terms = marksOf(times).map((term) => ({ term, weight: 1 }));
  const hits = await hitsOf({ scope: "unit", terms }, mostOfTimes, search, line, workspace);
  return hits
    .filter(({ item }) => isWithin(item.changed ?? 0, times))
    .sort((a, b) => b.item.changed! - a.item.changed! || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, fewestCandidates);
}

/** Nearest by a language model; what no word of the question finds may still be what it is about. */
async function findNear(
  { model, vector }: NonNullable<SourceSearch["meaning"]>,
  search: SourceSearch,
  line: Part[] | undefined,
  { store, owner }: Workspace,
): Promise<Hit[]> {
  const { modelVectors } = store.shelf("message");
  return partsOf(nearestMessages, search, line, (limit, filter) =>
    modelVectors.search(owner, model, { vector, limit, filter }),
  );
}

const nearestMessages = 50;

async function hitsOf(
  asked: Pick<TextSearch, "scope" | "terms">,
  wanted: number,
  search: SourceSearch,
  line: Part[] | undefined,
  { store, owner }: Workspace,
): Promise<Hit[]> {
  const shelf = store.shelf("message");
  return partsOf(wanted, search, line, (limit, filter) => shelf.searchText(owner, { ...asked, limit, filter }));
}

/** The best of what a search finds in these threads. */
async function partsOf(
  wanted: number,
  search: SourceSearch,
  line: Part[] | undefined,
  look: (limit: number, filter: Filter) => Promise<Hit[]>,
): Promise<Hit[]> {
  const filter = line ? { ...search.filter, paths: line.map(({ thread }) => pagesOf(thread)) } : search.filter;
  const upTo = new Map(line?.map((part) => [part.thread, part.upTo]));
  const isPart = ({ item }: Hit) => {
    const { thread, number } = messagePlace(item);
    return line === undefined || number <= (upTo.get(thread) ?? 0);
  };
  // What a parent said after the branch is on its pages too: where it fills the list, the list is made longer.
  for (let limit = wanted; ; limit *= 4) {
    const hits = await look(limit, filter);
    const own = hits.filter(isPart);
    if (own.length >= wanted || hits.length < limit) return own.slice(0, wanted);
  }
}

/** Newest first. */
async function recentItems(
  latest: StoredMessage[],
  { filter }: SourceSearch,
  { store, owner }: Workspace,
): Promise<Item[]> {
  const ids = latest.map(({ id }) => id).reverse();
  const wanted = filter.ids ? ids.filter((id) => filter.ids!.includes(id)) : ids;
  if (wanted.length === 0 || (filter.kinds && !filter.kinds.includes("message"))) return [];
  return store.shelf("message").items(owner, wanted);
}
