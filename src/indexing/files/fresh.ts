import { DossierError } from "../../errors.ts";
import { type FolderWatch, watchFolders } from "../../tree/folder-watch.ts";
import { defaultMaxFileBytes } from "../../tree/skip.ts";
import { renewed, type Snapshot, snapshotOf } from "../../tree/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { compare } from "./compare.ts";
import { exportedNotes } from "./exported-notes.ts";
import { look, type UpdateOptions, updateIndex, withoutExports } from "./update.ts";

export type FreshOptions = Pick<UpdateOptions, "signal" | "progress" | "workers" | "patience"> & {
  /** A check at most this many milliseconds ago is fresh enough. */
  maxAge?: number;
  /**
   * Replaces `maxAge`: only a check that began at this time (`performance.now()`) or later counts, so that every change
   * before it is seen.
   */
  askedAt?: number;
};

const defaultMaxAge = 250;
/** Milliseconds that a question waits for another process that indexes; then it is answered from the index as it is. */
const queryPatience = 1000;

const running = new WeakMap<Workspace, { began: number; check: Promise<string[]> }>();
const lastChecked = new WeakMap<Workspace, number>();
/** When the last completed check began. */
const lastBegan = new WeakMap<Workspace, number>();
/** What the last check saw. Comparing with it avoids running git, which takes half of a check's time. */
const lastSeen = new WeakMap<Workspace, Seen>();
/**
 * `watch`: null if the system has no reliable events; absent before the second check, which only happens in long-lived
 * processes.
 */
type Seen = { snapshot: Snapshot; watch?: FolderWatch | null };

/** Brings the index up to date before a query if it is stale; returns warnings. Concurrent calls share one run. */
export async function ensureFresh(workspace: Workspace, options: FreshOptions = {}): Promise<string[]> {
  const { askedAt = Number.NEGATIVE_INFINITY } = options;
  const current = running.get(workspace);
  if (current) {
    const shared = await current.check.catch((error: unknown) => {
      // The caller that started the run may have aborted it; the other callers continue.
      if (error instanceof DossierError && error.code === "interrupted" && !options.signal?.aborted) return undefined;
      throw error;
    });
    // That run may have passed files before they changed.
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

/**
 * Whether the last check is recent enough: at most `maxAge` milliseconds old and, with file system events, without an
 * edit since.
 */
async function isJustChecked(
  workspace: Workspace,
  { maxAge = defaultMaxAge, askedAt }: FreshOptions,
): Promise<boolean> {
  if (askedAt !== undefined) return (lastBegan.get(workspace) ?? Number.NEGATIVE_INFINITY) >= askedAt;
  const age = performance.now() - (lastChecked.get(workspace) ?? Number.NEGATIVE_INFINITY);
  if (age > maxAge) return false;
  const watch = lastSeen.get(workspace)?.watch;
  return !watch || (await watch.edits())?.size === 0;
}

/**
 * The current state of what the last check saw, from file system events, or from a stat of every file and folder.
 * Returns the same snapshot if nothing has changed, and undefined if a listing is needed.
 */
async function seenAgain(workspace: Workspace): Promise<Snapshot | undefined> {
  const last = lastSeen.get(workspace);
  if (!last) return undefined;
  const edits = await last.watch?.edits();
  if (edits?.size === 0) return last.snapshot;
  if (last.watch === undefined) {
    const { root, folders } = last.snapshot;
    const watch = watchFolders(
      root,
      folders.map(([folder]) => folder),
    );
    if (watch) workspace.onClose(watch.close);
    last.watch = watch ?? null;
  }
  // Later changes cause events; the comparison below finds earlier ones.
  if (edits) last.watch?.takeEdits();
  else last.watch?.reset();
  const now = renewed(last.snapshot, edits);
  // A change must not wait until the last check has expired.
  if (now !== last.snapshot) lastChecked.delete(workspace);
  if (!now) forget(workspace);
  return now;
}

function forget(workspace: Workspace): void {
  lastSeen.get(workspace)?.watch?.close();
  lastSeen.delete(workspace);
}

async function check(workspace: Workspace, options: FreshOptions): Promise<string[]> {
  const last = lastSeen.get(workspace);
  const seen = await seenAgain(workspace);
  if (seen && seen === last?.snapshot) {
    lastChecked.set(workspace, performance.now());
    return [];
  }
  // A change counts as unseen until it is indexed.
  lastSeen.delete(workspace);
  const watch = seen && last?.watch;
  let snapshot = seen;
  // Most calls check once, so looking at every folder would be useless; a call that watches checks again.
  const isLast = workspace.isForOneCall && !lastBegan.has(workspace);
  const onListing: UpdateOptions["onListing"] = (listing, listedAt) => {
    if (!isLast) snapshot ??= snapshotOf(workspace.root, listing, listedAt);
  };
  try {
    const { warnings } = await updateIndex(workspace, { patience: queryPatience, ...options, seen, onListing });
    lastChecked.set(workspace, performance.now());
    if (snapshot && warnings.length === 0) lastSeen.set(workspace, { snapshot, watch });
    return warnings;
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    // The index can still be searched, and printed lines are read from disk.
    if (error.code === "store-locked" || error.code === "not-readable" || error.code === "disk-full") {
      return [`The index was not brought up to date: ${error.message}`];
    }
    throw error;
  } finally {
    if (!lastSeen.has(workspace)) watch?.close();
  }
}

/** Whether the index matches the disk, for callers that let another process update it. */
export async function isFresh(workspace: Workspace, options: FreshOptions = {}): Promise<boolean> {
  if (await isJustChecked(workspace, options)) return true;
  const last = lastSeen.get(workspace);
  const seen = await seenAgain(workspace);
  if (!seen || seen !== last?.snapshot) {
    forget(workspace);
    const { checkedAt, listing, states, remembered } = await look(workspace, options.signal, seen);
    // The process that updates the index reports the warnings.
    if (!remembered?.checkedAt || remembered.vectorsPending || listing.warnings.length > 0) return false;
    const snapshot = seen ?? snapshotOf(workspace.root, listing, checkedAt);
    withoutExports(listing, await exportedNotes(workspace.root));
    const stateByPath = new Map(states.map((state) => [state.path, state]));
    const plan = compare(listing, stateByPath, remembered, remembered.maxFileBytes ?? defaultMaxFileBytes);
    if (plan.jobs.length > 0 || plan.removed.length > 0) return false;
    if (snapshot) lastSeen.set(workspace, { snapshot });
  }
  lastChecked.set(workspace, performance.now());
  return true;
}
