import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import { runGit } from "../../git/run-git.ts";

// Missing blobs of a partial clone are not fetched: a question about a memory must not wait for a network.
const offline = ["-c", "protocol.allow=never"];
// Filters and signature checks in a repository's configuration would run foreign programs.
const plain = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color"];

/** Budget for git: so many calls, and a time limit for all together. */
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

/** Cached answers. An aborted question may be asked once more: by then git has the files in the cache. */
type Questions<Answer> = LRUCache<string, { answer?: Promise<Answer | undefined>; attempts: number }>;
const mostAttempts = 2;

async function ask<Answer>(
  questions: Questions<Answer>,
  key: string,
  allowance: GitAllowance,
  answer: (signal: AbortSignal) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  let question = questions.get(key);
  if (!question) questions.set(key, (question = { attempts: 0 }));
  if (!question.answer) {
    if (question.attempts >= mostAttempts || !allowance.take()) return undefined;
    question.attempts++;
    const pending = answer(allowance.signal).finally(() => {
      if (allowance.signal.aborted) question.answer = undefined;
    });
    question.answer = pending;
    return pending;
  }
  return question.answer;
}

/** Renames in a commit, by the old name. Never changes. */
const renamesBySha: Questions<Map<string, string>> = new LRUCache({ max: 200 });

/**
 * What a file was renamed to by the commit that seems to have deleted it: renamed with changes, so that only the
 * content shows it.
 */
export async function renamedBy(
  root: string,
  sha: string,
  path: string,
  allowance: GitAllowance,
): Promise<string | undefined> {
  return (await renamesIn(root, sha, allowance)).get(path);
}

/** The file's name before the commit that seems to have added it. */
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
  return (await ask(renamesBySha, key, allowance, (signal) => renamesOf(root, sha, signal))) ?? new Map();
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

const deletions: Questions<string> = new LRUCache({ max: 500 });

/**
 * The commit that deleted a file, seen from the checked-out commit: on another branch it may have changed later.
 * Undefined when it was not deleted there. `revision` grows with new commits.
 */
export function deletedBy(
  root: string,
  path: string,
  revision: number,
  allowance: GitAllowance,
): Promise<string | undefined> {
  const key = `${root}\0${path}\0${revision}`;
  return ask(deletions, key, allowance, (signal) => findDeletion(root, path, signal));
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
  /** The file under all its names, the current one last. */
  paths: string[];
  /** The commits that may have done it, newest first. */
  shas: string[];
};

const removals: Questions<string> = new LRUCache({ max: 500 });

/** The commit that removed the last occurrence of a word from a file; undefined unless that is certain. */
export async function removedBy(root: string, removal: Removal, allowance: GitAllowance): Promise<string | undefined> {
  const { word, paths, shas } = removal;
  if (shas.length === 0) return undefined;
  const key = [root, word, ...paths, shas[0], shas.length].join("\0");
  return ask(removals, key, allowance, (signal) => findRemoval(root, removal, signal));
}

async function findRemoval(
  root: string,
  { word, paths, shas }: Removal,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Without a limit of the number: with one, git would walk all of history.
  const search = ["--no-walk=unsorted", "--format=%x00%H", "-p", "-U0", `-S${word}`, ...shas, "--", ...paths];
  const answer = await runGit(root, [...offline, "log", ...plain, ...search], signal);
  if (!("output" in answer)) return undefined;
  const [sha = "", ...patch] = (answer.output.toString().split("\0")[1] ?? "").split("\n");
  // The newest commit that changed how often the text occurs: it may have added the text, or a longer word that
  // contains it.
  if (!/^[0-9a-f]{40,64}$/.test(sha) || patch.some((line) => /^\+(?!\+\+ )/.test(line) && hasWord(line, word)))
    return undefined;
  if (!patch.some((line) => /^-(?!-- )/.test(line) && hasWord(line, word))) return undefined;
  for (const path of paths) {
    const after = await runGit(root, [...offline, "show", `${sha}:./${path}`], signal);
    if ("output" in after && hasWord(after.output.toString(), word)) return undefined;
  }
  return signal.aborted ? undefined : sha;
}

/** True where the text is not part of a longer word. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(text[at - 1]) || isWordCharacter(text[at + word.length]);
    if (!isPart) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
