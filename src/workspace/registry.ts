import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { DossierError } from "../errors.ts";
import { alternatives } from "../text/similarity/closest.ts";
import { type ConfigFile, changeConfigFile, checked, openConfigFile, settings, wrongPlace } from "./config-file.ts";

/** Names that a user gave to workspaces, in one file for all of them. */
export type NamedWorkspace = { name: string /** Absolute, every link followed. */; folder: string; aliases: string[] };

const workspaceNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const nameRule = "up to 64 small letters, digits and hyphens";

const folder = "takes the absolute path of a folder";
const aliases = `takes a list of other names, each of ${nameRule}`;

const registrySettings = settings({
  workspaces: z
    .record(
      z.string(),
      settings({
        folder: z
          .string({ error: folder })
          .refine((path) => isAbsolute(path) && !path.includes("\0"), { error: folder }),
        aliases: z
          .array(z.string({ error: aliases }).regex(workspaceNamePattern, { error: aliases }), { error: aliases })
          .default([]),
      }),
      { error: "takes an object with a folder for each name" },
    )
    .default({}),
});

/** Where the names are kept: the user's settings, or with everything else of ours where DOSSIER_HOME says. */
export function registryPath(): string {
  if (process.env.DOSSIER_HOME) return join(process.env.DOSSIER_HOME, "workspaces.json");
  const { XDG_CONFIG_HOME: settingsFolder = "" } = process.env;
  // A relative one is to be ignored, says its specification.
  return join(isAbsolute(settingsFolder) ? settingsFolder : join(homedir(), ".config"), "dossier", "workspaces.json");
}

/** In the order of names. A broken file is the error `bad-config`. */
export function namedWorkspaces(): NamedWorkspace[] {
  const file = openConfigFile(registryPath());
  return file ? workspacesOf(file) : [];
}

function workspacesOf(file: ConfigFile): NamedWorkspace[] {
  const { workspaces } = checked(file, registrySettings);
  const named = Object.entries(workspaces).map(([name, rest]) => ({ name, ...rest }));
  const seen = new Map<string, string>();
  for (const { name, aliases } of named) {
    if (!workspaceNamePattern.test(name)) {
      throw wrongPlace(file, ["workspaces", name], `is no name for a workspace: ${nameRule} are`);
    }
    for (const word of [name, ...aliases]) {
      const other = seen.get(word);
      if (other !== undefined) throw wrongPlace(file, ["workspaces", name], `is called ${word}, as ${other} is`);
      seen.set(word, name);
    }
  }
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every name and alias. */
export function workspaceNames(): string[] {
  return namedWorkspaces().flatMap(({ name, aliases }) => [name, ...aliases]);
}

/** The folder that a name or alias stands for. */
export function resolveWorkspaceName(name: string): string | undefined {
  return called(namedWorkspaces(), name)?.folder;
}

/** The same, or the error `unknown-workspace` with the names there are. */
export function workspaceFolder(name: string): string {
  const known = namedWorkspaces();
  const found = called(known, name);
  if (!found) throw unknownWorkspace(name, known);
  return found.folder;
}

/** What the user calls a folder. */
export function nameOfWorkspace(folder: string): string | undefined {
  return namedWorkspaces().find((workspace) => workspace.folder === folder)?.name;
}

function called(known: readonly NamedWorkspace[], name: string): NamedWorkspace | undefined {
  const wanted = name.trim().toLowerCase();
  return known.find((workspace) => workspace.name === wanted || workspace.aliases.includes(wanted));
}

function unknownWorkspace(name: string, known: readonly NamedWorkspace[]): DossierError {
  const names = known.flatMap((workspace) => [workspace.name, ...workspace.aliases]);
  const there = names.length === 0 ? "no workspace has a name yet." : alternatives(name, names);
  return new DossierError("unknown-workspace", `No workspace is called ${JSON.stringify(name)}; ${there}`);
}

/**
 * Names a folder. A name that it has already keeps it and takes the new aliases besides the old ones; a name or alias of another folder is
 * the error `already-exists`.
 */
export function nameWorkspace({ name, folder, aliases }: NamedWorkspace): NamedWorkspace {
  for (const word of [name, ...aliases]) {
    if (!workspaceNamePattern.test(word)) {
      throw new DossierError("bad-input", `${JSON.stringify(word)} is no name for a workspace: ${nameRule} are.`);
    }
  }
  let result: NamedWorkspace | undefined;
  changeConfigFile(registryPath(), (file) => {
    const known = file ? workspacesOf(file) : [];
    const before = known.find((workspace) => workspace.name === name);
    if (before && before.folder !== folder) {
      throw new DossierError("already-exists", `${name} is the name of ${before.folder} already.`);
    }
    const others = known.filter((workspace) => workspace !== before);
    for (const word of [name, ...aliases]) {
      const other = called(others, word);
      if (other) throw new DossierError("already-exists", `${word} stands for ${other.folder} already.`);
    }
    const all = new Set([...(before?.aliases ?? []), ...aliases]);
    all.delete(name);
    result = { name, folder, aliases: [...all] };
    return written([...others, result]);
  });
  return result!;
}

/** Takes a name away; a workspace may be named by an alias, too. Only the name goes: the folder and its index stay. */
export function unnameWorkspace(name: string): NamedWorkspace {
  let removed: NamedWorkspace | undefined;
  changeConfigFile(registryPath(), (file) => {
    const known = file ? workspacesOf(file) : [];
    removed = called(known, name);
    if (!removed) throw unknownWorkspace(name, known);
    return written(known.filter((workspace) => workspace !== removed));
  });
  return removed!;
}

function written(workspaces: readonly NamedWorkspace[]): string {
  const sorted = [...workspaces].sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries = sorted.map(({ name, folder, aliases }) => [name, { folder, ...(aliases.length > 0 && { aliases }) }]);
  return `${JSON.stringify({ workspaces: Object.fromEntries(entries) }, null, 2)}\n`;
}
