import { askedPath, inOrderOfRank, pathScore, scored } from "../stores/search/name-likeness.ts";
import type { Filter, Hit } from "../stores/store.ts";
import { editDistance } from "../text/similarity/levenshtein.ts";
import type { Workspace } from "../workspace/workspace.ts";

const mostHits = 5;
/** Limit of files with one name that are compared with a path. */
const mostCalled = 100_000;
const mostNear = 3;
/** One edit is allowed per this many letters of a file's name. */
const lettersPerEdit = 4;
/** Limit of files with a similar name whose folders are compared. */
const mostCompared = 200;

/**
 * The files that a path means: the path itself, or the longest known end of it, since a traceback contains the paths of
 * an installation. All files of that name are read from the store once, not once for each end.
 */
export async function filesAt(path: string, { store, owner }: Workspace, filter?: Filter): Promise<Hit[]> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const called = await store.searchPaths(owner, {
    text: name,
    mode: "suffix",
    limit: mostCalled,
    ...(filter && { filter }),
  });
  const items = called.map(({ item }) => item);
  const matching = (end: string, mode: "exact" | "suffix") => {
    const asked = askedPath(end);
    return inOrderOfRank(
      scored(items, (item) => pathScore(item.path, asked, mode)),
      mostHits,
    );
  };
  let hits = matching(path, "exact");
  for (let rest = path; hits.length === 0 && rest !== ""; rest = rest.replace(/^[^/]*\/?/, "")) {
    if (rest.includes("/") || rest === path) hits = matching(rest, "suffix");
  }
  return hits;
}

/**
 * Paths of files with a similar name, the nearest first; among equally near names, those in the nearest folder first.
 */
export async function pathsNear(path: string, { store, owner }: Workspace): Promise<string[]> {
  const asked = partsOf(path);
  const mostEdits = Math.floor(asked.name.length / lettersPerEdit);
  const near: { path: string; edits: number; folder: string }[] = [];
  for (const file of await store.files(owner)) {
    const { name, folder } = partsOf(file.path);
    if (Math.abs(name.length - asked.name.length) > mostEdits) continue;
    const edits = editDistance(asked.name, name);
    if (edits <= mostEdits) near.push({ path: file.path, edits, folder });
  }
  return near
    .sort((a, b) => a.edits - b.edits || (a.path < b.path ? -1 : 1))
    .slice(0, mostCompared)
    .map((file) => ({ ...file, away: asked.folder === "" ? 0 : editDistance(asked.folder, file.folder) }))
    .sort((a, b) => a.edits - b.edits || a.away - b.away)
    .slice(0, mostNear)
    .map((file) => file.path);
}

function partsOf(path: string): { folder: string; name: string } {
  const end = path.lastIndexOf("/");
  return { folder: path.slice(0, Math.max(0, end)).toLowerCase(), name: path.slice(end + 1).toLowerCase() };
}
