import { DossierError } from "../../errors.ts";
import { type FolderWatch, watchFolders } from "../../tree/folder-watch.ts";
import { defaultMaxFileBytes } from "../../tree/skip.ts";
import { isUnchanged, type Snapshot, snapshotOf } from "../../tree/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { compare } from "./compare.ts";
import { exportedNotes } from "./exported-notes.ts";
import { look, type UpdateOptions, updateIndex, withoutExports } from "./update.ts";

export type FreshOptions = Pick<UpdateOptions, "signal" | "progress" | "workers" | "patience"> & {
  /** A check this many milliseconds ago or less is good enough. */
  maxAge?: number;
  /** Instead of that: only a check that began at this time (`performance.now()`) or later, so that what was changed before it is seen. */
  askedAt?: number;
};

const defaultMaxAge = 250;
/** A question does not wait long for another process that indexes; it is answered from what is there. */
const queryPatience = 1000;

const running = new WeakMap<Workspace, { began: number; check: Promise<string[]> }>();
const lastChecked = new WeakMap<Workspace, number>();
/** When the last check that came to its end began. */
const lastBegan = new WeakMap<Workspace, number>();
/** What the last check saw, while it is worth comparing with: half of a check's time is git's. */
const seenBy = new WeakMap<Workspace, Seen>();
/** `watch`: null where the system cannot tell of changes; absent before the second check, which only comes in processes that live on. */
type Seen = { snapshot: Snapshot; watch?: FolderWatch | null };

/** Brings the index up to date before a query, where it is not; returns warnings. Calls at the same time share one run. */
export async function ensureFresh(workspace: Workspace, options: FreshOptions = {}): Promise<string[]> {
  const { askedAt = Number.NEGATIVE_INFINITY } = options;
  const current = running.get(workspace);
  if (current) {
    const shared = await current.check.catch((error: unknown) => {
      // Whoever began the run may have given up; that is no reason for others to.
      if (error instanceof DossierError && error.code === "interrupted" && !options.signal?.aborted) return undefined;
      throw error;
    });
    // It may have passed what was changed meanwhile.
    return shared !== undefined && current.began >= askedAt ? shared : ensureFresh(workspace, options);
  }
  if (await isJustChecked(workspace, options)) return [];
  if (running.has(workspace)) return ensureFresh(workspace, options);
  const began = performance.now();
  const run = check(workspace, options)
    .then((warnings) => {
      lastBegan.set(workspace, began);
      return warnings;
    })
    .finally(() => running.delete(workspace));
  running.set(workspace, { began, check: run });
  return run;
}

/** Where the system tells of changes, an edit shows at once; elsewhere some milliseconds later. */
async function isJustChecked(
  workspace: Workspace,
  { maxAge = defaultMaxAge, askedAt }: FreshOptions,
): Promise<boolean> {
  if (askedAt !== undefined) return (lastBegan.get(workspace) ?? Number.NEGATIVE_INFINITY) >= askedAt;
  const age = performance.now() - (lastChecked.get(workspace) ?? Number.NEGATIVE_INFINITY);
  if (age > maxAge) return false;
  const watch = seenBy.get(workspace)?.watch;
  return !watch || watch.isQuiet();
}

/** Whether all is as the last check saw it: by what the system tells of folders, or by a look at every file. */
async function isAsSeen(workspace: Workspace): Promise<boolean> {
  const seen = seenBy.get(workspace);
  if (!seen) return false;
  if (await seen.watch?.isQuiet()) return true;
  if (seen.watch === undefined) {
    const { root, folders } = seen.snapshot;
    const watch = watchFolders(
      root,
      folders.map(([folder]) => folder),
    );
    if (watch) workspace.onClose(watch.close);
    seen.watch = watch ?? null;
  }
  // What changes from here on is told, what changed before is seen now.
  seen.watch?.reset();
  if (isUnchanged(seen.snapshot)) return true;
  forget(workspace);
  return false;
}

function forget(workspace: Workspace): void {
  seenBy.get(workspace)?.watch?.close();
  seenBy.delete(workspace);
  // What changed is not to wait until the last check has grown old.
  lastChecked.delete(workspace);
}

async function check(workspace: Workspace, options: FreshOptions): Promise<string[]> {
  if (await isAsSeen(workspace)) {
    lastChecked.set(workspace, performance.now());
    return [];
  }
  let snapshot: Snapshot | undefined;
  const onListing: UpdateOptions["onListing"] = (listing, listedAt) => {
    snapshot = snapshotOf(workspace.root, listing, listedAt);
  };
  try {
    const { warnings } = await updateIndex(workspace, { patience: queryPatience, ...options, onListing });
    lastChecked.set(workspace, performance.now());
    if (snapshot && warnings.length === 0) seenBy.set(workspace, { snapshot });
    return warnings;
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    // What is indexed can still be searched, and what is printed is read from disk.
    if (error.code === "store-locked" || error.code === "not-readable" || error.code === "disk-full") {
      return [`The index was not brought up to date: ${error.message}`];
    }
    throw error;
  }
}

/** Whether the index is as the disk is: for those who have it brought up to date by another process. */
export async function isFresh(workspace: Workspace, options: FreshOptions = {}): Promise<boolean> {
  if (await isJustChecked(workspace, options)) return true;
  if (!(await isAsSeen(workspace))) {
    const { checkedAt, listing, states, remembered } = await look(workspace, options.signal);
    // What there is to warn of is said by whoever brings it up to date.
    if (!remembered?.checkedAt || remembered.vectorsPending || listing.warnings.length > 0) return false;
    const snapshot = snapshotOf(workspace.root, listing, checkedAt);
    withoutExports(listing, await exportedNotes(workspace.root));
    const known = new Map(states.map((state) => [state.path, state]));
    const plan = compare(listing, known, remembered, remembered.maxFileBytes ?? defaultMaxFileBytes);
    if (plan.jobs.length > 0 || plan.removed.length > 0) return false;
    if (snapshot) seenBy.set(workspace, { snapshot });
  }
  lastChecked.set(workspace, performance.now());
  return true;
}
