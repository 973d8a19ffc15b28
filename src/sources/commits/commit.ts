import type { Commit } from "../../stores/commits.ts";
import { splitLines } from "../../text/lines.ts";
import { candidatesEach, findOnShelf } from "../find-on-shelf.ts";
import type { Source } from "../source.ts";
import { commitItemId, shaOfItem } from "./commit-items.ts";

/** Git's history: what was changed, by whom and why. */
export const commit: Source = {
  name: "commit",
  brings: ["commit"],
  shelf: "commit",
  measuredAs: "texts",
  find: (query, search, workspace) =>
    findOnShelf("commit", query, { ...search, limit: search.limit * candidatesEach }, workspace),
  async read(items, { root, store, owner }) {
    const shas = items.map(({ id }) => shaOfItem(id));
    const commits = await store.commits.get(owner, shas);
    const indexed = new Set(commits.map(({ sha }) => sha));
    const older = shas.filter((sha) => !indexed.has(sha));
    if (older.length > 0) {
      const { commitsFromGit } = await import("../../learned/grounding/introduction.ts");
      commits.push(...(await commitsFromGit(root, older)));
    }
    return new Map(commits.map((each) => [commitItemId(each.sha), { lines: linesOf(each), facts: factsOf(each) }]));
  },
};

function linesOf({ message }: Commit): string[] {
  return splitLines(message.trim());
}

function factsOf({ sha, author, time, files, insertions, deletions }: Commit) {
  return {
    sha,
    author,
    timestamp: new Date(time).toISOString(),
    files_changed: files.map(({ path }) => path),
    ...(insertions === undefined ? {} : { insertions }),
    ...(deletions === undefined ? {} : { deletions }),
  };
}
