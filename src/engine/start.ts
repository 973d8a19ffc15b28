import { spawn } from "node:child_process";
import { enginePlace } from "./place.ts";
import { prepareToken } from "./token.ts";

/**
 * The C library keeps freed memory apart for each thread, and after a large block was freed it keeps such blocks from
 * then on: 6 MB of an idle engine on django each. Limits that are stated do not grow.
 */
const freedIsReturned = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
};

/**
 * Starts an engine of its own for a workspace and does not wait for it. It lives in the private folder, so that it
 * holds no folder of the user's.
 */
export function startEngine(root: string, script: string, variables: NodeJS.ProcessEnv = process.env): boolean {
  const place = enginePlace(root, variables);
  if (!place || prepareToken(place) === undefined) return false;
  const child = spawn(process.execPath, [script, "engine", "run", "--path", root], {
    cwd: place.folder,
    env: { ...freedIsReturned, ...variables },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  // Without an engine everything works as well.
  child.on("error", () => undefined);
  child.unref();
  return true;
}
