import { spawn } from "node:child_process";
import { enginePlace } from "./place.ts";
import { prepareToken } from "./token.ts";

/**
 * The C library keeps freed memory separately for each thread; and once a large block was freed, it keeps blocks of
 * that size. Each costs 6 MB of an idle engine on django. Limits that are set explicitly do not grow.
 */
const freedIsReturned = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
};

/**
 * Starts a separate engine process for a workspace and does not wait for it. It runs in the private folder, so that it
 * blocks no folder of the user.
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
  // Everything works without an engine too.
  child.on("error", () => undefined);
  child.unref();
  return true;
}
