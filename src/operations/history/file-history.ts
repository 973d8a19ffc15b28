import { DossierError } from "../../errors.ts";
import { repositoryState } from "../../git/head.ts";
import { GitAllowance, renamedFrom } from "../../learned/grounding/git-history.ts";
import type { Commit, CommitFile } from "../../stores/commits.ts";
import { closest } from "../../text/similarity/closest.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A commit and what it did to the file. */
type FileEvent = { commit: Commit; change: CommitFile };

/** Everything that happened to a file, newest first, and what it was called, the present name first. */
export type FileHistory = { names: string[]; events: FileEvent[] };

/** Each rename back through time may ask git once; more than this is hostile. */
const mostNames = 20;
const gitMilliseconds = 2000;
const everything = 1_000_000;

/**
 * Follows a file back through time. Under a former name only commits older than the rename count: another file may
 * have that name since. An unchanged move is known from the index; for a file that seems new, git is asked.
 */
export async function fileHistory(path: string, workspace: Workspace): Promise<FileHistory> {
  const git = new GitAllowance(mostNames, gitMilliseconds);
  const history: FileHistory = { names: [path], events: [] };
  let name = path;
  let commits = await commitsTouching(name, workspace);
  for (let step = 0; step < mostNames; step++) {
    const rename = await follow(name, commits, history.events, workspace.root, git);
    if (!rename) break;
    name = rename.change.from!;
    if (!history.names.includes(name)) history.names.push(name);
    commits = olderThan(rename.commit, await commitsTouching(name, workspace));
  }
  return history;
}

async function commitsTouching(path: string, { store, owner }: Workspace): Promise<Commit[]> {
  return store.commits.get(owner, await store.commits.touching(owner, [path], { limit: everything }));
}

/** Adds what happened under one name, back to the rename that gave the file this name; returns that rename. */
async function follow(
  name: string,
  commits: Commit[],
  events: FileEvent[],
  root: string,
  git: GitAllowance,
): Promise<FileEvent | undefined> {
  for (const commit of commits) {
    const recorded = commit.files.find(({ path }) => path === name) ?? commit.files.find(({ from }) => from === name);
    if (!recorded) continue;
    const from = recorded.change === "added" ? await renamedFrom(root, commit.sha, name, git) : undefined;
    const change: CommitFile = from === undefined ? recorded : { path: name, change: "renamed", from };
    events.push({ commit, change });
    if (change.change === "renamed" && change.path === name) return { commit, change };
  }
  return undefined;
}

/** Commits are newest first; those of one second are in the order they were made. */
function olderThan({ sha, time }: Commit, commits: Commit[]): Commit[] {
  const at = commits.findIndex((commit) => commit.sha === sha);
  return at >= 0 ? commits.slice(at + 1) : commits.filter((commit) => commit.time <= time);
}

/**
 * A path of the workspace as its history knows it: relative to the root, with `/`. Nothing outside it can be asked for.
 */
export function insidePath(typed: string): string {
  const parts = typed
    .replace(/\\/g, "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.includes(".."))
    throw new DossierError("outside-root", `${JSON.stringify(typed)} leads out of the workspace.`);
  return parts.join("/");
}

/** The error for a path that no commit touched, with the reason or what was perhaps meant. */
export async function neverTouched(path: string, paths: readonly string[], root: string): Promise<DossierError> {
  const quoted = JSON.stringify(path);
  const repository = await repositoryState(root);
  if (repository === undefined) {
    return new DossierError("not-found", `${root} is in no git repository, so there is no history of ${quoted}.`);
  }
  if (repository.head === undefined) return new DossierError("not-found", "This git repository has no commits yet.");
  const last = (each: string) => each.slice(each.lastIndexOf("/") + 1);
  const sameName = paths.filter((each) => last(each) === last(path));
  const guess = sameName[0] ?? closest(path, paths.slice(0, 20_000), 4);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  const isShallow = repository.boundary.length > 0;
  const shallow = isShallow ? " This is a shallow clone: git fetch --unshallow brings the older commits." : "";
  return new DossierError("not-found", `No commit of the indexed history touched ${quoted}.${shallow}${hint}`);
}
