import type { Look } from "../../recipes/recipe.ts";
import type { Unique } from "../unique.ts";

/**
 * The best of several kinds under one title, before the sections of each kind: whoever reads only the beginning has read what matters most.
 * Few enough to be read at once need no such title.
 */
export function withForemost(ranked: readonly Unique[], { foremost }: Look): readonly Unique[] {
  if (!foremost) return ranked;
  const records = ranked.filter(({ item, section }) => section === undefined && foremost.sources.includes(item.source));
  if (records.length <= foremost.count) return ranked;
  const first = new Set(records.slice(0, foremost.count));
  return ranked.map((unique) => (first.has(unique) ? { ...unique, section: foremost.title } : unique));
}
