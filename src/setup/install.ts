import { join } from "node:path";
import { readText } from "../workspace/config-file.ts";
import { type ConfigChange, changeFile } from "./change.ts";
import { type AgentClient, type ClientName, type ConfigLocation, clients } from "./clients.ts";
import { hooksSnippet, withHooks, withoutHooks } from "./hooks.ts";
import { isBlank, valueAt, withJson, withoutJson } from "./json-config.ts";
import { type Launch, launchOf, type Start } from "./launch.ts";
import {
  entryOf,
  freeName,
  mergedEntry,
  nameOfSame,
  type ServerConfig,
  sameEntry,
  usualName,
  type WantedServer,
} from "./servers.ts";
import { tomlBlock, tomlServers, withoutTomlServer, withTomlServer } from "./toml-config.ts";

/** Sets a client up, and undoes that: the server in its config, the hooks in its settings. */

export type Setup = {
  client: ClientName;
  place: ConfigLocation;
  start: Start;
  /** The workspace's folder is written into the config even if a client would start the server inside it. */
  pinned: boolean;
  tools?: "all";
};

/** A file, with the text to paste into it if it cannot be changed. */
export type InstallTarget = { file: string; snippet: string };

export function serverTarget(setup: Setup): InstallTarget {
  const { client, wanted } = resolveSetup(setup);
  return { file: client.file(setup.place), snippet: snippetOf(client, wanted) };
}

export function hooksTarget(setup: Setup): InstallTarget {
  return { file: settingsFile(setup.place), snippet: hooksSnippet(hooksLaunch(setup)) };
}

export function installServer(setup: Setup, write: boolean): ConfigChange & { name: string } {
  const { client, wanted } = resolveSetup(setup);
  const file = client.file(setup.place);
  let name = usualName;
  const change = changeFile(
    file,
    (text) => {
      const entries = entriesOf(client, file, text);
      const existingName = nameOfSame(entries, wanted);
      name = existingName ?? freeName(entries, wanted);
      const existing = existingName === undefined ? undefined : (entries[existingName] as ServerConfig);
      const entry = mergedEntry(existing, wanted);
      if (sameEntry(existing, entry)) return text!;
      return client.format === "toml"
        ? withTomlServer(file, text ?? "", client.servers, name, entry)
        : setEntry(file, text, client.servers, name, existing, entry);
    },
    { write },
  );
  return { ...change, name };
}

export function uninstallServer(setup: Setup, write: boolean): ConfigChange & { name: string } {
  const { client, wanted } = resolveSetup(setup);
  const file = client.file(setup.place);
  let name = usualName;
  const change = changeFile(
    file,
    (text) => {
      if (isBlank(text)) return text ?? "";
      const existingName = nameOfSame(entriesOf(client, file, text), wanted);
      if (existingName === undefined) return text;
      name = existingName;
      return client.format === "toml"
        ? withoutTomlServer(file, text, client.servers, existingName)
        : withoutJson(file, text, [client.servers, existingName]);
    },
    { write, disposable: client.scope === "project" },
  );
  return { ...change, name };
}

export function installHooks(setup: Setup, write: boolean): ConfigChange {
  const file = settingsFile(setup.place);
  return changeFile(file, (text) => withHooks(file, text, hooksLaunch(setup)), { write });
}

export function uninstallHooks(setup: Setup, write: boolean): ConfigChange {
  const file = settingsFile(setup.place);
  return changeFile(file, (text) => (isBlank(text) ? (text ?? "") : withoutHooks(file, text)), {
    write,
    disposable: true,
  });
}

/** Compares the text only: a broken settings file without our words in it is not worth an error. */
export function mayHaveHooks({ place }: Setup): boolean {
  return readText(settingsFile(place))?.includes(" hook ") === true;
}

/** Whether the config names a place on this machine, in a file that others may share. */
export function isForHereOnly(setup: Setup): boolean {
  const { client, wanted } = resolveSetup(setup);
  return client.scope === "project" && wanted.launch.local;
}

function resolveSetup({ client: name, place, start, pinned, tools }: Setup): {
  client: AgentClient;
  wanted: WantedServer;
} {
  const client = clients[name];
  const folder = client.folder === "root" || (pinned && client.scope === "user") ? place.root : client.folder;
  const wanted: WantedServer = {
    launch: launchOf(start, client.hasPath),
    ...(folder !== undefined && { folder }),
    ...(tools && { tools }),
    ...(client.extra && { extra: client.extra }),
    ...(client.commandIsList && { commandIsList: true }),
    several: client.scope === "user",
    root: place.root,
  };
  return { client, wanted };
}

function hooksLaunch({ start }: Setup): Launch {
  return launchOf(start, true);
}

function settingsFile({ root }: ConfigLocation): string {
  return join(root, ".claude", "settings.json");
}

function entriesOf({ format, servers }: AgentClient, file: string, text: string | undefined): Record<string, unknown> {
  if (isBlank(text)) return {};
  if (format === "toml") return tomlServers(file, text, servers);
  const value = valueAt(file, text, [servers]) ?? {};
  // Anything but an object is refused when it is changed, with its place.
  return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Writes key by key if the entry exists, so that the user's own keys stay unchanged. */
function setEntry(
  file: string,
  text: string | undefined,
  servers: string,
  name: string,
  existing: ServerConfig | undefined,
  entry: ServerConfig,
): string {
  if (!existing) return withJson(file, text, [servers, name], entry);
  let changed = text;
  for (const [key, value] of Object.entries(entry)) {
    if (JSON.stringify(existing[key]) !== JSON.stringify(value)) {
      changed = withJson(file, changed, [servers, name, key], value);
    }
  }
  return changed!;
}

function snippetOf({ format, servers }: AgentClient, wanted: WantedServer): string {
  const entry = entryOf(wanted);
  if (format === "toml") return tomlBlock(servers, usualName, entry);
  return `${JSON.stringify({ [servers]: { [usualName]: entry } }, null, 2)}\n`;
}
