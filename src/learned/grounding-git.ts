import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import { runGit } from "../tree/git.ts";

// Blobs that a partial clone lacks are not fetched: a question about a memory must not wait for a network.
const offline = ["-c", "protocol.allow=never"];
// Filters and signature checks of a repository's configuration are programs of others.
const plain = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color"];

/** Permission to start git: so many times, and all of them together no longer than a moment. */
export class GitAllowance {
  #left: number;
  readonly signal: AbortSignal;

  constructor(times: number, milliseconds: number) {
    this.#left = times;
    this.signal = AbortSignal.timeout(milliseconds);
    setMaxListeners(0, this.signal);
  }

  take(): boolean {
    return this.#left-- > 0 && !this.signal.aborted;
  }
}

/** What a commit renamed, by the name before. Never changes. */
const renamesBySha = new LRUCache<string, Promise<Map<string, string>>>({ max: 200 });

/** What a file was renamed to by the commit that seems to have deleted it: with changes, so that only its content tells. */
export async function renamedBy(
  root: string,
  sha: string,
  path: string,
  allowance: GitAllowance,
): Promise<string | undefined> {
  return (await renamesIn(root, sha, allowance)).get(path);
}

/** What a file was called before the commit that seems to have added it. */
export async function renamedFrom(
  root: string,
  sha: string,
  path: string,
  allowance: GitAllowance,
): Promise<string | undefined> {
  for (const [from, to] of await renamesIn(root, sha, allowance)) if (to === path) return from;
  return undefined;
}

async function renamesIn(root: string, sha: string, allowance: GitAllowance): Promise<Map<string, string>> {
  const key = `${root}\0${sha}`;
  let renames = renamesBySha.get(key);
  if (!renames) {
    if (!allowance.take()) return new Map();
    // One that takes too long is not asked again: it would take as long.
    renamesBySha.set(key, (renames = renamesOf(root, sha, allowance.signal)));
  }
  return renames;
}

async function renamesOf(root: string, sha: string, signal: AbortSignal): Promise<Map<string, string>> {
  const compared = ["-M", "-m", "--first-parent", "--diff-filter=R", "--name-status", "-z", "--relative", "--format="];
  const answer = await runGit(root, [...offline, "show", ...plain, ...compared, sha, "--"], signal);
  const renames = new Map<string, string>();
  if (!("output" in answer)) return renames;
  const fields = answer.output.toString().split("\0");
  for (let i = 0; i + 2 < fields.length; i += 3) renames.set(fields[i + 1]!, fields[i + 2]!);
  return renames;
}

const deletions = new LRUCache<string, Promise<string | undefined>>({ max: 500 });

/**
 * The commit that deleted a file, as the checked-out commit sees it: on another branch it may have been changed at a later time. Undefined
 * when it was not deleted there. `revision` grows when there are new commits.
 */
export async function deletedBy(
  root: string,
  path: string,
  revision: number,
  allowance: GitAllowance,
): Promise<string | undefined> {
  const key = `${root}\0${path}\0${revision}`;
  let found = deletions.get(key);
  if (!found) {
    if (!allowance.take()) return undefined;
    deletions.set(key, (found = findDeletion(root, path, allowance.signal)));
  }
  return found;
}

async function findDeletion(root: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  const search = ["log", ...plain, "-1", "--format=%H", "--name-status", "--", path];
  const answer = await runGit(root, [...offline, ...search], signal);
  if (!("output" in answer)) return undefined;
  return /^([0-9a-f]{40,64})\n+D\t/.exec(answer.output.toString())?.[1];
}

export type Removal = {
  /** A word of the file's text. */
  word: string;
  /** The file under all its names, the present one last. */
  paths: string[];
  /** It was there at this time, milliseconds since 1970. */
  since?: number;
  /** Grows when there are new commits. */
  revision: number;
};

const removals = new LRUCache<string, Promise<string | undefined>>({ max: 500 });

/** The commit that took the last occurrence of a word out of a file; undefined unless that is certain. */
export async function removedBy(root: string, removal: Removal, allowance: GitAllowance): Promise<string | undefined> {
  const key = JSON.stringify([root, removal]);
  let found = removals.get(key);
  if (!found) {
    if (!allowance.take()) return undefined;
    removals.set(key, (found = findRemoval(root, removal, allowance.signal)));
  }
  return found;
}

/** Commit times are whole seconds, and clocks of two machines differ a little. */
const clockTolerance = 5000;

async function findRemoval(
  root: string,
  { word, paths, since }: Removal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const from = since === undefined ? [] : [`--since=${new Date(Math.max(0, since - clockTolerance)).toISOString()}`];
  const search = ["-1", "--format=%H", "-p", "-U0", `-S${word}`, ...from, "--", ...paths];
  const answer = await runGit(root, [...offline, "log", ...plain, ...search], signal);
  if (!("output" in answer)) return undefined;
  const [sha = "", ...patch] = answer.output.toString().split("\n");
  // The newest commit that changed how often the letters occur: it may have added them, or a longer word that contains them.
  if (!/^[0-9a-f]{40,64}$/.test(sha) || patch.some((line) => /^\+(?!\+\+ )/.test(line) && hasWord(line, word)))
    return undefined;
  if (!patch.some((line) => /^-(?!-- )/.test(line) && hasWord(line, word))) return undefined;
  for (const path of paths) {
    const after = await runGit(root, [...offline, "show", `${sha}:./${path}`], signal);
    if ("output" in after && hasWord(after.output.toString(), word)) return undefined;
  }
  return signal.aborted ? undefined : sha;
}

/** True where the letters are not a part of a longer word. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(text[at - 1]) || isWordCharacter(text[at + word.length]);
    if (!isPart) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
