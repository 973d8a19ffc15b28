import { hashTerm } from "../../../text/hash.ts";
import { type ScopeTotals, scoredRange, scoreItems, statisticsOf, termWeights } from "../../search/bm25.ts";
import { largest } from "../../search/matrix.ts";
import type { Hit, Scope, TermStatistics, TextSearch } from "../../store.ts";
import type { ShelfState, ShelfView } from "../engine/shelf.ts";
import { itemsByNumber } from "../items/items.ts";
import { passing } from "./filter.ts";
import { listsOf, searchableOf } from "./searchable.ts";

export async function searchText(view: ShelfView, search: TextSearch): Promise<Hit[]> {
  if (search.limit <= 0 || view.state[`${search.scope}_count`] === 0) return [];
  const weights = termWeights(search.terms);
  const [searchable, allowed] = await Promise.all([searchableOf(view, search.scope), passing(view, search.filter)]);
  const { first, lengths } = searchable;
  const range = scoredRange(first, lengths, allowed);
  if (!range) return [];
  const lists = await listsOf(view, searchable, [...weights.keys()]);
  const scores = scoreItems(weights, lists, lengths, totalsOf(view.state, search.scope), range);
  return best(view, scores, search.limit, allowed, { floor: 0, offset: range.from });
}

export async function termStatistics(view: ShelfView, scope: Scope, terms: readonly string[]): Promise<TermStatistics> {
  const totals = totalsOf(view.state, scope);
  if (totals.count === 0) return statisticsOf([], new Map(), totals);
  const searchable = await searchableOf(view, scope);
  return statisticsOf(terms, await listsOf(view, searchable, [...new Set(terms.map(hashTerm))]), totals);
}

function totalsOf(state: ShelfState, scope: Scope): ScopeTotals {
  return { count: state[`${scope}_count`], length: state[`${scope}_length`] };
}

/**
 * The items with the best scores above `floor` among those that pass, best first, ties by id. `numbers`: the item of
 * each score; without it, its position from `offset` on.
 */
export async function best(
  view: ShelfView,
  scores: Float64Array | Int32Array,
  limit: number,
  allowed: Uint8Array | undefined,
  { floor, numbers, offset = 0 }: { floor?: number; numbers?: Uint32Array; offset?: number },
): Promise<Hit[]> {
  const numberAt = (position: number) => (numbers ? numbers[position]! : position + offset);
  const passes = allowed && ((position: number) => allowed[numberAt(position)] === 1);
  // Copied at once: scores of a matrix are valid until the next search.
  const ranked = largest(scores, limit, { passes, floor }).map((position) => ({
    number: numberAt(position),
    score: scores[position]!,
  }));
  const items = await itemsByNumber(
    view,
    ranked.map(({ number }) => number),
  );
  return ranked
    .map(({ number, score }) => ({ item: items.get(number)!, score }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}
