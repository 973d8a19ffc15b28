import { existsSync } from "node:fs";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import { readConfig, type WorkspaceConfig } from "../../workspace/config/config.ts";
import { locateDatabase, recordsBeside, userRecords } from "../../workspace/database-paths.ts";
import { findRoot, ownFolder } from "../../workspace/root.ts";

/** Settings of a workspace that an engine needs before it opens it. */

/** The root of the workspace that a folder lies in. */
export function rootOfEngine(folder: string): string {
  return findRoot(folder);
}

/** False for a folder without an index, and for one that does not exist or may not be read. */
export function hasEngineIndex(folder: string): boolean {
  try {
    return existsSync(locateDatabase(findRoot(folder), false));
  } catch (error) {
    if (error instanceof DossierError) return false;
    throw error;
  }
}

/**
 * Turned off in the workspace's config file. A broken file does not turn it off; the question reports what is wrong
 * with it.
 */
export async function isEngineOff(root: string): Promise<boolean> {
  return (await settingsOf(root)).engine === "off";
}

/**
 * The environment variables that an answer may depend on: where Dossier keeps things, the name of the session, the
 * terminal's colours, and the keys that the config file names.
 */
export async function engineVariables(root: string): Promise<string[]> {
  const { notes, model } = await settingsOf(root);
  const tokens = notes.flatMap(({ live }) => live?.tokenVariable ?? []);
  const key = model && "keyVariable" in model ? model.keyVariable : undefined;
  return [...fixed, ...tokens, ...(key === undefined ? [] : [key])];
}

const fixed = [
  ...[
    "DATABASE_URL",
    "DOSSIER_DATABASE_URL",
    "DATABASE_REPLICA_URLS",
    "DOSSIER_HOME",
    "DOSSIER_SESSION",
    "DOSSIER_SQLITE",
    "DOSSIER_MODEL",
  ],
  ...["HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TZ"],
  ...["CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "CODEX_HOME"],
  ...["NO_COLOR", "FORCE_COLOR", "TERM"],
];

/** The databases that hold this workspace's records. */
export function ownRecords(root: string): string[] {
  return [recordsBeside(join(root, ownFolder, "index.db")), userRecords()];
}

async function settingsOf(root: string): Promise<Pick<WorkspaceConfig, "notes" | "engine" | "model">> {
  try {
    return await readConfig(root);
  } catch (error) {
    if (error instanceof DossierError) return { notes: [] };
    throw error;
  }
}
