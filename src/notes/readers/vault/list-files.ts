import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A Markdown file below the folder; or a folder (its path ends in `/`) that could not be looked into. */
export type ListedSheet = { path: string; size: number; modified: number };

const noteName = /\.(?:md|markdown)$/i;
const skippedFolders = new Set(["node_modules"]);
/** Copies that Logseq keeps of what was changed or deleted. */
const logseqCopies = new Set(["logseq/bak", "logseq/version-files"]);
const entriesPerTurn = 2000;
/** Where no note turns up among so many entries, nobody keeps notes there. */
const entriesSearched = 20_000;

function isNote(name: string): boolean {
  return noteName.test(name);
}

/**
 * Every Markdown file, in the order of paths. Folders whose names begin with a dot are the tools' own. Links are not followed: inside the
 * folder they lead to what is listed anyway, and outside it there is nothing of ours.
 */
export async function listNotes(root: string, signal?: AbortSignal): Promise<ListedSheet[]> {
  const found: ListedSheet[] = [];
  let seen = 0;
  const pending = [""];
  while (pending.length > 0) {
    const folder = pending.pop()!;
    const entries = readFolder(root, folder);
    if (entries === undefined) found.push({ path: folder, size: 0, modified: 0 });
    for (const entry of entries ?? []) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (isEntered(path, entry.name)) pending.push(`${path}/`);
      } else if (entry.isFile() && isNote(entry.name)) {
        const file = examine(root, path);
        if (file) found.push(file);
      }
      if (++seen % entriesPerTurn === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether there is a Markdown file within reach; looks at folders near the top first. */
export async function hasNotes(root: string): Promise<boolean> {
  let folders = [""];
  for (let seen = 0; folders.length > 0; ) {
    const below: string[] = [];
    for (const folder of folders) {
      for (const entry of readFolder(root, folder) ?? []) {
        if (entry.isFile() && isNote(entry.name)) return true;
        if (++seen > entriesSearched) return false;
        if (entry.isDirectory() && isEntered(folder + entry.name, entry.name)) below.push(`${folder}${entry.name}/`);
      }
    }
    folders = below;
    await nextTurn();
  }
  return false;
}

/** Undefined where it has gone meanwhile or is something else now. What cannot be looked at is for the reading to report. */
function examine(root: string, path: string): ListedSheet | undefined {
  try {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    return stats?.isFile() ? { path, size: stats.size, modified: stats.mtimeMs } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { path, size: 0, modified: 0 };
  }
}

function isEntered(path: string, name: string): boolean {
  return !name.startsWith(".") && !skippedFolders.has(name) && !logseqCopies.has(path);
}

/** Undefined where the folder may not be read; empty where it has gone meanwhile. */
function readFolder(root: string, folder: string): Dirent[] | undefined {
  try {
    return readdirSync(`${root}/${folder}`, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  }
}
