import type { RepositoryState } from "../../git/head.ts";
import { type CommitList, commitTime, type ListedCommit, listCommits } from "../../git/log.ts";
import { shaOfItem } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type HistoryMemory, isOfPlace } from "./shelf-state.ts";

const year = 365.25 * 24 * 3600 * 1000;

/** What to do so that the commits that are known are those that lead to what is checked out. */
export type HistoryPlan = {
  /** Newest first. */
  added: string[];
  removed: string[];
  /** Nothing that is known counts. */
  anew: boolean;
  /** Known ones among the added. */
  replaced: string[];
  /** What will be true afterwards. */
  memory: HistoryMemory;
};

export async function makePlan(
  { root, owner, store }: Workspace,
  state: RepositoryState | undefined,
  memory: HistoryMemory | undefined,
  years: number,
  signal: AbortSignal | undefined,
): Promise<HistoryPlan | Exclude<CommitList, { added: ListedCommit[] }>> {
  const { head = "", below = "", boundary = [] } = state ?? {};
  const next = (since: number): HistoryMemory => {
    return { complete: true, head, below, boundary, years, since, warnings: [] };
  };
  const kept = { anew: false, replaced: [] };
  if (head === "") {
    return { ...kept, added: [], removed: await store.commits.shas(owner), memory: next(memory?.since ?? 0) };
  }
  const since = await windowStart(root, head, years, memory, signal);
  const within = (list: ListedCommit[]) => list.filter(({ time }) => time >= since).map(({ sha }) => sha);
  const limits = { below: below !== "", signal };
  if (memory?.complete && memory.head !== "" && memory.since === since && isOfPlace(memory, state, years)) {
    const list = await listCommits(root, { head, since: memory.head }, limits);
    if ("added" in list) {
      const still = { ...next(since), warnings: memory.warnings };
      return { ...kept, added: within(list.added), removed: within(list.removed), memory: still };
    }
    if ("missing" in list) return list;
    // The last commit is gone for good (rebased, and swept up since): everything is compared.
  }
  const list = await listCommits(root, { head }, limits);
  if (!("added" in list)) return list;
  const listed = within(list.added);
  const stored = await store.commits.shas(owner);
  const anew = !memory || memory.anew === true || memory.below !== below;
  const wanted = new Set(listed);
  const known = new Set(anew ? [] : stored);
  // What was at the boundary of a shallow clone is stored without its files.
  const replaced = (memory?.boundary ?? []).filter((sha) => !boundary.includes(sha) && known.delete(sha));
  const removed = stored.filter((sha) => !wanted.has(sha));
  const left = memory?.complete === false && !anew ? await onlyFound(store, owner, stored, wanted) : [];
  // What could not be read of those that stay is not read now.
  const warnings = anew || removed.length === stored.length ? [] : memory!.warnings;
  return {
    added: listed.filter((sha) => !known.has(sha)),
    removed: [...removed, ...left],
    anew,
    replaced,
    memory: { ...next(since), warnings },
  };
}

/**
 * Counted from the checked-out commit, not from today: a project that rests keeps its history. The window only grows (when an older
 * branch is checked out) until another number of years is asked for, so commits that fall out of it stay until the index is built anew.
 */
async function windowStart(
  root: string,
  head: string,
  years: number,
  memory: HistoryMemory | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (years === 0) return 0;
  const latest = Math.min((await commitTime(root, head, signal)) ?? Date.now(), Date.now());
  const start = Math.max(0, latest - years * year);
  return memory?.years === years ? Math.min(memory.since, start) : start;
}

/** What a run that was cut short left on the shelf and got no further with. */
async function onlyFound(store: Store, owner: string, stored: string[], wanted: Set<string>): Promise<string[]> {
  const known = new Set(stored);
  const shas: string[] = [];
  for await (const batch of store.shelf("commit").allTerms(owner, "unit")) {
    for (const { id } of batch) {
      const sha = shaOfItem(id);
      if (!known.has(sha) && !wanted.has(sha)) shas.push(sha);
    }
  }
  return shas;
}
