import { existsSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import type { OriginKind } from "../../note.ts";

import { builtInLenses, type Lens } from "../../recipes/lenses.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { isInside, relativePath } from "../../tree/path-escape.ts";
import { openConfigFile } from "../config-file.ts";
import type { CustomLens } from "./lens-config.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { WeightSettings } from "./weights-config.ts";

/** A place that notes come from, as the workspace's config file names it. */
export type Origin = {
  /** The user's name for it; unique in the workspace. */
  name: string;
  /** File or folder, relative to the config file's folder or absolute. Absent for an origin that is only live. */
  from?: string;
  /** Detected by looking inside when absent. */
  kind?: OriginKind;
  /**
   * The Local API of Tana Desktop. The token itself is never in the file: only the name of the variable that holds it.
   */
  live?: Live;
};

export type Live = { url: string; tokenVariable: string; workspace?: string };

/**
 * `weights`: weights of signals for this workspace, as measured by `dossier eval --tune`. `model`: the language model
 * that makes vectors. `engine`: whether an engine may answer for other processes.
 */
export type WorkspaceConfig = {
  notes: Origin[];
  lenses: CustomLens[];
  weights?: WeightSettings;
  model?: ModelSettings;
  engine?: "on" | "off";
};

export const configName = "dossier.json";

export function configPath(root: string): string {
  return join(root, configName);
}

type CachedConfig = { stamp: string; config: WorkspaceConfig };
const cache = new Map<string, CachedConfig>();
const mostCached = 100;

/** The settings of a workspace; none where it has no config file. Read again only when the file changed. */
export async function readConfig(root: string): Promise<WorkspaceConfig> {
  const path = configPath(root);
  const stamp = stampOf(path);
  const before = cache.get(path);
  if (stamp !== undefined && before?.stamp === stamp) return before.config;
  const file = stamp === undefined ? undefined : openConfigFile(path);
  // Few workspaces have such a file, and loading its schema takes longer than reading it.
  const config = file ? (await import("./config-settings.ts")).configOf(file) : { notes: [], lenses: [] };
  cache.delete(path);
  if (stamp !== undefined) cache.set(path, { stamp, config });
  for (const oldest of cache.keys()) if (cache.size > mostCached) cache.delete(oldest);
  return config;
}

/**
 * Synchronous: every question asks several times, most for a file that is not there, and that as an error in another
 * thread takes fifty times as long.
 */
function stampOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join(" ");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new DossierError("not-readable", `${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** Every lens there is: the built-in ones, then those of the config file. */
export function lensesOf(config: Pick<WorkspaceConfig, "lenses">): Lens[] {
  return [...builtInLenses, ...config.lenses];
}

/** The lens that a name means, whatever its case. */
export function lensNamed(config: Pick<WorkspaceConfig, "lenses">, name: string): Lens {
  const lenses = lensesOf(config);
  const wantedName = name.trim().toLowerCase();
  const match = lenses.find((lens) => lens.name === wantedName);
  if (match) return match;
  const names = lenses.map((lens) => lens.name);
  throw new DossierError(
    "unknown-lens",
    `There is no lens ${JSON.stringify(name)}; ${alternatives(wantedName, names)}`,
  );
}

/** Where an origin is on disk, absolute. */
export function resolvePlace(root: string, { name, from }: Pick<Origin, "name" | "from">): string {
  if (from === undefined) throw new DossierError("bad-config", `${name} is only live: it has no place on disk.`);
  return resolve(root, expandHome(from));
}

export function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") || path.startsWith("~\\") ? join(homedir(), path.slice(1)) : path;
}

/** Files that mark a folder as a vault: Obsidian's settings, or Logseq's beside its pages. */
const vaultMarks = [[".obsidian"], ["logseq/config.edn"], ["logseq", "pages"], ["logseq", "journals"]];
const allMarks = [...new Set(vaultMarks.flat())];

/** The configured origins; and the root itself where it is a vault and none of them reads it. */
export async function originsOf(root: string, config: WorkspaceConfig): Promise<Origin[]> {
  const { notes } = config;
  if (!isVault(root)) return notes;
  for (const origin of notes) {
    if (origin.from !== undefined && isInside(await real(resolvePlace(root, origin)), root)) return notes;
  }
  return [{ name: freeName("vault", notes), from: ".", kind: "vault" }, ...notes];
}

/** Origins inside the root, whose files are files of the workspace as well; `path` is relative to the root. */
export async function originsInside(root: string): Promise<{ name: string; path: string; folder: boolean }[]> {
  const origins = await originsOf(root, await readConfig(root));
  const inside = await Promise.all(
    origins.map(async ({ name, from }) => {
      const place = from === undefined ? undefined : await real(resolvePlace(root, { name, from }));
      if (place === undefined || !isInside(root, place)) return [];
      const folder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false; // A folder that is gone is not listed either.
      return [{ name, path: relativePath(root, place), folder }];
    }),
  );
  return inside.flat();
}

/** The name, or the first free one of name-2, name-3 … */
export function freeName(wanted: string, origins: readonly Origin[]): string {
  const taken = new Set(origins.map(({ name }) => name.toLowerCase()));
  let name = wanted;
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${wanted}-${count}`;
  return name;
}

// Synchronous, since every question checks this: five awaited calls take longer than five stats.
function isVault(root: string): boolean {
  const present = new Set(allMarks.filter((mark) => existsSync(join(root, mark))));
  return vaultMarks.some((marks) => marks.every((mark) => present.has(mark)));
}

/** The real path where there is one, so that a link does not hide that two places are the same. */
export async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return path;
    throw error;
  }
}
