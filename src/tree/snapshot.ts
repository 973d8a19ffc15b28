import { type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { gitFolders } from "../git/head.ts";
import { gitTop, isRefused } from "../git/run-git.ts";
import type { ListedFile, TreeListing } from "./examine-files.ts";
import { timeStep } from "./read-file.ts";

/**
 * The state of a listing, to tell later without git what has changed: an edit changes a file's times, and a file that
 * is added or removed changes its folder's.
 */
export type Snapshot = {
  root: string;
  listing: TreeListing;
  listedAt: number;
  /** Their content decides about other files. */
  ignoreFiles: ListedFile[];
  /** Where git writes down which files it tracks. */
  gitIndex?: ListedFile;
  folders: [folder: string, touched: number][];
};

/**
 * Undefined when a folder or an ignore file changed so shortly before the listing that a further change might not
 * change the times. Other files that did count as changed when the snapshot is renewed.
 */
export function snapshotOf(root: string, listing: TreeListing, listedAt: number): Snapshot | undefined {
  const settled = listedAt - timeStep;
  const paths = [...listing.files, ...listing.skipped].map(({ path }) => path);
  const git = gitFiles(root);
  const ignoring = [...paths.filter((path) => ignoreFileNames.has(basename(path))), ".dossierignore", git.exclude];
  const ignoreFiles = ignoring.flatMap((path) => look(root, path) ?? []);
  if (ignoreFiles.some(({ touched }) => touched >= settled)) return undefined;
  const folders: Snapshot["folders"] = [];
  for (const folder of foldersOf(paths)) {
    const touched = look(root, folder)?.touched;
    if (touched === undefined || touched >= settled) return undefined;
    folders.push([folder, touched]);
  }
  // Copied, because the update of an index adds to what was skipped.
  const copy = { ...listing, skipped: [...listing.skipped] };
  return { root, listing: copy, listedAt, ignoreFiles, gitIndex: look(root, git.index), folders };
}

/**
 * The snapshot as it is now: the same one when nothing has changed, another one when only the content of files has.
 * Undefined when files may have come or gone. `edits`: the only paths that may have changed, where that is known.
 */
export function renewed(snapshot: Snapshot, edits?: ReadonlySet<string>): Snapshot | undefined {
  const { root, listing, listedAt, ignoreFiles, gitIndex, folders } = snapshot;
  const renewedAt = Date.now();
  const settled = listedAt - timeStep;
  const listed = new Set(edits && listing.files.map(({ path }) => path));
  // Of an edit elsewhere it is not known what it means.
  const known = edits && [...edits].every((path) => listed.has(path)) ? edits : undefined;
  const isSame = (file: ListedFile, now = look(root, file.path)) =>
    now?.size === file.size && now.modified === file.modified && now.touched === file.touched && now.touched < settled;
  if (!known && !folders.every(([folder, touched]) => look(root, folder)?.touched === touched)) return undefined;
  if (!ignoreFiles.every((file) => isSame(file))) return undefined;
  const files: ListedFile[] = [];
  for (const file of listing.files) {
    if (known && !known.has(file.path) && file.touched < settled) {
      files.push(file);
      continue;
    }
    const now = look(root, file.path);
    if (!now) return undefined;
    files.push(isSame(file, now) ? file : now);
  }
  if (files.every((file, i) => file === listing.files[i])) return snapshot;
  // A file can be tracked, or no longer, without a change of its folder.
  if (gitTop(root) && !(gitIndex && isSame(gitIndex))) return undefined;
  return { ...snapshot, listing: { ...listing, files }, listedAt: renewedAt };
}

const ignoreFileNames = new Set([".gitignore", ".dossierignore"]);

/**
 * Files of git's own that decide what is listed, as paths from the root: those of a linked work tree or a submodule are
 * elsewhere.
 */
function gitFiles(root: string): { index: string; exclude: string } {
  const { own, common } = gitFolders(root) ?? { own: join(root, ".git"), common: join(root, ".git") };
  return { index: relative(root, join(own, "index")), exclude: relative(root, join(common, "info/exclude")) };
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>(["."]);
  for (const path of paths) {
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
    // A file that may no longer be read has changed. `.git` is a file where its folder is elsewhere, and then nothing
    // is below it.
    if (isRefused(error) || (error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
