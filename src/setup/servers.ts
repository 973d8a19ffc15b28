import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Launch } from "./launch.ts";

/** Servers in a client's config, whatever its format. */

/** A server in a config file: keys that we do not know belong to the user. */
export type ServerConfig = Readonly<Record<string, unknown>>;

/** The server that is to be written. */
export type WantedServer = {
  launch: Launch;
  /** The argument that names the workspace. */
  folder?: string;
  tools?: "all";
  /** Further keys of this client's entries. */
  extra?: Readonly<Record<string, unknown>>;
  /** See `Client.commandIsList`. */
  commandIsList?: boolean;
  /** Of several workspaces in one file each has its own server. */
  several: boolean;
  /** The workspace's folder, for a name that is still free. */
  root: string;
};

export const usualName = "dossier";
const command = "mcp";

function argsOf({ launch, folder, tools }: WantedServer): string[] {
  return [...launch.args, command, ...(folder ? ["--path", folder] : []), ...(tools ? ["--tools", tools] : [])];
}

export function entryOf(wanted: WantedServer): ServerConfig {
  const { launch, extra } = wanted;
  return { ...extra, ...commandOf(wanted, argsOf(wanted)), ...(launch.env && { [variablesOf(wanted)]: launch.env }) };
}

function commandOf({ launch, commandIsList }: WantedServer, args: string[]): ServerConfig {
  return commandIsList ? { command: [launch.command, ...args] } : { command: launch.command, args };
}

function variablesOf({ commandIsList }: WantedServer): string {
  return commandIsList ? "environment" : "env";
}

/** Whether an entry starts this program, in any of the ways that it can be started. */
export function isOurs(entry: unknown): entry is ServerConfig {
  const words = wordsOf(entry);
  const at = words.indexOf(command);
  return at > 0 && startsUs(words.slice(0, at));
}

/** Whether words that begin a command line are this program's. */
export function startsUs(words: readonly string[]): boolean {
  const last = (words.at(-1) ?? "").split(/[\\/]/).at(-1)!;
  return (
    /^dossier(?:\.cmd|\.exe|[@#].*)?$/.test(last) || (last === "cli.js" && /\bdist[\\/]cli\.js$/.test(words.at(-1)!))
  );
}

function wordsOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command: program, args } = entry as ServerConfig;
  const words = [program, Array.isArray(args) ? (args as unknown[]) : []].flat();
  return words.every((word) => typeof word === "string") ? (words as string[]) : [];
}

/** The name of the entry that already is this server, in the current form or an older one. */
export function nameOfSame(entries: Readonly<Record<string, unknown>>, wanted: WantedServer): string | undefined {
  const ownNames = Object.keys(entries).filter((name) => {
    if (!isOurs(entries[name])) return false;
    return !wanted.several || folderOf(wordsOf(entries[name])) === wanted.folder;
  });
  return ownNames.includes(usualName) ? usualName : ownNames[0];
}

/** A name that is not taken. */
export function freeName(entries: Readonly<Record<string, unknown>>, { root }: WantedServer): string {
  const folder = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const second = `${usualName}-${folder || "workspace"}`;
  for (let count = 1; ; count++) {
    const name = count === 1 ? usualName : count === 2 ? second : `${second}-${count}`;
    if (!Object.hasOwn(entries, name)) return name;
  }
}

/** The entry to write: we set the fields that start the server, and everything else in it stays. */
export function mergedEntry(existing: ServerConfig | undefined, wanted: WantedServer): ServerConfig {
  if (!existing) return entryOf(wanted);
  const words = wordsOf(existing);
  const rest = words.slice(words.indexOf(command) + 1);
  const args = [...argsOf(wanted), ...userArguments(rest, wanted)];
  const variables = variablesOf(wanted);
  const env = { ...(existing[variables] as object | undefined), ...wanted.launch.env };
  const merged = { ...wanted.extra, ...existing, ...commandOf(wanted, args) };
  return Object.keys(env).length > 0 ? { ...merged, [variables]: env } : merged;
}

export function sameEntry(a: ServerConfig | undefined, b: ServerConfig): boolean {
  return isDeepStrictEqual(a, b);
}

/** Arguments that the user added. */
function userArguments(rest: readonly string[], wanted: WantedServer): string[] {
  const ownFlags = ["--path", "-C", ...(wanted.tools ? ["--tools"] : [])];
  return rest.filter((word, at) => {
    if (ownFlags.includes(word) || ownFlags.some((flag) => word.startsWith(`${flag}=`))) return false;
    return !ownFlags.includes(rest[at - 1] ?? "");
  });
}

function folderOf(words: readonly string[]): string | undefined {
  const rest = words.slice(words.indexOf(command) + 1);
  const at = rest.findIndex((word) => word === "--path" || word === "-C");
  if (at >= 0) return rest[at + 1];
  return rest.find((word) => word.startsWith("--path="))?.slice("--path=".length);
}
