import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workspace } from "../../workspace/workspace.ts";

/** The file beside the index that says which process completes it. */
const lockName = "completing";
/** No run takes as long: an older lock was left by a process that is gone, even if another process has its id now. */
const longestRun = 15 * 60_000;

/**
 * Starts a process that completes the index, unless one does already, and does not wait: the answer has been given.
 * It only matters for speed: killed at any time it leaves an index that the next one completes.
 * `DOSSIER_BACKGROUND=off` starts none.
 */
export function buildInBackground({ root, databasePath }: Pick<Workspace, "root" | "databasePath">): void {
  const script = commandScript();
  if (!script || process.env.DOSSIER_BACKGROUND === "off") return;
  const lock = join(dirname(databasePath), lockName);
  if (!takeLock(lock)) return;
  const child = spawn(process.execPath, [script, "index", root, "--quiet"], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    cwd: root,
  });
  child.on("error", () => rmSync(lock, { force: true })); // it did not start: the next question tries again
  if (child.pid === undefined) return;
  writeFileSync(lock, String(child.pid));
  child.on("exit", () => rmSync(lock, { force: true }));
  child.unref();
  lowerPriority(child.pid);
}

/** Lowers the priority: the user's own work goes first. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // It has ended already, or the system does not allow it: then it runs at normal priority.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}

function takeLock(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      closeSync(openSync(lock, "wx", 0o600));
      return true;
    } catch (error) {
      // Where no file can be made there is no index to complete.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || isLockHeld(lock)) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function isLockHeld(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (!stats) return false;
  const age = Math.abs(Date.now() - stats.mtimeMs);
  const pid = Number(existsSync(lock) ? readFileSync(lock, "utf8") : "");
  // Without a process id it is just being started.
  if (!Number.isSafeInteger(pid) || pid <= 0) return age < 2000;
  try {
    process.kill(pid, 0);
    return age < longestRun;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** The built command line: beside this file in dist, or in dist when this file is run from source. */
function commandScript(): string | undefined {
  const places = ["./cli.js", "../../../dist/cli.js"].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((place) => existsSync(place));
}
