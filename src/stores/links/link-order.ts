import type { ResolvedLink } from "../store.ts";
import { linkCodes } from "./link-codes.ts";

/** By kind, then by the other end, each link once. */
export function inOrder(found: ResolvedLink[]): ResolvedLink[] {
  const unique = new Map<string, ResolvedLink>();
  for (const link of found) {
    const key = `${link.kind} ${link.from} ${link.to}`;
    const known = unique.get(key);
    if (link.from === link.to) continue;
    if (known && link.texts) known.texts = [...new Set([...(known.texts ?? []), ...link.texts])].sort();
    else if (!known) unique.set(key, link);
  }
  const position = (link: ResolvedLink) => `${linkCodes[link.kind]} ${link.from} ${link.to}`;
  return [...unique.values()].sort((a, b) => (position(a) < position(b) ? -1 : 1));
}

/** One of each item's links, then a second of each: no item uses up the limit of the others. */
export function takeInTurn(groups: ResolvedLink[][], limit: number): ResolvedLink[] {
  const taken: ResolvedLink[] = [];
  const longest = Math.max(0, ...groups.map((group) => group.length));
  for (let turn = 0; turn < longest; turn++) {
    for (const group of groups) if (group[turn] && taken.length < limit) taken.push(group[turn]!);
  }
  return taken;
}
