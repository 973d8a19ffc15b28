import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";

/** The outcome of a git command: its output, or the reason why there is none. */
export type GitAnswer = { output: Buffer } | { missing: true } | { failure: string };

// A repository may come from anyone: its configuration must not start programs (fsmonitor), and a hook's environment
// (GIT_DIR, GIT_INDEX_FILE) must not point git at another repository.
const safeOptions = ["-c", "core.fsmonitor=false", "--no-optional-locks", "--literal-pathspecs"];

function gitEnvironment(): NodeJS.ProcessEnv {
  // A partial clone fetches missing objects when they are read, and reading must not use the network. The first
  // variable is for git 2.45 and later; the second, which allows no protocol at all, for older versions.
  const offline = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" };
  const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: "C", ...offline };
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"]) {
    delete environment[name];
  }
  return environment;
}

/** Runs git in a folder. Never throws: a missing git and a failed command are return values. */
export async function runGit(folder: string, args: string[], signal?: AbortSignal): Promise<GitAnswer> {
  const output: Buffer[] = [];
  const { child, closed } = startGit(folder, args, { signal });
  child?.stdout.on("data", (chunk: Buffer) => void output.push(chunk));
  const end = await closed;
  return "ended" in end ? { output: Buffer.concat(output) } : end;
}

export type GitEnd = { ended: true } | Exclude<GitAnswer, { output: Buffer }>;

type GitOptions = { input?: string; signal?: AbortSignal };

/**
 * Runs git and streams its output with back-pressure. Throws only what `take` throws; git is then stopped. After a
 * failure, the output so far is unchanged, but may end anywhere.
 */
export async function streamGit(
  folder: string,
  args: string[],
  take: (chunk: Buffer) => void | Promise<void>,
  options: GitOptions = {},
): Promise<GitEnd> {
  const { child, closed } = startGit(folder, args, options);
  if (!child) return closed;
  try {
    for await (const chunk of child.stdout) await take(chunk as Buffer);
  } catch (error) {
    child.kill();
    await closed;
    throw error;
  }
  return closed;
}

type StartedGit = { child?: ChildProcess & { stdout: Readable; stderr: Readable }; closed: Promise<GitEnd> };

/** `closed` never rejects, and resolves after all output. `child` is absent if the system starts no process. */
function startGit(folder: string, args: string[], { input, signal }: GitOptions): StartedGit {
  let child: ChildProcess;
  try {
    child = spawn("git", [...safeOptions, ...args], {
      cwd: folder,
      env: gitEnvironment(),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
      signal,
    });
  } catch (error) {
    // Node throws for arguments that are too long or contain a NUL, and for lack of memory; it reports other failures
    // as events.
    return { closed: Promise.resolve({ failure: `git was not started: ${(error as Error).message}` }) };
  }
  const closed = new Promise<GitEnd>((end) => {
    child.on("error", (error: NodeJS.ErrnoException) =>
      end(error.code === "ENOENT" ? { missing: true } : { failure: error.message }),
    );
    child.on("close", (status) =>
      end(status === 0 ? { ended: true } : { failure: firstLine(stderr) || `git ended with status ${status}` }),
    );
  });
  let stderr = "";
  // With too many open files there are no streams either, only the event.
  if (!hasStreams(child)) return { closed };
  // A write error shows in the exit status of git.
  child.stdin?.on("error", () => undefined).end(input);
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString();
  });
  return { child, closed };
}

function hasStreams(child: ChildProcess): child is NonNullable<StartedGit["child"]> {
  return Boolean(child.stdout && child.stderr);
}

function firstLine(text: string): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return line.replace(/^(?:fatal|error):\s*/, "").trim();
}

/** Stats of a path; undefined if it is missing or may not be read. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** True for errors of permission: the file may still exist. */
export function isRefused(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EACCES", "EPERM", "ELOOP", "EIO", "ENAMETOOLONG"].includes(code);
}

/** The nearest folder at or above this one that holds `.git` (a folder, or a file in work trees and submodules). */
export function gitTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (look(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** True for a folder laid out like the inside of a repository: a bare clone, or `.git` itself. */
export function isBareRepository(folder: string): boolean {
  const has = (name: string, kind: "isFile" | "isDirectory") => look(join(folder, name))?.[kind]() ?? false;
  return has("HEAD", "isFile") && has("objects", "isDirectory") && has("refs", "isDirectory");
}

/**
 * The meaning of the `.git` in this folder: a repository of its own, a submodule, a linked work tree, or none of these.
 */
export function repositoryKind(folder: string): "repository" | "submodule" | "worktree" | undefined {
  const entry = look(join(folder, ".git"));
  if (!entry) return undefined;
  if (entry.isDirectory()) return "repository";
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readPointer(join(folder, ".git")))?.[1];
  if (!pointer) return undefined;
  return basename(dirname(resolve(folder, pointer))) === "worktrees" ? "worktree" : "submodule";
}

function readPointer(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isRefused(error)) return "";
    throw error;
  }
}
