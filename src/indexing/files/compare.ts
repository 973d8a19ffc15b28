import type { FileState } from "../../stores/store.ts";
import type { ListedFile, TreeListing } from "../../tree/examine-files.ts";
import { timeStep } from "../../tree/read.ts";
import type { Skipped } from "../../tree/reasons.ts";
import { reasonBySize } from "../../tree/skip.ts";
import type { DescribeJob } from "./describe.ts";
import type { SkippedFiles } from "./skipped-files.ts";

/** What a listing asks to be done to the store. */
export type IndexPlan = {
  jobs: DescribeJob[];
  /** Bytes to read, by the listing. */
  bytes: number;
  /** Files in the store that are no longer to be there. */
  removed: string[];
  unchanged: number;
  skipped: Skipped[];
  /** Of the files skipped before, those that are still there and the same. */
  remembered: SkippedFiles["skipped"];
  /** True when some file was looked at only because it was touched around the last check. */
  unsettled: boolean;
};

/** A clock that runs ahead by more than this is wrong, not skewed: such files are judged by size and time alone. */
const largestSkew = 60 * 60 * 1000;

/** Compares disk and store by size and time; only what may differ becomes a job. */
export function compare(
  listing: TreeListing,
  known: Map<string, FileState>,
  memory: SkippedFiles,
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
  const wanted = new Set<string>();
  const now = Date.now();
  for (const file of listing.files) {
    const tooLarge = reasonBySize(file.path, file.size, maxFileBytes);
    if (tooLarge) {
      plan.skipped.push({ path: file.path, reason: tooLarge });
      continue;
    }
    const settled = isSettled(file, memory.checkedAt, now);
    const before = memory.skipped.get(file.path);
    if (before && settled && !all && isSame(file, before)) {
      plan.skipped.push({ path: file.path, reason: before.reason });
      plan.remembered.set(file.path, before);
      continue;
    }
    wanted.add(file.path);
    const state = known.get(file.path);
    if (state && settled && !all && isSame(file, state)) {
      plan.unchanged++;
      continue;
    }
    if (!settled) plan.unsettled = true;
    const { path, size, modified } = file;
    plan.jobs.push({ path, size, modified, knownHash: all ? undefined : state?.hash });
    plan.bytes += file.size;
  }
  for (const path of known.keys()) if (!wanted.has(path)) plan.removed.push(path);
  return plan;
}

/** Stores keep times to the millisecond or so; what that hides, `isSettled` sees. */
export function isSame(file: { size: number; modified: number }, record: { size: number; modified: number }): boolean {
  return file.size === record.size && Math.abs(file.modified - record.modified) < 1;
}

/**
 * True when nothing about the file changed since shortly before the last check. The system's own time of change sees
 * what size and modification time do not: a file renamed over another, and an edit within one step of the clock.
 */
function isSettled(file: ListedFile, checkedAt: number, now: number): boolean {
  return file.touched < checkedAt - timeStep || file.touched > now + largestSkew;
}
