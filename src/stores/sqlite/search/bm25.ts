import { hashTerm } from "../../../text/hash.ts";
import { type ScopeTotals, scoredRange, scoreItems, statisticsOf, termWeights } from "../../search/bm25.ts";
import { largest } from "../../search/matrix.ts";
import type { Filter, Hit, Scope, TermStatistics, TextSearch } from "../../store.ts";
import { findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsByNumber } from "../items/items.ts";
import { passing } from "./filter.ts";
import { searchableOf } from "./searchable.ts";

export function searchText(session: StoreSession, ownerName: string, search: TextSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.limit <= 0) return [];
    const weights = termWeights(search.terms);
    const { first, lengths, lists } = searchableOf(session, owner, search.scope);
    const range = scoredRange(first, lengths, passing(session, owner, search.filter));
    if (!range) return [];
    const scores = scoreItems(weights, lists([...weights.keys()]), lengths, totalsOf(owner, search.scope), range);
    return best(session, owner, scores, search, { floor: 0, offset: range.from });
  });
}

function totalsOf(owner: Owner, scope: Scope): ScopeTotals {
  return { count: owner[`${scope}_count`], length: owner[`${scope}_length`] };
}

export function termStatistics(
  session: StoreSession,
  ownerName: string,
  scope: Scope,
  terms: string[],
): TermStatistics {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner) return { count: 0, averageLength: 0, frequencies: new Map() };
    const lists = searchableOf(session, owner, scope).lists([...new Set(terms.map(hashTerm))]);
    return statisticsOf(terms, lists, totalsOf(owner, scope));
  });
}

/**
 * The items with the best scores above `floor`, best first, ties by id. `numbers`: the item of each score; without it, its position from
 * `offset` on.
 */
export function best(
  session: StoreSession,
  owner: Owner,
  scores: Float64Array | Int32Array,
  { limit, filter }: { limit: number; filter?: Filter },
  { floor, numbers, offset = 0 }: { floor?: number; numbers?: Uint32Array; offset?: number },
): Hit[] {
  const numberAt = (position: number) => (numbers ? numbers[position]! : position + offset);
  const allowed = passing(session, owner, filter);
  const passes = allowed && ((position: number) => allowed[numberAt(position)] === 1);
  const ranked = largest(scores, limit, { passes, floor });
  const items = itemsByNumber(session, owner, ranked.map(numberAt));
  return ranked
    .map((position) => ({ item: items.get(numberAt(position))!, score: scores[position]! }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}

/** A disjunction for FTS5; quoted, so that no character of a term is syntax. */
export function anyOf(terms: string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""').replaceAll("\0", " ")}"`).join(" OR ");
}
