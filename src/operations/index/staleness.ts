import { compare } from "../../indexing/files/compare.ts";
import { type IndexState, readIndexState } from "../../indexing/files/index-state.ts";
import { listFiles } from "../../tree/list.ts";
import type { SkipReason } from "../../tree/reasons.ts";
import { defaultMaxFileBytes } from "../../tree/skip.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export type Stale = { changed: number; added: number; removed: number };

/** How the disk differs from the index now, and why which path is not indexed, without changing either. */
export async function staleFiles(
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<{ stale: Stale; skipped: Map<string, SkipReason> }> {
  const { root, owner, store, files } = workspace;
  const [listing, states, remembered] = await Promise.all([
    listFiles(root, { signal }),
    store.files(owner),
    readIndexState(store, owner),
  ]);
  const memory: IndexState = remembered ?? { checkedAt: 0, skipped: new Map(), vectorsPending: false };
  const indexed = new Map(states.map((state) => [state.path, state]));
  const plan = compare(listing, indexed, memory, memory.maxFileBytes ?? defaultMaxFileBytes);
  const stale: Stale = { changed: 0, added: 0, removed: plan.removed.length };
  const skipped = new Map(plan.skipped.map(({ path, reason }) => [path, reason]));
  for (const { path } of plan.jobs) {
    signal?.throwIfAborted();
    const state = indexed.get(path);
    if (!state) {
      // Files that were read and found not worth indexing may be proposed again shortly after they were touched.
      const before = memory.skipped.get(path);
      if (before) skipped.set(path, before.reason);
      else stale.added++;
      continue;
    }
    const content = await files.read(path);
    if ("reason" in content || content.hash !== state.hash) stale.changed++;
  }
  return { stale, skipped };
}
