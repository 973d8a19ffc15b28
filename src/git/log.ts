import { isSha } from "./head.ts";
import { TokenReader } from "./log-tokens.ts";
import { type GitEnd, runGit, streamGit } from "./run-git.ts";

/**
 * Reads commits: their hashes from `git rev-list`, then messages and changed files from `git diff-tree`, which streams.
 * Both commands ignore settings of the user or the repository that change the output.
 */

export type LoggedFile = { path: string; change: "added" | "modified" | "deleted" | "renamed"; from?: string };

export type LoggedCommit = {
  sha: string;
  author: string;
  email: string;
  /** Commit time, milliseconds since 1970. */
  time: number;
  message: string;
  files: LoggedFile[];
};

export type LogOptions = {
  /** For a folder below the repository's top: only files inside the folder, with paths relative to it. */
  below?: boolean;
  signal?: AbortSignal;
};

/** A commit's hash with its time in milliseconds. */
export type ListedCommit = { sha: string; time: number };

/** The output of `git rev-list`; commits are newest first. */
export type CommitList = { added: ListedCommit[]; removed: ListedCommit[] } | Exclude<GitEnd, { ended: true }>;

/**
 * The commits reachable from `head`; with `since`, those no longer reachable (`removed`) and those newly reachable
 * (`added`).
 */
export async function listCommits(
  folder: string,
  { head, since }: { head: string; since?: string },
  { below, signal }: LogOptions = {},
): Promise<CommitList> {
  const range = since === undefined ? [head] : ["--left-right", `${since}...${head}`];
  // Without --full-history git leaves out a side branch if the merge took nothing from it.
  const limits = below ? ["--full-history", ...range, "--", "."] : [...range, "--"];
  const list = { added: [] as ListedCommit[], removed: [] as ListedCommit[] };
  const lines = new TokenReader("\n");
  const end = await streamGit(
    folder,
    ["rev-list", "--timestamp", ...limits],
    (chunk) => {
      for (const line of lines.take(chunk)) {
        const [, seconds, mark, sha] = /^(\d+) ([<>]?)([0-9a-f]+)$/.exec(line) ?? [];
        if (sha !== undefined) (mark === "<" ? list.removed : list.added).push({ sha, time: toTime(seconds!) });
      }
    },
    { signal },
  );
  return "ended" in end ? list : end;
}

/** The time of a commit, in milliseconds. */
export async function commitTime(folder: string, sha: string, signal?: AbortSignal): Promise<number | undefined> {
  const answer = await runGit(folder, ["rev-list", "--timestamp", "--max-count=1", sha, "--"], signal);
  const seconds = "output" in answer ? /^\d+/.exec(answer.output.toString())?.[0] : undefined;
  return seconds === undefined ? undefined : toTime(seconds);
}

/** The end of the year 9999: a time from a broken clock must still be a valid date. */
const latestSecond = 253_402_300_799;

function toTime(seconds: string): number {
  return Math.min(Number(seconds) || 0, latestSecond) * 1000;
}

const fields = "%H%x00%ct%x00%an%x00%ae%x00%B";
/** For a merge, only files that differ from every parent. */
const rawChanges = ["diff-tree", "--stdin", "--root", "--always", "-r", "-c", "--raw", "-z", "--no-abbrev"];
const plainDiff = ["--no-ext-diff", "--no-textconv", "--no-color"];

export type ReadOptions = LogOptions & {
  /**
   * Rename detection. `exact`: only files that moved unchanged, which needs no file content. `similar`: files that
   * share at least half of their lines.
   */
  renames?: "exact" | "similar";
};

/**
 * Passes these commits on in order. If git fails midway (at a tree that a partial clone lacks), all commits passed on
 * so far are complete, and the one it failed at is not among them.
 */
export function readCommits(
  folder: string,
  shas: string[],
  take: (commit: LoggedCommit) => void | Promise<void>,
  { below, signal, renames = "exact" }: ReadOptions = {},
): Promise<GitEnd> {
  const detection = renames === "exact" ? "-M100%" : "-M";
  const args = [...rawChanges, ...plainDiff, detection, "--encoding=UTF-8", `--format=${fields}`];
  return stream(folder, below ? [...args, "--relative", "--", "."] : args, shas, take, signal);
}

/** Like `readCommits`, but without the files: for a clone that lacks the trees. */
export function readMessages(
  folder: string,
  shas: string[],
  take: (commit: LoggedCommit) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<GitEnd> {
  const args = ["log", "--stdin", "--no-walk=unsorted", "--no-patch", "-z", "--no-show-signature", "--no-mailmap"];
  return stream(folder, [...args, "--encoding=UTF-8", `--format=${fields}`], shas, take, signal);
}

async function stream(
  folder: string,
  args: string[],
  shas: string[],
  take: (commit: LoggedCommit) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<GitEnd> {
  if (shas.length === 0) return { ended: true };
  const parser = new LogParser();
  const input = `${shas.join("\n")}\n`;
  const end = await streamGit(
    folder,
    args,
    async (chunk) => {
      for (const commit of parser.take(chunk)) await take(commit);
    },
    { input, signal },
  );
  const last = "ended" in end ? parser.finish() : undefined;
  if (last) await take(last);
  return end;
}

const headerFields = 5;
const mostTexts = 10_000;

/**
 * Parses the output. Fields are separated by NUL, which neither messages nor names nor paths can contain. A commit has
 * five fields; then each file has one field that begins with a colon, and one or two paths, until the next commit's
 * hash.
 */
export class LogParser {
  readonly #tokens = new TokenReader("\0");
  readonly #texts = new Map<string, string>();
  #header: string[] = [];
  #files: LoggedFile[] = [];
  /** A change whose path or paths are still missing. */
  #pending: { status: string; paths: string[] } | undefined;

  /** The commits that this chunk completes. */
  take(chunk: Buffer): LoggedCommit[] {
    const commits: LoggedCommit[] = [];
    for (const token of this.#tokens.take(chunk)) {
      const finished = this.#token(token);
      if (finished) commits.push(finished);
    }
    return commits;
  }

  /** The last commit, after all output was pushed. */
  finish(): LoggedCommit | undefined {
    const rest = this.#tokens.rest();
    if (rest !== "") this.#token(rest);
    return this.#header.length === headerFields ? this.#finished() : undefined;
  }

  #token(token: string): LoggedCommit | undefined {
    if (this.#pending) this.#path(token);
    else if (this.#header.length > 0 && this.#header.length < headerFields) {
      const isPerson = this.#header.length === 2 || this.#header.length === 3;
      this.#header.push(isPerson ? this.#intern(token) : token);
    } else return this.#between(token.startsWith("\n") ? token.replace(/^\n+/, "") : token);
    return undefined;
  }

  #path(token: string): void {
    const { status, paths } = this.#pending!;
    const path = this.#intern(token);
    paths.push(path);
    const isRename = status.startsWith("R") && status.length > 1;
    if (isRename && paths.length === 1) return;
    this.#files.push(isRename ? { path, change: "renamed", from: paths[0]! } : { path, change: changeOf(status) });
    this.#pending = undefined;
  }

  /** String interning: a few people touch the same files again and again, and many commits are held at once. */
  #intern(text: string): string {
    const interned = this.#texts.get(text);
    if (interned !== undefined) return interned;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }

  #between(token: string): LoggedCommit | undefined {
    if (token.startsWith(":")) {
      this.#pending = { status: statusOf(token), paths: [] };
      return undefined;
    }
    if (!isSha(token)) return undefined;
    const finished = this.#header.length === headerFields ? this.#finished() : undefined;
    this.#header = [token];
    return finished;
  }

  #finished(): LoggedCommit {
    const [sha, seconds, author, email, message] = this.#header as [string, string, string, string, string];
    const files = this.#files;
    this.#header = [];
    this.#files = [];
    return {
      sha,
      author,
      email,
      time: toTime(seconds),
      message: message.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd(),
      files,
    };
  }
}

/**
 * `R100`, `M`. In a merge: one letter for each parent, after one colon for each; a rename there has its new path only.
 */
function statusOf(token: string): string {
  const status = token.slice(token.lastIndexOf(" ") + 1);
  return token.startsWith("::") ? (new Set(status).size === 1 ? status[0]! : "M") : status;
}

function changeOf(status: string): LoggedFile["change"] {
  if (status.startsWith("A") || status.startsWith("C")) return "added";
  return status.startsWith("D") ? "deleted" : "modified";
}
