import type { RepositoryState } from "../../git/head.ts";
import { type CommitList, commitTime, type ListedCommit, listCommits } from "../../git/log.ts";
import { shaOfItem } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type HistoryState, type HistoryWindow, isOfPlace, isOfWindow } from "./history-state.ts";

const year = 365.25 * 24 * 3600 * 1000;

/** The changes after which the stored commits are exactly those reachable from HEAD. */
export type HistoryPlan = {
  /** Newest first. */
  added: string[];
  removed: string[];
  /** Start from an empty shelf. */
  anew: boolean;
  /** Stored commits among the added ones, which are written again. */
  replaced: string[];
  /** The state afterwards. */
  state: HistoryState;
};

export async function makePlan(
  { root, owner, store }: Workspace,
  state: RepositoryState | undefined,
  stored: HistoryState | undefined,
  window: HistoryWindow,
  signal: AbortSignal | undefined,
): Promise<HistoryPlan | Exclude<CommitList, { added: ListedCommit[] }>> {
  const { head = "", below = "", boundary = [] } = state ?? {};
  const next = (since: number): HistoryState => {
    return { complete: true, head, below, boundary, ...window, since, warnings: [] };
  };
  const unchanged = { anew: false, replaced: [] };
  if (head === "") {
    return { ...unchanged, added: [], removed: await store.commits.shas(owner), state: next(stored?.since ?? 0) };
  }
  const limits = { below: below !== "", signal };
  // The first run needs all commits, whatever their window, so git lists them meanwhile.
  const [start, everything] = await Promise.all([
    windowStart(root, head, window, stored, signal),
    stored ? undefined : listCommits(root, { head }, limits),
  ]);
  const within = (list: ListedCommit[], since: number) =>
    list.filter(({ time }) => time >= since).map(({ sha }) => sha);
  if (stored?.complete && stored.head !== "" && stored.since === start && isOfPlace(stored, state, window)) {
    const list = await listCommits(root, { head, since: stored.head }, limits);
    if ("added" in list) {
      const state = { ...next(start), warnings: stored.warnings, older: stored.older ?? false };
      const [added, removed] = [within(list.added, start), within(list.removed, start)];
      return { ...unchanged, added, removed, state };
    }
    if ("missing" in list) return list;
    // The last commit was rebased and garbage-collected, so everything is compared.
  }
  const list = everything ?? (await listCommits(root, { head }, limits));
  if (!("added" in list)) return list;
  const since = Math.min(start, timeOfNewest(list.added, window.atLeast));
  const shas = within(list.added, since);
  const storedShas = await store.commits.shas(owner);
  const anew = !stored || stored.anew === true || stored.below !== below;
  const reachable = new Set(shas);
  const indexed = new Set(anew ? [] : storedShas);
  // Commits at the boundary of a shallow clone are stored without their files.
  const replaced = (stored?.boundary ?? []).filter((sha) => !boundary.includes(sha) && indexed.delete(sha));
  const removed = storedShas.filter((sha) => !reachable.has(sha));
  const leftovers = stored?.complete === false && !anew ? await orphanedItems(store, owner, storedShas, reachable) : [];
  // Commits that stay are not read again, so their warnings stay.
  const warnings = anew || removed.length === storedShas.length ? [] : stored!.warnings;
  return {
    added: shas.filter((sha) => !indexed.has(sha)),
    removed: [...removed, ...leftovers],
    anew,
    replaced,
    state: { ...next(since), warnings, older: shas.length < list.added.length },
  };
}

/**
 * Start of the window, counted from the checked-out commit and not from today: a dormant project keeps its history. The
 * window only grows (when an older branch is checked out) until another number of years is requested, so commits that
 * fall out of it stay until the index is rebuilt.
 */
async function windowStart(
  root: string,
  head: string,
  window: HistoryWindow,
  stored: HistoryState | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (window.years === 0) return 0;
  const latest = Math.min((await commitTime(root, head, signal)) ?? Date.now(), Date.now());
  const start = Math.max(0, latest - window.years * year);
  return stored && isOfWindow(stored, window) ? Math.min(stored.since, start) : start;
}

/** The time of the oldest of the `count` newest commits; 0 if there are no more. */
function timeOfNewest(commits: readonly ListedCommit[], count: number): number {
  if (count === 0) return Number.POSITIVE_INFINITY;
  if (commits.length <= count) return 0;
  return Float64Array.from(commits, ({ time }) => -time).sort()[count - 1]! * -1;
}

/** Searchable items that an interrupted run left without a stored commit. */
async function orphanedItems(store: Store, owner: string, stored: string[], reachable: Set<string>): Promise<string[]> {
  const storedShas = new Set(stored);
  const shas: string[] = [];
  for await (const batch of store.shelf("commit").allTerms(owner, "unit")) {
    for (const { id } of batch) {
      const sha = shaOfItem(id);
      if (!storedShas.has(sha) && !reachable.has(sha)) shas.push(sha);
    }
  }
  return shas;
}
