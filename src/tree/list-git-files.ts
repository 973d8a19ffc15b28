import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { join } from "node:path";
import { DossierError } from "../errors.ts";
import { repositoryKind, runGit } from "../git/run-git.ts";
import type { Skipped } from "./reasons.ts";
import { skippedFolders } from "./skip-tables.ts";

/** Paths that git lists for a folder: relative, with `/`. Nested repositories end in `/`. */
export type GitPaths = { paths: string[]; skipped: Skipped[] };

export type GitListing = {
  /** The files in the index; they are ready first, while git still looks for untracked files. */
  tracked: Promise<GitPaths | GitProblem>;
  untracked: Promise<GitPaths | GitProblem>;
};

export type GitProblem = { missing?: true; failure?: string };

/**
 * Runs two git processes in parallel: reading the index takes a few milliseconds, while looking for untracked files
 * means walking every folder. The caller examines the tracked files during that walk, which halves the time of a
 * listing. In a small repository one process does both, since a second one would cost more time than it saves.
 */
export function listWithGit(folder: string, signal?: AbortSignal): GitListing {
  const others = ["--others", "--exclude-standard", ...[...skippedFolders.keys()].map((name) => `--exclude=${name}/`)];
  if (!hasSmallIndex(folder)) {
    return {
      tracked: ask(folder, ["--cached"], splitPaths, signal),
      untracked: ask(folder, others, splitPaths, signal),
    };
  }
  const both = ask(folder, ["-t", "--cached", ...others], (output) => ({ tagged: splitPaths(output) }), signal);
  const only = async (isWanted: (entry: string) => boolean) => {
    const answer = await both;
    return "tagged" in answer ? withoutTags(answer.tagged, isWanted) : answer;
  };
  return { tracked: only((entry) => !isUntracked(entry)), untracked: only(isUntracked) };
}

/** Size in bytes of an index with some 2,500 files. */
const smallIndex = 250_000;

/** False also if the index is in another place, as for a submodule. */
function hasSmallIndex(folder: string): boolean {
  try {
    return (statSync(join(folder, ".git/index"), { throwIfNoEntry: false })?.size ?? smallIndex) < smallIndex;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
    return false;
  }
}

async function ask<Answer>(
  folder: string,
  args: string[],
  read: (output: Buffer) => Answer,
  signal?: AbortSignal,
): Promise<Answer | GitProblem> {
  const answer = await runGit(folder, ["ls-files", "-z", ...args], signal);
  if ("output" in answer) return read(answer.output);
  if ("missing" in answer) return { missing: true };
  if (/must be run in a work tree/.test(answer.failure)) {
    throw new DossierError(
      "bare-repository",
      `${folder} is a repository without a work tree: it has no files to index.`,
    );
  }
  return { failure: answer.failure };
}

/** An untracked file is tagged `? path`; any other letter marks a file of the index. */
function isUntracked(entry: string): boolean {
  return entry.startsWith("?");
}

function withoutTags({ paths, skipped }: GitPaths, isWanted: (entry: string) => boolean): GitPaths {
  return {
    paths: paths.filter(isWanted).map((entry) => entry.slice(2)),
    skipped: skipped.filter(({ path }) => isWanted(path)).map((each) => ({ ...each, path: each.path.slice(2) })),
  };
}

/** Splits at NUL. A name that is not UTF-8 is skipped, because it cannot be turned back into the file's path. */
function splitPaths(output: Buffer): GitPaths {
  if (isUtf8(output)) return { paths: output.toString("utf8").split("\0").slice(0, -1), skipped: [] };
  const result: GitPaths = { paths: [], skipped: [] };
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const name = output.subarray(start, end < 0 ? output.length : end);
    if (isUtf8(name)) result.paths.push(name.toString("utf8"));
    else result.skipped.push({ path: name.toString("latin1"), reason: "odd-name" });
    start += name.length + 1;
  }
  return result;
}

/** What to do with a folder that git lists as one entry: a submodule or a repository inside this one. */
export function nestedRepository(root: string, folder: string): "list" | "worktree" | undefined {
  const kind = repositoryKind(join(root, folder));
  if (!kind) return undefined;
  return kind === "worktree" ? "worktree" : "list";
}
