import type { Item } from "../../item.ts";
import { storable } from "../rules/stored-text.ts";
import { dotted } from "../scope/definitions.ts";
import { definitionRank, endsInName } from "../scope/targets.ts";
import { similarity } from "../spelling.ts";
import type { Hit } from "../store.ts";

/** How names and paths are compared with a query: the same on every engine, which only provides candidates. */

/** Limit of candidates with shared trigrams that are compared letter by letter. */
export const fuzzyCandidates = 200;
/**
 * Only the rarest trigrams are searched: at least this many, and more as long as they occur in at most this share of
 * the names together. This is five times faster and missed nothing in 100 typos.
 */
const fewestTrigrams = 6;
const trigramShare = 0.05;
/** Names below this similarity are other words. */
const leastAlike = 0.5;
/** Queries are cut to this length: no name or path is longer. */
const longestAsked = 512;
/** Score of a match that differs in case only. */
const otherCase = 0.9;

/** The trigrams to search for among those that some of `total` names have, rarest first. */
export function rarestTrigrams(counts: readonly { gram: string; names: number }[], total: number): string[] {
  let rows = 0;
  return [...counts]
    .sort((a, b) => a.names - b.names || (a.gram < b.gram ? -1 : 1))
    .filter(({ names }, i) => (rows += names) <= total * trigramShare || i < fewestTrigrams)
    .map(({ gram }) => gram);
}

export function askedName(text: string): string {
  return storable(text.trim().slice(0, longestAsked));
}

export function askedPath(text: string): string {
  return storable(
    text
      .trim()
      .slice(0, longestAsked)
      .replaceAll("\\", "/")
      .replace(/^(\.?\/)+/, ""),
  );
}

/** Best first; among equals, definitions first. */
export function inOrderOfRank(hits: Hit[], limit: number): Hit[] {
  return hits
    .sort(
      (a, b) =>
        b.score - a.score || definitionRank(a.item) - definitionRank(b.item) || (a.item.id < b.item.id ? -1 : 1),
    )
    .slice(0, limit);
}

/** Items with their scores; items without a score are left out. */
export function scored(items: readonly Item[], score: (item: Item) => number): Hit[] {
  return items.map((item) => ({ item, score: score(item) })).filter((hit) => hit.score > 0);
}

/** `inner` of `path::Outer.inner`, `Outer#inner` or `Guide > inner`. */
export function lastName(text: string): string {
  return (
    text
      .split(/\.|::|->|#| > /)
      .filter(Boolean)
      .at(-1) ?? text
  );
}

/**
 * The names that an item with this qualified name may have: a module may be named `Outer.inner` itself, and `inner` may
 * be in another container or in none.
 */
export function possibleNames(text: string): string[] {
  const parts = dotted(text).split(".");
  return [...new Set([lastName(text), ...parts.map((_, i) => parts.slice(i).join("."))])].filter(Boolean);
}

/** The last part of a path in lower case; files are found by it. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

export function sameText(a: string, b: string): number {
  if (a === b) return 1;
  return a.toLowerCase() === b.toLowerCase() ? otherCase : 0;
}

export function endsAs(qualified: string, name: string): number {
  if (endsInName(qualified, name)) return 1;
  return endsInName(qualified.toLowerCase(), name.toLowerCase()) ? otherCase : 0;
}

export function tailScore(path: string, tail: string): number {
  return path.length > tail.length && path.at(-tail.length - 1) === "/" ? sameText(path.slice(-tail.length), tail) : 0;
}

/** The score of a path for a query that is a whole path or the end of one. */
export function pathScore(path: string, query: string, mode: "exact" | "suffix"): number {
  return mode === "suffix" ? Math.max(sameText(path, query), tailScore(path, query)) : sameText(path, query);
}

/** Folded names close to the last part of the query: best first. */
export function closeNames<Name extends { id: number; folded: string }>(
  names: readonly Name[],
  last: string,
  limit: number,
): Name[] {
  return names
    .map((name) => ({ name, score: likeness(name.folded, last.toLowerCase()) }))
    .filter(({ score }) => score >= leastAlike)
    .sort((a, b) => b.score - a.score || a.name.id - b.name.id)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** How similar an item's name is to the query, which may include its container. */
export function nameLikeness(item: Item, text: string): number {
  return lastName(text) === text
    ? likeness(item.name.toLowerCase(), text.toLowerCase())
    : qualifiedLikeness(item.qualifiedName, text);
}

/** Compares a dotted name with the last parts of a qualified name, as many as the dotted name has. */
export function qualifiedLikeness(qualified: string, text: string): number {
  const parts = qualified.toLowerCase().split(/::|\./);
  const queryParts = text.toLowerCase().split(/::|\./);
  const score = similarity(parts.slice(-queryParts.length).join("."), queryParts.join("."));
  return score >= leastAlike ? score : 0;
}

/** Compares a path with the last parts of another path, as many as the first has. */
export function pathLikeness(path: string, query: string): number {
  const queryParts = query.toLowerCase().split("/");
  const tail = path.toLowerCase().split("/").slice(-queryParts.length).join("/");
  const score = likeness(tail, queryParts.join("/"));
  return score >= leastAlike ? score : 0;
}

/** Similarity in spelling, or by containment: `payment` is a part of `processPayment`. */
function likeness(name: string, text: string): number {
  const spelled = similarity(name, text);
  return name.includes(text) ? Math.max(spelled, 0.5 + (0.4 * text.length) / name.length) : spelled;
}
