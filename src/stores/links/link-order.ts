import type { ResolvedLink } from "../store.ts";
import { linkCodes } from "./link-codes.ts";

/** Sorts links by kind, then by the other end; each link occurs once. */
export function inOrder(links: ResolvedLink[]): ResolvedLink[] {
  const unique = new Map<string, ResolvedLink>();
  for (const link of links) {
    const key = `${link.kind} ${link.from} ${link.to}`;
    const existing = unique.get(key);
    if (link.from === link.to) continue;
    if (existing && link.texts) existing.texts = [...new Set([...(existing.texts ?? []), ...link.texts])].sort();
    else if (!existing) unique.set(key, link);
  }
  const position = (link: ResolvedLink) => `${linkCodes[link.kind]} ${link.from} ${link.to}`;
  return [...unique.values()].sort((a, b) => (position(a) < position(b) ? -1 : 1));
}

/** Round robin: one of each item's links, then a second of each, so that no item uses up the limit of the others. */
export function takeInTurn(groups: ResolvedLink[][], limit: number): ResolvedLink[] {
  const result: ResolvedLink[] = [];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const group of groups) if (group[turn] && result.length < limit) result.push(group[turn]!);
  }
  return result;
}
