import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import type { RunOptions } from "./run-jobs.ts";
import { stopIfAborted } from "./run-jobs.ts";

/** The file beside the index that says who builds it for the first time. */
const lockName = "building";
const betweenLooks = 100;
/** How often the builder shows that it is still at work, and after how long without that it counts as dead: clocks are not compared. */
const betweenSigns = 1_000;
const longestSilence = 10_000;

type Waiting = Pick<RunOptions, "signal"> & { isBuilt: () => Promise<boolean>; onWaiting?: () => void };

/**
 * The right to build an index that was never whole. While another process has it, waits for that one to end: building takes all cores,
 * and doing it twice takes both twice as long. Resolves to what gives the right back, or undefined where somebody else has built it,
 * or nobody can tell.
 */
export async function claimBuilding(
  database: string,
  { signal, isBuilt, onWaiting }: Waiting,
): Promise<(() => void) | undefined> {
  const lock = join(dirname(database), lockName);
  let waited = false;
  let seen = { sign: "", at: performance.now() };
  for (;;) {
    stopIfAborted(signal);
    const taken = take(lock);
    if (taken === "impossible") return undefined;
    if (taken === "taken") {
      const release = keepAlive(lock);
      if (!(await isBuilt())) return release;
      // What the other one left out is found by the usual check.
      release();
      return undefined;
    }
    const holder = holderOf(lock);
    if (holder && holder.sign !== seen.sign) seen = { sign: holder.sign, at: performance.now() };
    const isSilent = performance.now() - seen.at > longestSilence;
    if (holder && (isSilent || !isAlive(holder.process))) {
      // It was killed. One of those who wait removes its file and goes on where it ended.
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
 * The same where a database server keeps the lock: for processes of any machine, and free as soon as its holder is gone. Who has waited for
 * `patience` milliseconds goes on without: `store-locked`.
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

function take(lock: string): "taken" | "held" | "impossible" {
  try {
    const file = openSync(lock, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return "taken";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return "held";
    // Where no file can be made, the database says whether it can be written.
    if (["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOENT", "ENOTDIR"].includes(code)) return "impossible";
    throw error;
  }
}

function keepAlive(lock: string): () => void {
  const timer = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date());
    } catch (error) {
      // Somebody took it for dead, or the folder is gone: nothing is lost, two may be at work.
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

/** A number that is not there yet is being written. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
