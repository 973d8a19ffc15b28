import type { Dropped, Enriched } from "../item.ts";
import { droppedFor } from "./dropped.ts";

/**
 * One experience may be found on several axes; it is printed on one. Sections take turns, each its best that no other has
 * taken, so that an experience that is known for three things does not leave two sections empty. Without sections the
 * better ranked stands for all.
 */
export function oneOfEach(ranked: readonly Enriched[], duplicates: Dropped[]): Enriched[] {
  const sections = new Map<string, Enriched[]>();
  for (const each of ranked) {
    if (each.item.source !== "experience") continue;
    const section = each.section ?? "";
    sections.set(section, [...(sections.get(section) ?? []), each]);
  }
  const taken = new Map<string, Enriched>();
  for (const queues = [...sections.values()]; queues.some((queue) => queue.length > 0); ) {
    for (const queue of queues) {
      const next = queue.findIndex(({ item }) => !taken.has(item.path));
      for (const each of next < 0 ? queue.splice(0) : queue.splice(0, next + 1)) {
        if (!taken.has(each.item.path)) taken.set(each.item.path, each);
      }
    }
  }
  return ranked.flatMap((each) => {
    const survivor = each.item.source === "experience" ? taken.get(each.item.path)! : each;
    if (survivor === each) return [withOthers(each, ranked)];
    duplicates.push(droppedFor(each, "duplicate", survivor.item.id));
    return [];
  });
}

function withOthers(survivor: Enriched, ranked: readonly Enriched[]): Enriched {
  if (survivor.item.source !== "experience") return survivor;
  const others = ranked.filter((each) => each !== survivor && each.item.path === survivor.item.path);
  const merged = others.map(({ item }) => ({ id: item.id, name: item.name, why: `same experience (${item.kind})` }));
  if (merged.length === 0) return survivor;
  return {
    ...survivor,
    merged: [...survivor.merged, ...merged],
    lines: [...survivor.lines, ...rootCauseOf(survivor, others)],
  };
}

/** The whole story says everything but why it failed: where it stands for the root cause as well, it says that too. */
function rootCauseOf(survivor: Enriched, others: Enriched[]): string[] {
  const cause = survivor.item.kind === "experience" ? others.find(({ item }) => item.kind === "root_cause") : undefined;
  if (!cause) return [];
  const said = ["Category", "Description"].flatMap((label) => {
    const line = cause.lines.find((each) => each.startsWith(`${label}: `));
    return line ? [line.slice(label.length + 2)] : [];
  });
  return [`Root cause: ${said.join(" - ")}`];
}
