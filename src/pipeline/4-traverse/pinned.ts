import type { Item, Scored } from "../../item.ts";
import type { Request } from "../../options.ts";
import { shelfOfId } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { choicesOf, withoutPinned } from "../item-choices.ts";
import type { Ranking } from "../ranking.ts";

/** Limit on the items that one id prefix may match. */
const mostMatches = 8;

/**
 * Adds pinned items to the ranking: from below the limit, or from the store if the search did not find them. Unknown
 * ids become warnings.
 */
export async function withPinned(ranking: Ranking, request: Request, workspace: Workspace): Promise<Ranking> {
  const { pinned } = choicesOf(request);
  const missing = pinned.filter((id) => !ranking.ranked.some(({ item }) => item.id.startsWith(id)));
  if (missing.length === 0) return ranking;
  const added: Scored[] = [];
  const warnings = [...(ranking.warnings ?? [])];
  for (const id of missing) {
    const scored = ranking.ordered.filter(({ item }) => item.id.startsWith(id));
    const stored = scored.length > 0 ? scored : (await itemsByPrefix(id, workspace)).map(unscored);
    if (stored.length === 0) warnings.push(`${id} is pinned, and is not in this workspace.`);
    added.push(...stored.filter(({ item }) => added.every((other) => other.item.id !== item.id)));
  }
  return {
    ...ranking,
    ranked: [...ranking.ranked, ...added],
    below: withoutPinned(ranking.below, request),
    ...(ranking.beyond ? { beyond: withoutPinned(ranking.beyond, request) } : {}),
    warnings,
  };
}

async function itemsByPrefix(id: string, { store, owner }: Workspace): Promise<Item[]> {
  if (!/^[a-z]{3}-[0-9a-z_-]+$/.test(id)) return [];
  const items = await store.shelf(shelfOfId(id)).itemsByPrefix(owner, id, mostMatches);
  const exact = items.filter((item) => item.id === id);
  return exact.length > 0 ? exact : items;
}

function unscored(item: Item): Scored {
  return { item, signals: {}, distance: 0, score: 0, because: {} };
}
