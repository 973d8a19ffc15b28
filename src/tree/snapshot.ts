import { type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isRefused } from "../git/run-git.ts";
import type { ListedFile, TreeListing } from "./examine-files.ts";
import { timeStep } from "./read-file.ts";

/**
 * The state of a listing, to tell later without git that nothing has changed: an edit changes a file's times, and a file that is added
 * or removed changes its folder's.
 */
export type Snapshot = { root: string; files: ListedFile[]; folders: [folder: string, touched: number][] };

/** Undefined when something changed so shortly before the listing that a further change might not change the times. */
export function snapshotOf(root: string, listing: TreeListing, listedAt: number): Snapshot | undefined {
  const settled = listedAt - timeStep;
  const ignoring = listing.skipped.filter(({ path }) => ignoreFiles.has(basename(path)));
  const files = [...listing.files];
  for (const { path } of ignoring) {
    const file = look(root, path);
    if (file) files.push(file);
  }
  if (files.some(({ touched }) => touched >= settled)) return undefined;
  const folders: Snapshot["folders"] = [];
  for (const folder of foldersOf([...listing.files, ...listing.skipped])) {
    const touched = look(root, folder)?.touched;
    if (touched === undefined || touched >= settled) return undefined;
    folders.push([folder, touched]);
  }
  return { root, files, folders };
}

/** True when every file and folder is unchanged. Stops at the first difference. */
export function isUnchanged({ root, files, folders }: Snapshot): boolean {
  return (
    folders.every(([folder, touched]) => look(root, folder)?.touched === touched) &&
    files.every(({ path, size, modified, touched }) => {
      const current = look(root, path);
      return current?.size === size && current.modified === modified && current.touched === touched;
    })
  );
}

/** Files whose content decides about other files. */
const ignoreFiles = new Set([".gitignore", ".dossierignore"]);

function foldersOf(entries: { path: string }[]): Set<string> {
  const folders = new Set<string>(["."]);
  for (const { path } of entries) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}

const quietly = { throwIfNoEntry: false } as const;

function look(root: string, path: string): ListedFile | undefined {
  // Paths of a listing are normalised already; doing it again would take a quarter of the time.
  const stats = statsOf(`${root}/${path}`);
  return stats && { path, size: stats.size, modified: stats.mtimeMs, touched: stats.ctimeMs };
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, quietly);
  } catch (error) {
    // A file that may no longer be read has changed.
    if (isRefused(error)) return undefined;
    throw error;
  }
}
