import { hashTerm } from "../../../text/hash.ts";
import {
  type ScopeTotals,
  type ScoredRange,
  scoredRange,
  scoreItems,
  statisticsOf,
  termWeights,
} from "../../search/bm25.ts";
import { largest } from "../../search/matrix.ts";
import type { Filter, Hit, Scope, TermStatistics, TextSearch, WeightedTerm } from "../../store.ts";
import { findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsByNumber } from "../items/items.ts";
import { passing } from "./filter.ts";
import { type Searchable, searchableOf } from "./searchable.ts";

export function searchText(session: StoreSession, ownerName: string, search: TextSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.limit <= 0) return [];
    const searchable = searchableOf(session, owner, search.scope);
    const { first, lengths } = searchable;
    const range = scoredRange(first, lengths, passing(session, owner, search.filter));
    if (!range) return [];
    const { scores, from } = scoresIn(range, searchable, totalsOf(owner, search.scope), search.terms);
    return best(session, owner, scores, search, { floor: 0, offset: from });
  });
}

/** A search of a smaller share scores its own items only; a larger one scores all items, for later searches. */
const largePart = 1 / 2;

/**
 * The scores of a range of items, or of all items: a query searches for the best tests and for the best other items by
 * the same terms.
 */
function scoresIn(
  { from, to }: ScoredRange,
  searchable: Searchable,
  totals: ScopeTotals,
  terms: readonly WeightedTerm[],
): { scores: Float64Array; from: number } {
  const { first, lengths, lists } = searchable;
  const weights = termWeights(terms);
  const score = (range: ScoredRange) => scoreItems(weights, lists([...weights.keys()]), lengths, totals, range);
  if (to - from < largePart * (lengths.length - first)) return { scores: score({ from, to }), from };
  const key = JSON.stringify([...weights]);
  if (searchable.lastScored?.key !== key)
    searchable.lastScored = { key, scores: score({ from: first, to: lengths.length - 1 }) };
  return { scores: searchable.lastScored.scores, from: first };
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
 * The items with the best scores above `floor`, best first, ties by id. `numbers`: the item of each score; without it,
 * the item number is the position plus `offset`.
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

/** A disjunction for FTS5. Terms are quoted, so that no character is read as syntax. */
export function anyOf(terms: string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""').replaceAll("\0", " ")}"`).join(" OR ");
}
