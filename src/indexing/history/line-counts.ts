import { countLines } from "../../git/change-counts.ts";
import { repositoryState } from "../../git/head.ts";
import type { Commit } from "../../stores/commits.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { patiently } from "../files/writer.ts";

const defaultDeadline = 500;
const patience = 1000;

export type CountOptions = {
  /** Milliseconds after which git is stopped; lines counted until then are kept. */
  deadline?: number;
  signal?: AbortSignal;
};

/** These commits, with missing line counts filled in if git answers in time. */
export async function fillCounts(workspace: Workspace, shas: string[], options: CountOptions = {}): Promise<Commit[]> {
  const { store, owner } = workspace;
  const commits = await store.commits.get(owner, shas);
  const missing = commits.filter(({ insertions }) => insertions === undefined).map(({ sha }) => sha);
  const counts = await countCommits(workspace, missing, options);
  return commits.map((commit) => ({ ...commit, ...counts.get(commit.sha) }));
}

/**
 * Counts lines and stores the counts. If another process holds the store, that is no failure: the lines are counted
 * again next time.
 */
export async function countCommits(
  { root, store, owner }: Workspace,
  shas: string[],
  { deadline = defaultDeadline, signal }: CountOptions = {},
): Promise<Map<string, { insertions: number; deletions: number }>> {
  if (shas.length === 0) return new Map();
  const { below = "", boundary = [] } = (await repositoryState(root, signal)) ?? {};
  // A commit at the boundary of a shallow clone has no parents here: it would seem to insert every line.
  const countable = shas.filter((sha) => !boundary.includes(sha));
  const late = AbortSignal.timeout(deadline);
  const counts = await countLines(root, countable, {
    below: below !== "",
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  if (counts.size > 0) {
    await patiently(patience, () => store.commits.writeCounts(owner, counts)).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== "store-locked") throw error;
    });
  }
  return counts;
}
