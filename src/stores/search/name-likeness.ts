import type { Item } from "../../item.ts";
import { definitionRank, endsInName } from "../scope/targets.ts";
import { similarity } from "../spelling.ts";
import { storable } from "../storable.ts";
import type { Hit } from "../store.ts";

/** How names and paths are compared with what is asked: the same on every engine, which only brings the candidates. */

/** Candidates by shared trigrams that are compared letter by letter. */
export const fuzzyCandidates = 200;
/** Only the rarest trigrams are searched: at least this many, and more while they occur in this share of the names. Five times faster, nothing missed in 100 typos. */
const fewestTrigrams = 6;
const trigramShare = 0.05;
/** Less alike than this is another word. */
const leastAlike = 0.5;
/** No name or path is longer; what is asked may be. */
const longestAsked = 512;
/** The score of what differs in upper and lower case only. */
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

/** Best first; of equals, what defines something first. */
export function inOrderOfRank(hits: Hit[], limit: number): Hit[] {
  return hits
    .sort(
      (a, b) =>
        b.score - a.score || definitionRank(a.item) - definitionRank(b.item) || (a.item.id < b.item.id ? -1 : 1),
    )
    .slice(0, limit);
}

/** Items with their scores, those without one left out. */
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

/** The last part of a path, lower case: what files are found by. */
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

/** The score of a path that was asked for, whole or by its end. */
export function pathScore(path: string, asked: string, mode: "exact" | "suffix"): number {
  return mode === "suffix" ? Math.max(sameText(path, asked), tailScore(path, asked)) : sameText(path, asked);
}

/** Names, folded, that are close to the last part of what is asked: best first. */
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

/** How alike an item's name is to what is asked, which may name what it is in, too. */
export function nameLikeness(item: Item, text: string): number {
  return lastName(text) === text
    ? likeness(item.name.toLowerCase(), text.toLowerCase())
    : qualifiedLikeness(item.qualifiedName, text);
}

/** Compares a dotted name with as many last parts of a qualified one as it has itself. */
export function qualifiedLikeness(qualified: string, text: string): number {
  const parts = qualified.toLowerCase().split(/::|\./);
  const wanted = text.toLowerCase().split(/::|\./);
  const score = similarity(parts.slice(-wanted.length).join("."), wanted.join("."));
  return score >= leastAlike ? score : 0;
}

/** Compares a path with as many last parts of another as it has itself. */
export function pathLikeness(path: string, asked: string): number {
  const wanted = asked.toLowerCase().split("/");
  const tail = path.toLowerCase().split("/").slice(-wanted.length).join("/");
  const score = likeness(tail, wanted.join("/"));
  return score >= leastAlike ? score : 0;
}

/** Alike in spelling, or one a part of the other: `payment` is a part of `processPayment`. */
function likeness(name: string, text: string): number {
  const spelled = similarity(name, text);
  return name.includes(text) ? Math.max(spelled, 0.5 + (0.4 * text.length) / name.length) : spelled;
}
