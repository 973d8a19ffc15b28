import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../errors.ts";
import { gitTop, repositoryKind } from "../git/run-git.ts";
import type { Examination } from "./examine-files.ts";
import { IgnoreFiles } from "./ignore.ts";
import { relativePath } from "./path-escape.ts";
import { hiddenFolders, skippedFolders } from "./skip-tables.ts";

const foldersPerTurn = 200;

/** Lists a folder without git: every file that the `.gitignore` files of the tree do not exclude. */
export async function walk(root: string, start: string, examination: Examination, signal?: AbortSignal): Promise<void> {
  // When the root is a subfolder of a repository, ignore files above the root count too.
  const base = gitTop(join(root, start)) ?? root;
  const above = relativePath(base, root);
  const prefix = above === "" || above.startsWith("..") ? "" : `${above}/`;
  const top = prefix === "" ? root : base;
  const ignores = new IgnoreFiles();
  for (const folder of foldersAbove(prefix)) ignores.add(top, folder, ".gitignore");
  ignores.add(top, "", ".git/info/exclude");

  const pending = [start];
  for (let visited = 1; pending.length > 0; visited++) {
    const folder = pending.pop()!;
    const entries = readFolder(root, folder, examination);
    if (entries.some((entry) => entry.name === ".gitignore")) ignores.add(top, prefix + folder, ".gitignore");
    for (const entry of entries.reverse()) {
      const path = folder + entry.name;
      if (!entry.isDirectory()) {
        if (!ignores.ignores(prefix + path)) examination.examine(path);
      } else if (shouldEnter(root, `${path}/`, entry.name, examination) && !ignores.ignores(`${prefix}${path}/`)) {
        pending.push(`${path}/`);
      }
    }
    if (visited % foldersPerTurn === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
  }
}

/** `a/b/` -> "", "a/": the folders from the top of the repository down to, not including, the root itself. */
function foldersAbove(prefix: string): string[] {
  const parts = prefix.split("/").slice(0, -1);
  return parts.map((_, depth) =>
    parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join(""),
  );
}

function readFolder(root: string, folder: string, examination: Examination): Dirent[] {
  try {
    // Names are sorted in reverse, so that files and the folders popped from the stack are visited in order.
    return readdirSync(`${root}/${folder}`, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? 1 : -1));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    // A missing root does not mean an empty workspace: the indexed files must not be removed.
    if (folder === "") {
      throw new DossierError(isMissing ? "not-a-folder" : "not-readable", `The folder ${root} cannot be read.`, {
        cause: error,
      });
    }
    if (folder.includes("\uFFFD")) examination.skip(folder, "odd-name");
    else if (!isMissing) examination.skipFolder(folder);
    return [];
  }
}

function shouldEnter(root: string, folder: string, name: string, examination: Examination): boolean {
  if (hiddenFolders.has(name)) return false;
  const reason =
    skippedFolders.get(name) ?? (repositoryKind(`${root}/${folder}`) === "worktree" ? "worktree" : undefined);
  if (reason) examination.skip(folder, reason);
  return !reason;
}
