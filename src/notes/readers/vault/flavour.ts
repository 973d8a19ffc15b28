import { statSync } from "node:fs";
import { join } from "node:path";
import { hasNotes } from "./list-files.ts";
import { readVaultFile } from "./vault-file.ts";

export const flavours = ["obsidian", "logseq", "markdown"] as const;
export type Flavour = (typeof flavours)[number];

/** Settings of a folder that decide how its files are parsed. */
export type VaultSettings = {
  flavour: Flavour;
  /**
   * How Logseq encodes `/` of a title in a file name: as `___`, or as `.` and `%2F`; both are tried where it is not
   * configured.
   */
  fileNames?: "triple-lowbar" | "legacy";
  /** Title format of Logseq's journal pages: `MMM do, yyyy`. */
  journalTitle?: string;
  /** Logseq's properties whose plain values are a list, besides tags and aliases; in lower case. */
  listProperties: string[];
};

const configFile = "logseq/config.edn";

/**
 * The application whose notes a folder holds; undefined for none. A folder that both use is an outline, so Logseq's.
 */
export async function flavourOf(folder: string): Promise<Flavour | undefined> {
  if (isThere(join(folder, configFile), "file")) return "logseq";
  if (isThere(join(folder, ".obsidian"), "folder")) return "obsidian";
  if (isThere(join(folder, "logseq"), "folder")) return "logseq";
  if (!isThere(folder, "folder") || !(await hasNotes(folder))) return undefined;
  const outline = ["pages", "journals"].every((name) => isThere(join(folder, name), "folder"));
  return outline ? "logseq" : "markdown";
}

/** The folder must be a real path. */
export async function settingsOf(folder: string): Promise<VaultSettings> {
  const flavour = (await flavourOf(folder)) ?? "markdown";
  if (flavour !== "logseq") return { flavour, listProperties: [] };
  return { flavour, ...logseqSettings(readVaultFile(folder, configFile).text) };
}

/** The few keys of Logseq's configuration that affect page names. */
export function logseqSettings(config: string | undefined): Omit<VaultSettings, "flavour"> {
  if (config === undefined) return { listProperties: [] };
  const text = config.replace(/^\s*;.*$/gm, "");
  const journalTitle = /:journal\/page-title-format\s+"([^"\n]{1,60})"/.exec(text)?.[1];
  const lists = /:property\/separated-by-commas\s+#?\{([^}]{0,2000})\}/.exec(text)?.[1] ?? "";
  return {
    fileNames: /:file\/name-format\s+:triple-lowbar\b/.test(text) ? "triple-lowbar" : "legacy",
    ...(journalTitle && { journalTitle }),
    listProperties: (lists.match(/[^\s,:]+/g) ?? []).map((name) => name.toLowerCase()),
  };
}

/** Changes with the settings, since these decide how every file is parsed. */
export function settingsStamp(settings: VaultSettings): string {
  const { flavour, fileNames = "", journalTitle = "", listProperties } = settings;
  return [flavour, fileNames, journalTitle, ...listProperties].join(" ").trim();
}

function isThere(path: string, kind: "file" | "folder"): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (kind === "folder" ? stats.isDirectory() : stats.isFile());
  } catch (error) {
    // Whatever the error (no permission, a loop of links), the file counts as absent.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
