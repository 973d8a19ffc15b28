import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import type { IndexPart, Workspace } from "../../workspace/workspace.ts";
import type { RunOptions } from "./run-jobs.ts";
import { stopIfAborted } from "./run-jobs.ts";

/** The lock file beside the index. It contains the process that builds the index for the first time. */
const lockName = "building";
const betweenLooks = 100;
/**
 * Interval of the builder's heartbeat, and the silence after which it counts as dead. Clocks of different processes are
 * not compared.
 */
const betweenSigns = 1_000;
const longestSilence = 10_000;

type Waiting = Pick<RunOptions, "signal"> & { isBuilt: () => Promise<boolean>; onWaiting?: () => void };

/**
 * Claims the right to build an index that was never complete. If another process has the right, waits for that process:
 * building takes all cores, and two builds at once take twice as long. Resolves to the function that releases the
 * right; undefined if another process has built the index or the lock cannot be used.
 */
export async function claimBuilding(
  database: string,
  { signal, isBuilt, onWaiting }: Waiting,
): Promise<(() => void) | undefined> {
  const lock = join(dirname(database), lockName);
  let waited = false;
  let lastSign = { sign: "", at: performance.now() };
  for (;;) {
    stopIfAborted(signal);
    const outcome = take(lock);
    if (outcome === "impossible") return undefined;
    if (outcome === "taken") {
      const release = keepAlive(lock);
      if (!(await isBuilt())) return release;
      // The usual check finds files that the other process left out.
      release();
      return undefined;
    }
    const holder = holderOf(lock);
    if (holder && holder.sign !== lastSign.sign) lastSign = { sign: holder.sign, at: performance.now() };
    const isSilent = performance.now() - lastSign.at > longestSilence;
    if (holder && (isSilent || !isAlive(holder.process))) {
      // The builder was killed. One of the waiting processes removes its lock and continues the build.
      rmSync(lock, { force: true });
      continue;
    }
    if (!waited) onWaiting?.();
    waited = true;
    await sleep(betweenLooks, undefined, { signal }).catch(() => stopIfAborted(signal));
  }
}

type Release = () => Promise<void>;

/**
 * Claims a lock of the database server instead: it works for processes on any machine, and is released as soon as its
 * holder is gone. After `patience` milliseconds the caller continues without it: `store-locked`.
 */
export async function claimLock(
  tryLock: () => Promise<Release | undefined>,
  { signal, patience, onWaiting }: Pick<Waiting, "signal" | "onWaiting"> & { patience: number },
): Promise<Release> {
  const until = performance.now() + patience;
  for (let looks = 0; ; looks++) {
    stopIfAborted(signal);
    const release = await tryLock();
    if (release) return release;
    if (performance.now() >= until) {
      throw new DossierError("store-locked", "Another process is indexing this workspace.");
    }
    if (looks === 0) onWaiting?.();
    await sleep(betweenLooks, undefined, { signal }).catch(() => stopIfAborted(signal));
  }
}

/** Milliseconds that a question waits for another process that indexes the same part. */
const defaultPatience = 5_000;

/**
 * Runs work on a part of the index in one process at a time, if a database server has the lock. Other processes wait,
 * and then find the work done. `isCurrent` is asked first, so that nothing is locked if there is nothing to do. Throws
 * `store-locked` after `patience`.
 */
export async function byOneProcess(
  { owner, indexLock }: Pick<Workspace, "owner" | "indexLock">,
  part: IndexPart,
  { isCurrent, work }: { isCurrent: () => Promise<boolean>; work: () => Promise<void> },
  { signal, patience = defaultPatience }: Pick<Waiting, "signal"> & { patience?: number },
): Promise<void> {
  if (!indexLock) return work();
  if (await isCurrent()) return;
  const release = await claimLock(() => indexLock(owner, part), { signal, patience });
  try {
    await work();
  } finally {
    await release();
  }
}

function take(lock: string): "taken" | "held" | "impossible" {
  try {
    const file = openSync(lock, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return "taken";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return "held";
    // If no lock file can be created, the database reports whether it can be written.
    if (["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOENT", "ENOTDIR"].includes(code)) return "impossible";
    throw error;
  }
}

function keepAlive(lock: string): () => void {
  const timer = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date());
    } catch (error) {
      // Another process considered this one dead, or the folder is gone. Nothing is lost; at worst two processes build
      // at once.
      if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
    }
  }, betweenSigns).unref();
  return () => {
    clearInterval(timer);
    rmSync(lock, { force: true });
  };
}

function holderOf(lock: string): { process: number; sign: string } | undefined {
  try {
    const { mtimeMs, ino } = statSync(lock);
    const pid = Number(readFileSync(lock, "utf8"));
    return { process: pid, sign: `${ino} ${mtimeMs} ${pid}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether the process exists. An empty process id is still being written, so it counts as alive. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
