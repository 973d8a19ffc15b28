import { readCommits } from "../../git/log.ts";
import { runGit } from "../../git/run-git.ts";
import type { Commit } from "../../stores/commits.ts";

// As in git-history.ts: no network, and no foreign program from a repository's configuration.
const offline = ["-c", "protocol.allow=never"];
const plain = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color"];

/** A file, or a word in it. */
export type Introduced = { path: string; word?: string };

/** How many times code is followed into the file that it was moved from. */
const mostMoves = 5;

/**
 * The commit that introduced a word, traced through renames of its file and moves between files; for a file, the commit
 * that added it.
 */
export async function introducedBy(
  root: string,
  { path, word }: Introduced,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (word === undefined) return (await oldest(root, ["--diff-filter=A"], "HEAD", path, signal))?.sha;
  let at = { from: "HEAD", path };
  let first: Step | undefined;
  for (let moves = 0; moves <= mostMoves; moves++) {
    const added = await oldest(root, countChanged(word), at.from, at.path, signal);
    if (!added) break;
    first = added;
    const source = await movedFrom(root, added, word, signal);
    if (source === undefined) break;
    at = { from: `${added.sha}^`, path: source };
  }
  return first?.sha;
}

/** A commit, with the file's name in it. */
type Step = { sha: string; path: string };

/** Pickaxe: commits that change how often the word occurs, as a word of its own. */
function countChanged(word: string): string[] {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return ["--pickaxe-regex", `-S(^|[^[:alnum:]_$])${literal}([^[:alnum:]_$]|$)`];
}

async function oldest(
  root: string,
  search: string[],
  from: string,
  path: string,
  signal: AbortSignal,
): Promise<Step | undefined> {
  const format = ["--format=%x01%H", "--name-only", "--relative", "-z"];
  const log = ["log", ...plain, "--follow", ...search, ...format, from, "--", path];
  const answer = await runGit(root, [...offline, ...log], signal);
  if (!("output" in answer)) return undefined;
  const last = answer.output.toString().split("\u0001").at(-1) ?? "";
  const [sha = "", name = path] = last
    .split("\0")
    .map((field) => field.trim())
    .filter((field) => field !== "");
  return sha === "" ? undefined : { sha, path: name };
}

/** Another file that lost, in this commit, a line with the word that this file got. */
async function movedFrom(
  root: string,
  { sha, path }: Step,
  word: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const show = ["show", ...plain, "--format=", "--relative", "--no-prefix", "--no-renames", "-U0"];
  const answer = await runGit(root, [...offline, ...show, ...countChanged(word), "--pickaxe-all", sha, "--"], signal);
  if (!("output" in answer)) return undefined;
  // The line from the word on, since a move often changes what is before it (`pub fn`, `export`).
  const fromWord = (line: string) => line.slice(line.indexOf(word)).trim();
  const added = new Set<string>();
  const removed: { path: string; line: string }[] = [];
  let file = { before: "", after: "" };
  for (const line of answer.output.toString().split("\n")) {
    if (line.startsWith("--- ")) file = { ...file, before: line.slice(4) };
    else if (line.startsWith("+++ ")) file = { ...file, after: line.slice(4) };
    else if (!line.includes(word)) continue;
    else if (line.startsWith("+") && file.after === path) added.add(fromWord(line));
    else if (line.startsWith("-") && file.before !== path) removed.push({ path: file.before, line: fromWord(line) });
  }
  return removed.find(({ line }) => line.length > word.length + 2 && added.has(line))?.path;
}

/** Commits read from git itself, for those older than the indexed history. */
export async function commitsFromGit(root: string, shas: string[], signal?: AbortSignal): Promise<Commit[]> {
  const commits: Commit[] = [];
  await readCommits(root, shas, (commit) => void commits.push(commit), { below: true, signal });
  return commits;
}
