import type { Item } from "../../item.ts";
import { wholeFileId } from "../../sources/links.ts";
import type { Commit } from "../../stores/commits.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Case, type Mined, type Mining, placeOf } from "../case.ts";
import { Draw } from "../sample.ts";
import { givesAway, questionOf } from "./commit-message.ts";
import { MovedPaths } from "./moved-paths.ts";

/** A commit with more source files is a sweeping change and not about one place. */
const mostFiles = 20;
/** Candidates for each wanted case, the newest first: older commits resemble the files of today less. */
const drawnFrom = 10;

/**
 * A commit message -> the source files that the commit changed. Asked as on the day before: commits from its own time
 * on are no evidence. The files are today's, so the text it added can be found.
 */
export async function mineCommits(workspace: Workspace, { limit, seed, signal }: Mining): Promise<Mined> {
  const { store, owner } = workspace;
  const moved = new MovedPaths();
  const draw = new Draw<Case>(limit, seed);
  const queries = new Set<string>();
  let commits = 0;
  for await (const batch of store.commits.all(owner)) {
    signal?.throwIfAborted();
    const paths = batch.map((commit) => moved.pass(commit));
    commits += batch.length;
    const code = await codeAmong(workspace, [...new Set(paths.flat())]);
    batch.forEach((commit, i) => {
      const mined = draw.seen < limit * drawnFrom ? caseOf(commit, paths[i]!, code) : undefined;
      if (!mined || queries.has(mined.query)) return;
      queries.add(mined.query);
      draw.add(mined.id, mined);
    });
    if (draw.seen >= limit * drawnFrom) break;
  }
  const cases = draw.values();
  if (commits === 0) return { cases, found: 0, why: "There is no git history." };
  const none = `None of ${commits} commits says in words what it changed in source files that are still here.`;
  return { cases, found: draw.seen, ...(cases.length === 0 ? { why: none } : {}) };
}

function caseOf(commit: Commit, paths: string[], code: Map<string, Item>): Case | undefined {
  const { sha, message, author, email, time } = commit;
  const files = paths.flatMap((path) => code.get(path) ?? []);
  if (files.length === 0 || files.length > mostFiles || commit.files.length > mostFiles * 5) return undefined;
  const query = questionOf(message, `${author} ${email}`);
  if (
    query === undefined ||
    givesAway(
      query,
      commit.files.map(({ path }) => path),
    )
  )
    return undefined;
  return {
    id: `commit ${sha}`,
    kind: "commit",
    query,
    expect: files.map((item) => ({ place: placeOf(item), shown: item.path })),
    from: `commit ${sha.slice(0, 12)}`,
    time,
    limits: { code: true, before: time },
    hidden: [],
  };
}

/** Whole files of code that are no tests, by path. */
async function codeAmong({ store, owner }: Workspace, paths: string[]): Promise<Map<string, Item>> {
  const items = await store.items(owner, paths.map(wholeFileId));
  return new Map(items.filter(({ source, test }) => source === "code" && !test).map((item) => [item.path, item]));
}
