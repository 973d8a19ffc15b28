import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import { runGit } from "../../git/run-git.ts";

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

/** Questions that were asked, with their answers. One that was cut off may be asked once more: the second time git has the files at hand. */
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
    const asked = answer(allowance.signal).finally(() => {
      if (allowance.signal.aborted) question.answer = undefined;
    });
    question.answer = asked;
    return asked;
  }
  return question.answer;
}

/** What a commit renamed, by the name before. Never changes. */
const renamesBySha: Questions<Map<string, string>> = new LRUCache({ max: 200 });

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
 * The commit that deleted a file, as the checked-out commit sees it: on another branch it may have been changed at a later time. Undefined
 * when it was not deleted there. `revision` grows when there are new commits.
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
  /** The file under all its names, the present one last. */
  paths: string[];
  /** The commits that may have done it, newest first. */
  shas: string[];
};

const removals: Questions<string> = new LRUCache({ max: 500 });

/** The commit that took the last occurrence of a word out of a file; undefined unless that is certain. */
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
  // Without a limit to their number: git would take it as a reason to walk all of history.
  const search = ["--no-walk=unsorted", "--format=%x00%H", "-p", "-U0", `-S${word}`, ...shas, "--", ...paths];
  const answer = await runGit(root, [...offline, "log", ...plain, ...search], signal);
  if (!("output" in answer)) return undefined;
  const [sha = "", ...patch] = (answer.output.toString().split("\0")[1] ?? "").split("\n");
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
