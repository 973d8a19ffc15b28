import type { Commit } from "../../stores/commits.ts";
import { splitLines } from "../../text/lines.ts";
import { candidatesEach, findOnShelf } from "../find-on-shelf.ts";
import type { Source } from "../source.ts";

/** Git's history: what was changed, by whom and why. */
export const commit: Source = {
  name: "commit",
  brings: ["commit"],
  shelf: "commit",
  measuredAs: "texts",
  find: (query, search, workspace) =>
    findOnShelf("commit", query, { ...search, limit: search.limit * candidatesEach }, workspace),
  async read(items, { store, owner }) {
    const commits = await store.commits.get(
      owner,
      items.map(({ id }) => shaOf(id)),
    );
    return new Map(commits.map((each) => [`com-${each.sha}`, { lines: linesOf(each), facts: factsOf(each) }]));
  },
};

function shaOf(itemId: string): string {
  return itemId.slice("com-".length);
}

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
