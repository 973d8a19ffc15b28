import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { DossierError } from "../errors.ts";
import { alternatives } from "../text/similarity/closest.ts";
import { type ConfigFile, changeConfigFile, checked, openConfigFile, settings, wrongPlace } from "./config-file.ts";

/** Names that a user gave to workspaces, in one file for all of them. */
export type NamedWorkspace = {
  name: string;
  /** An absolute path without symbolic links. */
  folder: string;
  aliases: string[];
};

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
  // The XDG specification says that a relative path is to be ignored.
  return join(isAbsolute(settingsFolder) ? settingsFolder : join(homedir(), ".config"), "dossier", "workspaces.json");
}

/** In the order of names. A broken file is the error `bad-config`. */
export function namedWorkspaces(): NamedWorkspace[] {
  const file = openConfigFile(registryPath());
  return file ? workspacesOf(file) : [];
}

function workspacesOf(file: ConfigFile): NamedWorkspace[] {
  const { workspaces } = checked(file, registrySettings);
  const registered = Object.entries(workspaces).map(([name, rest]) => ({ name, ...rest }));
  const nameByWord = new Map<string, string>();
  for (const { name, aliases } of registered) {
    if (!workspaceNamePattern.test(name)) {
      throw wrongPlace(file, ["workspaces", name], `is no name for a workspace: ${nameRule} are`);
    }
    for (const word of [name, ...aliases]) {
      const other = nameByWord.get(word);
      if (other !== undefined) throw wrongPlace(file, ["workspaces", name], `is called ${word}, as ${other} is`);
      nameByWord.set(word, name);
    }
  }
  return registered.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All names and aliases. */
export function workspaceNames(): string[] {
  return namedWorkspaces().flatMap(({ name, aliases }) => [name, ...aliases]);
}

/** The folder that a name or alias stands for. */
export function resolveWorkspaceName(name: string): string | undefined {
  return findByName(namedWorkspaces(), name)?.folder;
}

/** The same, or the error `unknown-workspace` with the names there are. */
export function workspaceFolder(name: string): string {
  const registered = namedWorkspaces();
  const workspace = findByName(registered, name);
  if (!workspace) throw unknownWorkspace(name, registered);
  return workspace.folder;
}

/** The user's name for a folder. */
export function nameOfWorkspace(folder: string): string | undefined {
  return namedWorkspaces().find((workspace) => workspace.folder === folder)?.name;
}

function findByName(workspaces: readonly NamedWorkspace[], name: string): NamedWorkspace | undefined {
  const key = name.trim().toLowerCase();
  return workspaces.find((workspace) => workspace.name === key || workspace.aliases.includes(key));
}

function unknownWorkspace(name: string, workspaces: readonly NamedWorkspace[]): DossierError {
  const names = workspaces.flatMap((workspace) => [workspace.name, ...workspace.aliases]);
  const hint = names.length === 0 ? "no workspace has a name yet." : alternatives(name, names);
  return new DossierError("unknown-workspace", `No workspace is called ${JSON.stringify(name)}; ${hint}`);
}

/**
 * Names a folder. A name that it has already keeps it and takes the new aliases besides the old ones; a name or alias
 * of another folder is the error `already-exists`.
 */
export function nameWorkspace({ name, folder, aliases }: NamedWorkspace): NamedWorkspace {
  for (const word of [name, ...aliases]) {
    if (!workspaceNamePattern.test(word)) {
      throw new DossierError("bad-input", `${JSON.stringify(word)} is no name for a workspace: ${nameRule} are.`);
    }
  }
  let result: NamedWorkspace | undefined;
  changeConfigFile(registryPath(), (file) => {
    const registered = file ? workspacesOf(file) : [];
    const before = registered.find((workspace) => workspace.name === name);
    if (before && before.folder !== folder) {
      throw new DossierError("already-exists", `${name} is the name of ${before.folder} already.`);
    }
    const others = registered.filter((workspace) => workspace !== before);
    for (const word of [name, ...aliases]) {
      const other = findByName(others, word);
      if (other) throw new DossierError("already-exists", `${word} stands for ${other.folder} already.`);
    }
    const all = new Set([...(before?.aliases ?? []), ...aliases]);
    all.delete(name);
    result = { name, folder, aliases: [...all] };
    return serialized([...others, result]);
  });
  return result!;
}

/**
 * Removes a name; a workspace may also be given by an alias. Only the name is removed: the folder and its index stay.
 */
export function unnameWorkspace(name: string): NamedWorkspace {
  let removed: NamedWorkspace | undefined;
  changeConfigFile(registryPath(), (file) => {
    const registered = file ? workspacesOf(file) : [];
    removed = findByName(registered, name);
    if (!removed) throw unknownWorkspace(name, registered);
    return serialized(registered.filter((workspace) => workspace !== removed));
  });
  return removed!;
}

function serialized(workspaces: readonly NamedWorkspace[]): string {
  const sorted = [...workspaces].sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries = sorted.map(({ name, folder, aliases }) => [name, { folder, ...(aliases.length > 0 && { aliases }) }]);
  return `${JSON.stringify({ workspaces: Object.fromEntries(entries) }, null, 2)}\n`;
}
