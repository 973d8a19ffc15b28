import { DossierError } from "../errors.ts";
import { GitAllowance, renamedFrom } from "../learned/grounding-git.ts";
import type { Commit, CommitFile } from "../stores/commits.ts";
import type { Workspace } from "../workspace.ts";
import { closest } from "./closest.ts";

/** A file's name and those it had before, newest first. */
export type Names = string[];

/** A rename back through time asks git for each step; more than this is a circle or a game. */
const mostNames = 20;
const gitMilliseconds = 2000;
const everything = 1_000_000;

/** The names of a file through time. A file that was moved without a change is known from the index; otherwise git is asked. */
export async function namesOf(path: string, { store, owner, root }: Workspace): Promise<Names> {
  const git = new GitAllowance(mostNames, gitMilliseconds);
  const names = [path];
  while (names.length < mostNames) {
    const name = names.at(-1)!;
    const oldest = (await store.commits.touching(owner, [name], { limit: everything })).at(-1);
    const [commit] = oldest === undefined ? [] : await store.commits.get(owner, [oldest]);
    const file = commit?.files.find((each) => each.path === name);
    const before = file?.from ?? (file?.change === "added" ? await renamedFrom(root, oldest!, name, git) : undefined);
    if (before === undefined || names.includes(before)) return names;
    names.push(before);
  }
  return names;
}

/** What a commit did to a file that had these names. */
export function changeOf(commit: Commit, names: readonly string[]): CommitFile | undefined {
  return commit.files.find(({ path }) => names.includes(path));
}

/** A path of the workspace as its history knows it: relative to the root, with `/`. Nothing outside it can be asked for. */
export function insidePath(given: string): string {
  const parts = given
    .replace(/\\/g, "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.includes(".."))
    throw new DossierError("outside-root", `${JSON.stringify(given)} leads out of the workspace.`);
  return parts.join("/");
}

/** The error for a path that no commit touched, with what was perhaps meant. */
export function neverTouched(path: string, known: readonly string[]): DossierError {
  const last = (each: string) => each.slice(each.lastIndexOf("/") + 1);
  const same = known.filter((each) => last(each) === last(path));
  const guess = same[0] ?? closest(path, known.slice(0, 20_000), 4);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  return new DossierError("not-found", `No commit of the indexed history touched ${JSON.stringify(path)}.${hint}`);
}
