import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { type OriginKind, originKinds } from "../../note.ts";

import { builtInLenses, type Lens } from "../../recipes/lenses.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { isInside, relativePath } from "../../tree/path-escape.ts";
import { type ConfigFile, checked, openConfigFile, settings, wrongPlace } from "../config-file.ts";
import { type CustomLens, completeLenses, lensSettings } from "./lens-config.ts";
import { liveAddress } from "./live-address.ts";
import { type ModelSettings, modelSettings } from "./model-settings.ts";
import { type WeightSettings, weightSettings } from "./weights-config.ts";

/** A place that notes come from, as the workspace's config file names it. */
export type Origin = {
  /** The user's name for it; unique in the workspace. */
  name: string;
  /** File or folder, relative to the config file's folder or absolute. Absent for an origin that is only live. */
  from?: string;
  /** Found out by looking inside when absent. */
  kind?: OriginKind;
  /** The Local API of Tana Desktop. The token itself is never in the file: only the name of the variable that holds it. */
  live?: Live;
};

export type Live = { url: string; tokenVariable: string; workspace?: string };

/** `weights`: what signals count for here, as `dossier eval --tune` measured it. `model`: the language model that makes vectors. `engine`: whether a process may answer for others. */
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

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}])?$/u;
const originName = "takes a name of up to 64 letters, digits, blanks, dots, hyphens and underscores";
const place = "takes the path of a file or folder";
const variable = "takes the name of the environment variable that holds the token, and never the token";
const address = "takes an address on this machine, such as http://127.0.0.1:8262";
const workspaceId = "takes the id or name of a Tana workspace";

const originSettings = settings({
  name: z.string({ error: originName }).regex(namePattern, { error: originName }),
  from: z
    .string({ error: place })
    .regex(/^[^\0]{1,4096}$/, { error: place })
    .optional(),
  kind: z.enum(originKinds, { error: `takes one of ${originKinds.join(", ")}` }).optional(),
  live: settings({
    url: z.string({ error: address }).refine(isLiveAddress, { error: address }),
    tokenVariable: z.string({ error: variable }).regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: variable }),
    workspace: z
      .string({ error: workspaceId })
      .min(1, { error: workspaceId })
      .max(200, { error: workspaceId })
      .optional(),
  }).optional(),
}).refine(({ from, live }) => from !== undefined || live !== undefined, { error: "needs from, live or both" });

const configSettings = settings({
  $schema: z.string({ error: "takes the address of a schema" }).optional(),
  notes: z.array(originSettings, { error: "takes a list of origins" }).default([]),
  lenses: z.record(z.string(), lensSettings, { error: "takes an object with a lens for each name" }).default({}),
  weights: weightSettings.optional(),
  model: modelSettings.optional(),
  engine: z.enum(["on", "off"], { error: "takes on or off" }).optional(),
});

/** The mistake in an origin that is about to be written: the path of the setting, and what it takes. */
export function originFault(origin: Origin): { way: string; takes: string } | undefined {
  const issue = originSettings.safeParse(origin).error?.issues[0];
  return issue && { way: issue.path.join("."), takes: issue.message };
}

/** Where a token may be sent, whoever wrote the config file. */
function isLiveAddress(address: string): boolean {
  try {
    return liveAddress(address) !== "";
  } catch (error) {
    if (error instanceof DossierError) return false;
    throw error;
  }
}

type CachedConfig = { stamp: string; config: WorkspaceConfig };
const cache = new Map<string, CachedConfig>();
const mostCached = 100;

/** The settings of a workspace; none where it has no config file. Read again only when the file changed. */
export async function readConfig(root: string): Promise<WorkspaceConfig> {
  const path = configPath(root);
  const stamp = await stampOf(path);
  const before = cache.get(path);
  if (stamp !== undefined && before?.stamp === stamp) return before.config;
  const file = stamp === undefined ? undefined : openConfigFile(path);
  const config = file ? configOf(file) : { notes: [], lenses: [] };
  cache.delete(path);
  if (stamp !== undefined) cache.set(path, { stamp, config });
  for (const oldest of cache.keys()) if (cache.size > mostCached) cache.delete(oldest);
  return config;
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return [size, mtimeNs, ctimeNs, ino].join(" ");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new DossierError("not-readable", `${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** The settings in a config file. */
export function configOf(file: ConfigFile): WorkspaceConfig {
  const { notes, lenses, weights, model, engine } = checked(file, configSettings);
  const names = new Map<string, number>();
  for (const [position, { name }] of notes.entries()) {
    const first = names.get(name.toLowerCase());
    if (first !== undefined) {
      throw wrongPlace(file, ["notes", position, "name"], `is ${JSON.stringify(name)}, as in notes[${first}]`);
    }
    names.set(name.toLowerCase(), position);
  }
  const others = { ...(weights && { weights }), ...(model && { model }), ...(engine && { engine }) };
  return { notes, lenses: completeLenses(file, lenses), ...others };
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

/** Origins that lie in the root, which are files of the workspace as well; `path` is relative to it. */
export async function originsInside(root: string): Promise<{ name: string; path: string; folder: boolean }[]> {
  const origins = await originsOf(root, await readConfig(root));
  const inside = await Promise.all(
    origins.map(async ({ name, from }) => {
      const place = from === undefined ? undefined : await real(resolvePlace(root, { name, from }));
      if (place === undefined || !isInside(root, place)) return [];
      const folder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false; // gone: nothing is listed either
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

// Synchronous, since every question asks this: awaiting five answers takes longer than looking five times.
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
