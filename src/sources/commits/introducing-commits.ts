import type { Candidate, Item } from "../../item.ts";
import { commitsFromGit, type Introduced, introducedBy } from "../../learned/grounding/introduction.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { commitItem } from "./commit-items.ts";

/** Milliseconds for git to follow a name back to its first commit. */
const searchTime = 4000;

/**
 * The commit that introduced the oldest of these items, with the signal `introduced`. It is read from git, because it
 * is often older than the indexed history and its message may not contain the name.
 */
export async function introducingCommit(
  introduced: readonly Introduced[],
  { root }: Workspace,
): Promise<Candidate | undefined> {
  const signal = AbortSignal.timeout(searchTime);
  const shas = await Promise.all(introduced.map((each) => introducedBy(root, each, signal)));
  const known = [...new Set(shas.filter((sha) => sha !== undefined))];
  const commits = await commitsFromGit(root, known, signal);
  const [first] = commits.sort((a, b) => a.time - b.time || (a.sha < b.sha ? -1 : 1));
  if (!first) return undefined;
  const item: Item = { ...commitItem(first).item, path: "history" };
  return { item, signals: { introduced: 1 }, distance: 0 };
}
