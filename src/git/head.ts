import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { gitTop, runGit } from "./run-git.ts";

/**
 * The state that decides which commits exist. It is read from a few small files, because it is checked before every
 * question.
 */
export type RepositoryState = {
  /** The commit that is checked out; undefined before the first. */
  head?: string;
  /** The path of the folder inside the repository's work tree; "" for its top. */
  below: string;
  /** Commits of a shallow clone whose parents are missing. */
  boundary: string[];
};

/** Undefined outside any repository. */
export async function repositoryState(folder: string, signal?: AbortSignal): Promise<RepositoryState | undefined> {
  const top = gitTop(folder);
  const places = top === undefined ? undefined : gitFolders(top);
  if (top === undefined || !places) return undefined;
  const boundary = textOf(join(places.common, "shallow")) ?? "";
  return {
    head: await headOf(folder, places, signal),
    below: relative(top, folder).split(sep).join("/"),
    boundary: boundary.split("\n").filter(Boolean),
  };
}

/** Number of commits reachable from HEAD, counted up to `most`. */
export async function countCommits(folder: string, most: number, signal?: AbortSignal): Promise<number> {
  if (gitTop(folder) === undefined) return 0;
  const answer = await runGit(folder, ["rev-list", "--count", `--max-count=${most}`, "HEAD"], signal);
  return "output" in answer ? Number(answer.output.toString()) : 0;
}

/** The git folder that all work trees of a repository share; undefined outside any repository. */
export function commonFolder(folder: string): string | undefined {
  const top = gitTop(folder);
  return top === undefined ? undefined : gitFolders(top)?.common;
}

/**
 * `own` holds HEAD and git's index; `common` the refs and the excluded paths, which all work trees of a repository
 * share.
 */
type GitFolders = { own: string; common: string };

/** The git folders of the folder that holds `.git`, which is a file in linked work trees and submodules. */
export function gitFolders(top: string): GitFolders | undefined {
  const entry = join(top, ".git");
  let own = entry;
  if (statSync(entry, { throwIfNoEntry: false })?.isFile()) {
    const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(entry) ?? "")?.[1];
    if (pointer === undefined) return undefined;
    own = resolve(top, pointer);
  }
  const common = textOf(join(own, "commondir"))?.trim();
  return { own, common: common ? resolve(own, common) : own };
}

/** Symbolic references may form a chain; git follows this many. */
const longestChain = 5;

async function headOf(folder: string, places: GitFolders, signal?: AbortSignal): Promise<string | undefined> {
  if (existsSync(join(places.common, "reftable"))) return askGit(folder, signal);
  let value = textOf(join(places.own, "HEAD"))?.trim();
  for (let step = 0; step < longestChain && value !== undefined; step++) {
    const name: string | undefined = /^ref:\s*(.+)$/.exec(value)?.[1];
    if (name === undefined) return isSha(value) ? value : undefined;
    value = (textOf(join(places.common, name)) ?? textOf(join(places.own, name)) ?? packed(places, name))?.trim();
  }
  return undefined;
}

/** The reftable format is binary, so git reads it. */
async function askGit(folder: string, signal?: AbortSignal): Promise<string | undefined> {
  const answer = await runGit(folder, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], signal);
  const sha = "output" in answer ? answer.output.toString().trim() : "";
  return isSha(sha) ? sha : undefined;
}

/** Lines are `<sha> <name>`. */
function packed(places: GitFolders, name: string): string | undefined {
  const text = textOf(join(places.common, "packed-refs"));
  const end = text?.indexOf(` ${name}\n`) ?? -1;
  return end < 0 ? undefined : text!.slice(text!.lastIndexOf("\n", end) + 1, end);
}

export function isSha(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // A ref's name may be a folder, where branch `a/b` replaced branch `a`. A ref that this process may not read, git
    // cannot read either.
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "EINVAL"].includes(code)) return undefined;
    throw error;
  }
}
