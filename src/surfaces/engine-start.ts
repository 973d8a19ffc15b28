import { engineRoot, isOff } from "../engine/client.ts";
import { startEngine } from "../engine/start.ts";
import { isEngineOff, rootOfEngine } from "../operations/serve/engine-settings.ts";

/**
 * Starts an engine after a command that had to do without one, so that the next one has it. Not where engines are
 * turned off, not in continuous integration, which ends at once, and not where the folder with an index turns out not
 * to be the workspace.
 */
export async function startEngineAfter(root: string): Promise<void> {
  if (isOff(process.env) || process.env.CI) return;
  if (engineRoot(root, process.env) !== root || rootOfEngine(root) !== root || (await isEngineOff(root))) return;
  startEngine(root, process.argv[1] ?? "");
}
