import { engineRoot, isOff } from "../engine/client.ts";
import { startEngine } from "../engine/start.ts";
import { isEngineOff, rootOfEngine } from "../operations/serve/engine-settings.ts";

/**
 * Starts an engine after a command that had to do without one, so that the next has it. Not where it is turned off, in a run of continuous
 * integration, which ends at once, and where the folder found by looking for an index is not the workspace after all.
 */
export async function startEngineAfter(root: string): Promise<void> {
  if (isOff(process.env) || process.env.CI) return;
  if (engineRoot(root, process.env) !== root || rootOfEngine(root) !== root || (await isEngineOff(root))) return;
  startEngine(root, process.argv[1] ?? "");
}
