import type { FileState } from "../../stores/store.ts";
import type { ListedFile, TreeListing } from "../../tree/examine-files.ts";
import { timeStep } from "../../tree/read-file.ts";
import type { Skipped } from "../../tree/reasons.ts";
import { reasonBySize } from "../../tree/skip.ts";
import type { DescribeJob } from "./describe.ts";
import type { IndexState } from "./index-state.ts";

/** The work that the current listing requires. */
export type IndexPlan = {
  jobs: DescribeJob[];
  /** Bytes to read, summed from the sizes in the listing. */
  bytes: number;
  /** Files in the store that must be removed. */
  removed: string[];
  unchanged: number;
  skipped: Skipped[];
  /** Files skipped earlier that still exist and are unchanged. */
  remembered: IndexState["skipped"];
  /** True if some file was checked only because it changed around the time of the last check. */
  unsettled: boolean;
};

/** A clock that is ahead by more than this is wrong, not skewed: such files are compared by size and time alone. */
const largestSkew = 60 * 60 * 1000;

/** Compares disk and store by size and time; only files that may differ become jobs. */
export function compare(
  listing: TreeListing,
  states: Map<string, FileState>,
  stored: IndexState,
  maxFileBytes: number,
  all = false,
): IndexPlan {
  const plan: IndexPlan = {
    jobs: [],
    bytes: 0,
    removed: [],
    unchanged: 0,
    skipped: [...listing.skipped],
    remembered: new Map(),
    unsettled: false,
  };
  const indexable = new Set<string>();
  const now = Date.now();
  for (const file of listing.files) {
    const tooLarge = reasonBySize(file.path, file.size, maxFileBytes);
    if (tooLarge) {
      plan.skipped.push({ path: file.path, reason: tooLarge });
      continue;
    }
    const settled = isSettled(file, stored.checkedAt, now);
    const before = stored.skipped.get(file.path);
    if (before && settled && !all && isSame(file, before)) {
      plan.skipped.push({ path: file.path, reason: before.reason });
      plan.remembered.set(file.path, before);
      continue;
    }
    indexable.add(file.path);
    const state = states.get(file.path);
    if (state && settled && !all && isSame(file, state)) {
      plan.unchanged++;
      continue;
    }
    if (!settled) plan.unsettled = true;
    const { path, size, modified } = file;
    plan.jobs.push({ path, size, modified, knownHash: all ? undefined : state?.hash });
    plan.bytes += file.size;
  }
  for (const path of states.keys()) if (!indexable.has(path)) plan.removed.push(path);
  return plan;
}

/** Stores keep times to about a millisecond; `isSettled` catches the changes that this hides. */
export function isSame(file: { size: number; modified: number }, record: { size: number; modified: number }): boolean {
  return file.size === record.size && Math.abs(file.modified - record.modified) < 1;
}

/**
 * True if the file has not changed since shortly before the last check. The ctime reveals changes that size and
 * modification time hide: a file renamed over another, and an edit within one tick of the clock.
 */
function isSettled(file: ListedFile, checkedAt: number, now: number): boolean {
  return file.touched < checkedAt - timeStep || file.touched > now + largestSkew;
}
