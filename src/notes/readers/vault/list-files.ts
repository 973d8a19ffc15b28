import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A Markdown file below the folder; or a folder (its path ends in `/`) that could not be read. */
export type ListedSheet = { path: string; size: number; modified: number };

const noteName = /\.(?:md|markdown)$/i;
const skippedFolders = new Set(["node_modules"]);
/** Logseq's backups of changed or deleted files. */
const logseqCopies = new Set(["logseq/bak", "logseq/version-files"]);
const entriesPerTurn = 2000;
/** A folder without a note among this many entries holds no notes. */
const entriesSearched = 20_000;

function isNote(name: string): boolean {
  return noteName.test(name);
}

/**
 * Every Markdown file, ordered by path. Hidden folders belong to the tools. Links are not followed: inside the folder
 * their targets are listed anyway, and targets outside are not part of it.
 */
export async function listNotes(root: string, signal?: AbortSignal): Promise<ListedSheet[]> {
  const sheets: ListedSheet[] = [];
  let count = 0;
  const pending = [""];
  while (pending.length > 0) {
    const folder = pending.pop()!;
    const entries = readFolder(root, folder);
    if (entries === undefined) sheets.push({ path: folder, size: 0, modified: 0 });
    for (const entry of entries ?? []) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (isEntered(path, entry.name)) pending.push(`${path}/`);
      } else if (entry.isFile() && isNote(entry.name)) {
        const file = examine(root, path);
        if (file) sheets.push(file);
      }
      if (++count % entriesPerTurn === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
  }
  return sheets.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether there is a Markdown file within the limit; breadth first. */
export async function hasNotes(root: string): Promise<boolean> {
  let folders = [""];
  for (let count = 0; folders.length > 0; ) {
    const below: string[] = [];
    for (const folder of folders) {
      for (const entry of readFolder(root, folder) ?? []) {
        if (entry.isFile() && isNote(entry.name)) return true;
        if (++count > entriesSearched) return false;
        if (entry.isDirectory() && isEntered(folder + entry.name, entry.name)) below.push(`${folder}${entry.name}/`);
      }
    }
    folders = below;
    await nextTurn();
  }
  return false;
}

/**
 * Undefined for a path that is gone or no file any more. A file that cannot be examined is reported when it is read.
 */
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

/** Undefined where the folder may not be read; empty where it is gone. */
function readFolder(root: string, folder: string): Dirent[] | undefined {
  try {
    return readdirSync(`${root}/${folder}`, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : undefined;
  }
}
