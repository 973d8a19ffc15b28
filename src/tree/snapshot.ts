import { type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { gitFolders } from "../git/head.ts";
import { gitTop, isRefused } from "../git/run-git.ts";
import type { ListedFile, TreeListing } from "./examine-files.ts";
import { timeStep } from "./read-file.ts";

/**
 * The state of a listing, to detect changes later without git: an edit changes the file's times, and adding or removing
 * a file changes the times of its folder.
 */
export type Snapshot = {
  root: string;
  listing: TreeListing;
  listedAt: number;
  /** Files whose content decides which other files are listed. */
  ignoreFiles: ListedFile[];
  /** The file in which git stores which files it tracks. */
  gitIndex?: ListedFile;
  folders: [folder: string, touched: number][];
};

/**
 * Undefined when a folder or an ignore file changed so shortly before the listing that a further change might not
 * change its times. Any other file that changed so recently counts as changed when the snapshot is renewed.
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
  // A copy, because updating an index adds to the skipped paths.
  const copy = { ...listing, skipped: [...listing.skipped] };
  return { root, listing: copy, listedAt, ignoreFiles, gitIndex: look(root, git.index), folders };
}

/**
 * The current snapshot: the same object when nothing has changed, a new one when only the content of files has changed.
 * Undefined when files may have been added or removed. `edits`: the only paths that may have changed, if known.
 */
export function renewed(snapshot: Snapshot, edits?: ReadonlySet<string>): Snapshot | undefined {
  const { root, listing, listedAt, ignoreFiles, gitIndex, folders } = snapshot;
  const renewedAt = Date.now();
  const settled = listedAt - timeStep;
  const listed = new Set(edits && listing.files.map(({ path }) => path));
  // An edit of an unlisted path has an unknown effect, so every file is checked.
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
  // Whether git tracks a file can change without a change of the file's folder.
  if (gitTop(root) && !(gitIndex && isSame(gitIndex))) return undefined;
  return { ...snapshot, listing: { ...listing, files }, listedAt: renewedAt };
}

const ignoreFileNames = new Set([".gitignore", ".dossierignore"]);

/**
 * Git's own files that decide what is listed, as paths from the root. In a linked work tree or a submodule they are in
 * another place.
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
    // A file that may no longer be read has changed. ENOTDIR: `.git` is a file if git's folder is in another place, so
    // no path below it exists.
    if (isRefused(error) || (error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
