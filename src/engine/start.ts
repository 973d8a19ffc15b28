import { spawn } from "node:child_process";
import { enginePlace } from "./place.ts";
import { prepareToken } from "./token.ts";

/** Starts an engine of its own for a workspace and does not wait for it. It lives in the private folder, so that it holds no folder of the user's. */
export function startEngine(root: string, script: string, variables: NodeJS.ProcessEnv = process.env): boolean {
  const place = enginePlace(root, variables);
  if (!place || prepareToken(place) === undefined) return false;
  const child = spawn(process.execPath, [script, "engine", "run", "--path", root], {
    cwd: place.folder,
    // The C library keeps what was freed apart for each thread: 6 MB of an idle engine on django.
    env: { MALLOC_ARENA_MAX: "1", ...variables },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  // Without an engine everything works as well.
  child.on("error", () => undefined);
  child.unref();
  return true;
}
