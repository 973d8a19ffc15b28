import type { Store } from "../../stores/store.ts";
import type { TreeListing } from "../../tree/examine-files.ts";
import type { GeneratedDocs } from "../../tree/generated-docs.ts";
import { listFiles } from "../../tree/list.ts";
import type { Skipped, SkipReason } from "../../tree/reasons.ts";
import { defaultMaxFileBytes } from "../../tree/skip.ts";
import type { Snapshot } from "../../tree/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { claimBuilding, claimLock } from "./build-lock.ts";
import { compare, type IndexPlan } from "./compare.ts";
import { exportedNotes } from "./exported-notes.ts";
import { type IndexState, readIndexState, writeIndexState } from "./index-state.ts";
import { type RunOptions, runJobs, stopIfAborted } from "./run-jobs.ts";
import { patiently, Writer } from "./writer.ts";

export type UpdateOptions = RunOptions & {
  /** Describe every file again, changed or not. */
  force?: boolean;
  /** Begin with an empty index. */
  rebuild?: boolean;
  /** Larger files are skipped. Default: the limit of the last run, or 1 MiB. */
  maxFileBytes?: number;
  progress?: (progress: { stage: string; done: number; total?: number; detail?: string }) => void;
  /** Milliseconds to wait for another process that writes the index. */
  patience?: number;
  /** A snapshot of the disk, if it is already known. */
  seen?: Snapshot;
  /** Called with the listing and the time at which it began. */
  onListing?: (listing: TreeListing, listedAt: number) => void;
};

const defaultPatience = 60_000;
const shownFailures = 5;

/**
 * Brings the store up to date with the disk; the cost depends on what changed. Finished batches stay, even after an
 * interruption.
 */
export async function updateIndex(workspace: Workspace, options: UpdateOptions = {}): Promise<IndexReport> {
  const { signal, progress } = options;
  stopIfAborted(signal);
  if (options.rebuild) await workspace.rebuild();
  progress?.({ stage: "listing", done: 0 });
  const remembered = await readIndexState(workspace.store, workspace.owner);
  if (remembered?.checkedAt) return bringUpToDate(workspace, options, await look(workspace, signal, options.seen));
  // One process builds an index that was never complete; the others wait for it, then check again.
  return afterOthers(workspace, options, Number.POSITIVE_INFINITY);
}

/** Waits for another process that indexes, at most `patience`; then checks again and does the remaining updates. */
async function afterOthers(workspace: Workspace, options: UpdateOptions, patience: number): Promise<IndexReport> {
  const { signal, progress } = options;
  const { store, owner, databasePath, indexLock } = workspace;
  const isBuilt = async () => Boolean((await readIndexState(store, owner))?.checkedAt);
  const onWaiting = () => progress?.({ stage: "waiting", done: 0, detail: "another process builds the index" });
  const release = indexLock
    ? await claimLock(() => indexLock(owner), { signal, patience, onWaiting })
    : await claimBuilding(databasePath, { signal, isBuilt, onWaiting });
  try {
    return await bringUpToDate(workspace, options, await look(workspace, signal), true);
  } finally {
    await release?.();
  }
}

/** The current listing, and the state that the store has of it. */
export async function look({ root, owner, store }: Workspace, signal: AbortSignal | undefined, seen?: Snapshot) {
  const [began, checkedAt] = [performance.now(), seen?.listedAt ?? Date.now()];
  const [listing, states, remembered] = await Promise.all([
    // Copied, because skipped files are added to it.
    seen ? { ...seen.listing, skipped: [...seen.listing.skipped] } : listFiles(root, { signal }),
    store.files(owner),
    readIndexState(store, owner),
  ]);
  return { began, checkedAt, listing, states, remembered };
}

async function bringUpToDate(
  workspace: Workspace,
  options: UpdateOptions,
  { began, checkedAt, listing, states, remembered }: Awaited<ReturnType<typeof look>>,
  isAlone = false,
): Promise<IndexReport> {
  const { root, owner } = workspace;
  const { signal, progress, patience = defaultPatience } = options;
  stopIfAborted(signal);
  const { store } = workspace;
  const stored: IndexState = remembered ?? {
    checkedAt: 0,
    skipped: new Map(),
    vectorsPending: false,
    outdated: states.length > 0,
  };
  const maxFileBytes = options.maxFileBytes ?? stored.maxFileBytes ?? defaultMaxFileBytes;
  options.onListing?.(listing, checkedAt);
  withoutExports(listing, await exportedNotes(root));
  const stateByPath = new Map(states.map((state) => [state.path, state]));
  // Without state of this format every file is described again.
  const plan = compare(listing, stateByPath, stored, maxFileBytes, options.force || !remembered || stored.outdated);
  // Local processes may update at the same time. On a server, with processes of many machines, one process updates for
  // all.
  const isWork = plan.jobs.length > 0 || plan.removed.length > 0 || stored.vectorsPending;
  if (workspace.indexLock && isWork && !isAlone) return afterOthers(workspace, options, patience);

  const remember = (next: Partial<IndexState>) =>
    patiently(patience, () =>
      writeIndexState(store, owner, { ...stored, maxFileBytes, skipped: plan.remembered, ...next }),
    );
  const beforeFiles = () => remember({ vectorsPending: true });
  // If the index has no vectors, all of them are learned at the end.
  const hasLearned = plan.jobs.length > 0 && stateByPath.size > 0 && !stored.vectorsPending;
  const embedder = hasLearned
    ? await (await import("../../embed/builtin.ts")).builtinEmbedder(store, owner)
    : undefined;
  const writer = new Writer({ store, owner, states: stateByPath, patience, embedder, beforeFiles });
  for (const path of plan.removed) writer.remove(path);

  let done = 0;
  const total = plan.jobs.length;
  let warnings: string[];
  try {
    const runOptions = { isForOneCall: workspace.isForOneCall, ...options };
    warnings = await runJobs(plan.jobs, { root, maxFileBytes }, runOptions, async (outcome) => {
      await writer.take(outcome);
      progress?.({ stage: "indexing", done: ++done, total, detail: outcome.path });
    });
    // An interrupted run may have left files without their roles.
    writer.assignRoles(!remembered || stored.vectorsPending);
    await writer.flush();
  } finally {
    await writer.rest();
  }
  await updateVectors(
    store,
    owner,
    { writer, pending: stored.vectorsPending, embeddedBy: embedder?.revision },
    options,
  );

  const skipped = new Map([...plan.remembered, ...writer.remembered]);
  if (isWorthRemembering(plan, writer, stored, maxFileBytes, skipped)) {
    await remember({ checkedAt, skipped, vectorsPending: false, outdated: false });
  }
  const { indexed, touched, removed, items, bytes } = writer.written;
  const failures = writer.failures.slice(0, shownFailures).map((failure) => `Could not index ${failure}`);
  return {
    files: {
      indexed,
      unchanged: writer.total.files - indexed - touched,
      touched,
      removed,
      skipped: countSkipped([...plan.skipped, ...writer.skipped]),
      generatedDocs: listing.generatedDocs,
    },
    items,
    total: writer.total,
    bytes,
    milliseconds: performance.now() - began,
    warnings: [...listing.warnings, ...warnings, ...failures],
  };
}

export function withoutExports(listing: TreeListing, exports: ReadonlySet<string>): void {
  if (exports.size === 0) return;
  listing.files = listing.files.filter(({ path }) => !exports.has(path));
  for (const path of exports) listing.skipped.push({ path, reason: "notes" });
}

/** Updates the vectors of changed items; of all items if an earlier run was interrupted before this step. */
async function updateVectors(
  store: Store,
  owner: string,
  { writer, pending, embeddedBy }: { writer: Writer; pending: boolean; embeddedBy?: string },
  { signal, progress }: UpdateOptions,
): Promise<void> {
  const writtenIds = pending ? await allIds(store, owner) : writer.writtenIds;
  if (writtenIds.length === 0) return;
  const changedIds = pending ? writtenIds : writer.changedIds;
  stopIfAborted(signal);
  const builtin = await import("../../embed/builtin.ts");
  try {
    // Only items that are searched as text have a vector.
    const { count: total } = await store.termStatistics(owner, "unit", []);
    await builtin.updateVectors(store, owner, { changedIds, writtenIds, total, embeddedBy }, { signal, progress });
  } finally {
    stopIfAborted(signal);
  }
}

async function allIds(store: Store, owner: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of store.allTerms(owner, "unit")) for (const { id } of batch) ids.push(id);
  return ids;
}

/**
 * Whether the check is recorded. A check that found no change need not be: the files' own times are older than the last
 * check.
 */
function isWorthRemembering(
  plan: IndexPlan,
  writer: Writer,
  stored: IndexState,
  maxFileBytes: number,
  skipped: IndexState["skipped"],
): boolean {
  const { indexed, touched, removed } = writer.written;
  return (
    plan.unsettled ||
    indexed + touched + removed > 0 ||
    stored.vectorsPending ||
    stored.checkedAt === 0 ||
    stored.maxFileBytes !== maxFileBytes ||
    skipped.size !== stored.skipped.size
  );
}

/** What a run did, for people and for `--json`. */
export type IndexReport = {
  files: {
    /** Described and written in this run. */
    indexed: number;
    unchanged: number;
    /** Changed on disk in time only, with the same content. */
    touched: number;
    removed: number;
    skipped: Partial<Record<SkipReason, { count: number; examples: string[] }>>;
    /** Folders whose pages were skipped because a tool wrote them. */
    generatedDocs: GeneratedDocs[];
  };
  /** Items written in this run. */
  items: number;
  /** Totals of the index after the run. */
  total: { files: number; items: number };
  /** Bytes of the files that were written. */
  bytes: number;
  milliseconds: number;
  warnings: string[];
};

const shownExamples = 5;

/** Counts by reason, with the first few paths in alphabetical order. */
function countSkipped(skipped: Skipped[]): IndexReport["files"]["skipped"] {
  const paths = new Map<SkipReason, string[]>();
  for (const { path, reason } of skipped) {
    const list = paths.get(reason);
    if (list) list.push(path);
    else paths.set(reason, [path]);
  }
  const entries = [...paths].map(([reason, list]) => {
    return [reason, { count: list.length, examples: list.sort().slice(0, shownExamples) }] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
