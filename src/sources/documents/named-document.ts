import { type Directory, stemOf } from "../../chat/directory.ts";
import { nameOf } from "../../chat/paths.ts";
import { differingLetters, lettersOf, typosBetween } from "./letter-mask.ts";

/**
 * How a document was identified: by its id, its whole path, the end of its path, its folder, its name, or a misspelt
 * name.
 */
type Matched = "id" | "path" | "suffix" | "folder" | "name" | "spelling";

/** A longer target is not a name. */
const longestTarget = 500;

/** `score`: 1 for a certain match, less for a likely one. */
export type NamedDocument = { id: string; how: Matched; score: number };

/** The documents that a path in a question means, best first. Only matches of the most certain kind are returned. */
export function placesAt(directory: Directory, target: string): NamedDocument[] {
  const name = cleaned(target);
  if (name === "" || name.length > longestTarget) return [];
  const { documents, byPath, byName } = directory;
  const pathOf = (id: string) => documents.get(id)!.path;
  if (documents.has(name)) return [{ id: name, how: "id", score: 1 }];
  const folded = name.toLowerCase();
  const sorted = (ids: Iterable<string>, how: Matched, score: (path: string) => number) =>
    [...ids]
      .map((id) => ({ id, how, score: score(pathOf(id)), path: pathOf(id) }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path: _path, ...place }) => place);
  if (folded.endsWith("/")) return sorted(below(directory, folded), "folder", () => 1);
  const exact = byPath.get(folded);
  if (exact) return sorted(exact, "path", (path) => (path === name ? 1 : 0.95));
  const withName = byName.get(nameOf(folded));
  if (withName && folded.includes("/")) {
    const ending = [...withName].filter((id) => endsIn(pathOf(id).toLowerCase(), folded));
    if (ending.length > 0) return sorted(ending, "suffix", () => 0.9);
  } else if (withName) return sorted(withName, "name", (path) => (nameOf(path).toLowerCase() === folded ? 0.9 : 0.85));
  const inside = below(directory, `${folded}/`);
  if (inside.length > 0) return sorted(inside, "folder", () => 0.8);
  const similar = misspelt(byName, nameOf(folded));
  const ids = new Set(similar.flatMap(({ name }) => [...byName.get(name)!]));
  const likeness = new Map(similar.map(({ name, score }) => [name, score]));
  const scoreOf = (path: string) => {
    const base = nameOf(path).toLowerCase();
    return 0.7 * Math.max(likeness.get(base) ?? 0, likeness.get(stemOf(base)) ?? 0);
  };
  return sorted(ids, "spelling", scoreOf);
}

/** `@docs/setup.md`, `"docs/setup.md"`, `./docs\setup.md`, `[doc-1k3f]`: all name the same document. */
function cleaned(target: string): string {
  return target
    .slice(0, longestTarget + 20)
    .trim()
    .replace(/^@/, "")
    .replace(/^["'`[<](.*)["'`\]>]$/s, "$1")
    .replaceAll("\\", "/")
    .replace(/\/{2,}/g, "/")
    .replace(/^(?:\.?\/)+/, "")
    .trim();
}

/** Ids of the documents in a folder: the folder with this whole path, or else every folder whose path ends in it. */
function below({ documents }: Directory, folder: string): string[] {
  const top: string[] = [];
  const deep: string[] = [];
  for (const [id, { path }] of documents) {
    const folded = path.toLowerCase();
    if (folded.startsWith(folder)) top.push(id);
    else if (top.length === 0 && folded.includes(`/${folder}`)) deep.push(id);
  }
  return top.length > 0 ? top : deep;
}

function endsIn(path: string, tail: string): boolean {
  return path === tail || path.endsWith(`/${tail}`);
}

function misspelt(byName: Directory["byName"], target: string): { name: string; score: number }[] {
  if (target.length < 4) return [];
  // The extension is part of the name: `setpu.md` does not mean `setup.json`.
  let fewest = target.length >= 8 ? 2 : 1;
  const letters = lettersOf(target);
  let closest: string[] = [];
  for (const name of byName.keys()) {
    if (Math.abs(name.length - target.length) > fewest) continue;
    if (differingLetters(letters, lettersOf(name)) > fewest * 2) continue;
    const typos = typosBetween(name, target);
    if (typos < fewest) closest = [];
    if (typos <= fewest) closest.push(name);
    fewest = Math.min(fewest, typos);
  }
  return closest.map((name) => ({ name, score: 1 - fewest / Math.max(name.length, target.length) }));
}
