import { usageFrequency } from "../../chat/usage-frequency.ts";
import { type Candidate, type Item, sourceTraits } from "../../item.ts";
import { documentIdOf } from "../../sources/documents/document-items.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Adds the signal `usage`: how often an item proved useful. Ages are counted from the newest event, not from a clock.
 */
export async function withUsage(candidates: Candidate[], workspace: Workspace): Promise<Candidate[]> {
  if (candidates.length === 0 || !workspace.hasRecords()) return candidates;
  const library = await workspace.library();
  const ids = new Set(candidates.flatMap(({ item }) => idsOf(item)));
  const events = await library.usage(workspace.owner, [...ids]);
  if (events.size === 0) return candidates;
  const newest = Math.max(...[...events.values()].flat().map(({ at }) => at));
  return candidates.map((candidate) => {
    const used = idsOf(candidate.item).flatMap((id) => events.get(id) ?? []);
    if (used.length === 0) return candidate;
    return { ...candidate, signals: { ...candidate.signals, usage: usageFrequency(used, newest) } };
  });
}

/** Usage of a document counts for all its chunks. */
function idsOf(item: Item): string[] {
  return sourceTraits[item.source].chunks ? [item.id, documentIdOf(item)] : [item.id];
}
