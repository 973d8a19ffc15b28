import type { Candidate, Item } from "../../item.ts";
import type { LibraryStore, MessageRange, StoredMessage } from "../../stores/library.ts";
import type { Filter, Hit, TextSearch } from "../../stores/store.ts";
import type { Query } from "../../text/analysis/query.ts";
import { isWithin, marksOf, termsBesideTimes } from "../../text/times/asked-times.ts";
import type { TimeRange } from "../../text/times/times.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Source, SourceSearch } from "../source.ts";
import { messagePlace, pagesOf } from "./message-items.ts";
import { readMessages } from "./read-messages.ts";
import { namedIn, spokenTerms } from "./speakers.ts";
import { speakerOf } from "./text.ts";
import { summaryItems } from "./thread-summary.ts";

/** Messages in threads. */
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
    // A path filter, or a missing thread: no messages.
    if (search.filter.paths || line?.length === 0) return [];
    const latest = line ? await library.messages(workspace.owner, search.thread!, latestOf(search.upTo)) : [];
    const { times = [] } = search;
    const [hits, semantic, dated, recent] = await Promise.all([
      search.strategies.includes("text") ? findText(query, search, line, latest, workspace) : [],
      search.meaning ? findNear(search.meaning, search, line, workspace) : [],
      times.length > 0 ? findTimes(times, search, line, workspace) : [],
      recentItems(latest, search, workspace),
    ]);
    const candidates = new Map<string, Candidate>();
    for (const { item, score } of hits) candidates.set(item.id, { item, signals: { matched: score }, distance: 0 });
    for (const { item } of semantic)
      if (!candidates.has(item.id)) candidates.set(item.id, { item, signals: {}, distance: 0 });
    for (const { item } of dated)
      if (!candidates.has(item.id)) candidates.set(item.id, { item, signals: {}, distance: 0 });
    recent.forEach((item, place) => {
      const candidate = candidates.get(item.id) ?? { item, signals: {}, distance: 0 };
      // By position, not by time: a reply after a day is still the last message.
      candidate.signals.recent = 1 - place / recent.length;
      candidates.set(item.id, candidate);
    });
    for (const item of await summaryItems(search.filter.ids ?? [], library, workspace.owner)) {
      candidates.set(item.id, { item, signals: {}, distance: 0 });
    }
    for (const { item, signals } of candidates.values()) {
      if (item.changed !== undefined && isWithin(item.changed, times)) signals.dated = 1;
    }
    return [...candidates.values()];
  },
  read: readMessages,
};

/** The latest messages of the current thread are always candidates. */
const latestAlways = 10;
/** Minimum of candidates: the first phase counts a neighbour's words almost like its own, so it must return enough. */
const fewestCandidates = 150;
const candidatesEach = 2;

/** The range of the latest messages, up to a number if it is given. */
function latestOf(upTo: number | undefined): MessageRange {
  if (upTo === undefined) return { last: latestAlways };
  const from = Math.max(1, upTo - latestAlways + 1);
  return { from, limit: Math.max(0, upTo - from + 1) };
}

/** A thread, or an ancestor of it, with the number of its last message that counts. */
type Part = { thread: string; upTo: number };

/** Limit of ancestors: nobody branches this often, so a longer line is a cycle in the store. */
const longestLine = 64;

/**
 * The thread, its parent, and so on; empty when the thread does not exist. Numbers continue from a parent to its
 * branch.
 */
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
  const namedSpeakers = namedIn(query.text, new Set(latest.map(speakerOf)));
  const spoken = spokenTerms(query.terms, query.text, namedSpeakers);
  // A recognised time is not searched as words.
  const terms = search.times?.length ? termsBesideTimes(spoken, query.text) : spoken;
  const count = Math.max(fewestCandidates, search.limit * candidatesEach);
  return terms.length === 0 ? [] : hitsOf({ scope: "file", terms }, count, search, line, workspace);
}

/** Days with more messages are not examined completely. */
const mostOfTimes = 2000;

/** The newest messages of these times. */
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

/** Nearest by a language model: finds messages that share no word with the question. */
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
  textQuery: Pick<TextSearch, "scope" | "terms">,
  count: number,
  search: SourceSearch,
  line: Part[] | undefined,
  { store, owner }: Workspace,
): Promise<Hit[]> {
  const shelf = store.shelf("message");
  return partsOf(count, search, line, (limit, filter) => shelf.searchText(owner, { ...textQuery, limit, filter }));
}

/** The best hits within these threads. */
async function partsOf(
  count: number,
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
  // The pages of a parent also contain messages after the branch: if those fill the list, the limit is raised.
  for (let limit = count; ; limit *= 4) {
    const hits = await look(limit, filter);
    const own = hits.filter(isPart);
    if (own.length >= count || hits.length < limit) return own.slice(0, count);
  }
}

/** The most recent items, newest first. */
async function recentItems(
  latest: StoredMessage[],
  { filter }: SourceSearch,
  { store, owner }: Workspace,
): Promise<Item[]> {
  const ids = latest.map(({ id }) => id).reverse();
  const included = filter.ids ? ids.filter((id) => filter.ids!.includes(id)) : ids;
  if (included.length === 0 || (filter.kinds && !filter.kinds.includes("message"))) return [];
  return store.shelf("message").items(owner, included);
}
