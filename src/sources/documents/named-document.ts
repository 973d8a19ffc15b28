import { type Directory, stemOf } from "../../chat/directory.ts";
import { nameOf } from "../../chat/paths.ts";
import { differingLetters, lettersOf, slipsBetween } from "./letter-mask.ts";

/** How a document was meant: by its id, its whole path, the end of its path, its folder, its name, or a name misspelt. */
type Matched = "id" | "path" | "suffix" | "folder" | "name" | "spelling";

/** Longer targets are no names. */
const longestTarget = 500;

/** `score`: 1 for what can only be meant so, less for what may be. */
export type NamedDocument = { id: string; how: Matched; score: number };

/** The documents that a path in a question means, best first: only those that are meant most surely, not all that may be. */
export function placesAt(directory: Directory, target: string): NamedDocument[] {
  const asked = cleaned(target);
  if (asked === "" || asked.length > longestTarget) return [];
  const { documents, byPath, byName } = directory;
  const pathOf = (id: string) => documents.get(id)!.path;
  if (documents.has(asked)) return [{ id: asked, how: "id", score: 1 }];
  const folded = asked.toLowerCase();
  const sorted = (ids: Iterable<string>, how: Matched, score: (path: string) => number) =>
    [...ids]
      .map((id) => ({ id, how, score: score(pathOf(id)), path: pathOf(id) }))
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path: _path, ...place }) => place);
  if (folded.endsWith("/")) return sorted(below(directory, folded), "folder", () => 1);
  const exact = byPath.get(folded);
  if (exact) return sorted(exact, "path", (path) => (path === asked ? 1 : 0.95));
  const named = byName.get(nameOf(folded));
  if (named && folded.includes("/")) {
    const ending = [...named].filter((id) => endsIn(pathOf(id).toLowerCase(), folded));
    if (ending.length > 0) return sorted(ending, "suffix", () => 0.9);
  } else if (named) return sorted(named, "name", (path) => (nameOf(path).toLowerCase() === folded ? 0.9 : 0.85));
  const inside = below(directory, `${folded}/`);
  if (inside.length > 0) return sorted(inside, "folder", () => 0.8);
  const near = misspelt(byName, nameOf(folded));
  const ids = new Set(near.flatMap(({ name }) => [...byName.get(name)!]));
  const likeness = new Map(near.map(({ name, score }) => [name, score]));
  const scoreOf = (path: string) => {
    const base = nameOf(path).toLowerCase();
    return 0.7 * Math.max(likeness.get(base) ?? 0, likeness.get(stemOf(base)) ?? 0);
  };
  return sorted(ids, "spelling", scoreOf);
}

/** `@docs/setup.md`, `"docs/setup.md"`, `./docs\setup.md`, `[doc-1k3f]`: all name the same. */
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

/** Ids of what is in a folder: the one with this whole path, else those whose path ends so. */
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

function misspelt(byName: Directory["byName"], asked: string): { name: string; score: number }[] {
  if (asked.length < 4) return [];
  // An ending that is there is part of the name: `setpu.md` is no `setup.json`.
  let fewest = asked.length >= 8 ? 2 : 1;
  const letters = lettersOf(asked);
  let found: string[] = [];
  for (const name of byName.keys()) {
    if (Math.abs(name.length - asked.length) > fewest) continue;
    if (differingLetters(letters, lettersOf(name)) > fewest * 2) continue;
    const slips = slipsBetween(name, asked);
    if (slips < fewest) found = [];
    if (slips <= fewest) found.push(name);
    fewest = Math.min(fewest, slips);
  }
  return found.map((name) => ({ name, score: 1 - fewest / Math.max(name.length, asked.length) }));
}
