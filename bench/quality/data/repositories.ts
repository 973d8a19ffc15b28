import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { index, openWorkspace, type Workspace } from "../../../src/index.ts";
import type { Part, Run } from "../set.ts";
import { checkOut, mirrorOf } from "./mirrors.ts";
import { makeVectors } from "./vectors.ts";

/** A repository at one commit. `repo` is owner/name. */
export type Revision = { repo: string; commit: string };

/** Of a tree that is checked out and indexed. */
const done = ".done";

function folderName({ repo, commit }: Revision): string {
  return `tree-${repo.replace("/", "+")}-${commit.slice(0, 12)}`;
}

export function shortName(repo: string): string {
  return repo.slice(repo.indexOf("/") + 1);
}

/**
 * Whether a run asks this repository: all without `only`, else those that it names, by name, by owner/name or by part.
 */
export function isChosen({ only }: Run, repo: string, part: Part): boolean {
  return only === undefined || [repo, shortName(repo), part].some((name) => only.includes(name));
}

export function isReachable({ repos, cache }: Run, revision: Revision): boolean {
  if (cache !== undefined && existsSync(join(cache, folderName(revision), done))) return true;
  if (repos === undefined) return false;
  try {
    mirrorOf(repos, revision.repo);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("There is no mirror")) return false;
    throw error;
  }
}

/**
 * Does something with the tree of a revision, checked out with the history up to it and indexed; the cache keeps it for
 * the next run.
 */
export async function inRevision<T>(
  run: Run,
  revision: Revision,
  work: (folder: string, workspace: Workspace) => Promise<T>,
): Promise<T> {
  const temporary = run.cache === undefined ? mkdtempSync(join(tmpdir(), "dossier-tree-")) : undefined;
  const folder = join(run.cache ?? temporary!, folderName(revision));
  try {
    if (!existsSync(join(folder, done))) {
      if (run.repos === undefined) throw new Error(`${revision.repo} is not prepared, and no --repos are given.`);
      checkOut(mirrorOf(run.repos, revision.repo), revision.commit, folder);
    }
    // The index of another version of the product is brought up to date, too.
    await index({ path: folder });
    writeFileSync(join(folder, done), "");
    const workspace = await openWorkspace(folder);
    try {
      await makeVectors(run, folder, workspace);
      return await work(folder, workspace);
    } finally {
      await workspace.close();
    }
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}
