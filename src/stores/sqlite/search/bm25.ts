import { hashTerm } from "../../../text/hash.ts";
import type { Filter, Hit, Scope, TermStatistics, TextSearch } from "../../store.ts";
import { findOwner, type Owner, type StoreSession } from "../engine/owner.ts";
import { itemsByNumber } from "../items/items.ts";
import { passing } from "./filter.ts";
import { largest } from "./matrix.ts";
import { searchableOf } from "./searchable.ts";

/** BM25 of phase one. The frequency of a term is weighted by field first, see postings.ts. */
const saturation = 1.2;
const lengthShare = 0.75;

export function searchText(session: StoreSession, ownerName: string, search: TextSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.limit <= 0) return [];
    const weights = new Map<number, number>();
    for (const { term, weight } of search.terms) {
      if (weight > 0) weights.set(hashTerm(term), (weights.get(hashTerm(term)) ?? 0) + weight);
    }
    const { first, lengths } = searchableOf(session, owner, search.scope);
    // Items that were written together, such as those of a thread, have numbers near to each other: the others need no score.
    const allowed = passing(session, owner, search.filter);
    const from = Math.max(first, allowed?.indexOf(1) ?? 0);
    const to = Math.min(lengths.length - 1, allowed?.lastIndexOf(1) ?? lengths.length);
    if (from > to || allowed?.indexOf(1) === -1) return [];
    const scores = scoreAll(session, owner, search.scope, weights, { from, to });
    return best(session, owner, scores, search, { floor: 0, offset: from });
  });
}

/** The score of every item from one number to another; 0 where no term occurs. */
function scoreAll(
  session: StoreSession,
  owner: Owner,
  scope: Scope,
  weights: Map<number, number>,
  { from, to }: { from: number; to: number },
): Float64Array {
  const { lengths, lists } = searchableOf(session, owner, scope);
  const count = owner[`${scope}_count`];
  const averageLength = Math.max(1, owner[`${scope}_length`] / Math.max(1, count));
  const base = saturation * (1 - lengthShare);
  const slope = (saturation * lengthShare) / averageLength;
  const scores = new Float64Array(to - from + 1);
  for (const [term, { numbers, frequencies }] of lists([...weights.keys()])) {
    const rarity = Math.log(1 + (count - numbers.length + 0.5) / (numbers.length + 0.5));
    const gain = weights.get(term)! * rarity * (saturation + 1);
    for (let i = positionOf(from, numbers); i < numbers.length; i++) {
      const number = numbers[i]!;
      if (number > to) break;
      const frequency = frequencies[i]!;
      scores[number - from]! += (gain * frequency) / (frequency + base + slope * (lengths[number]! - 1));
    }
  }
  return scores;
}

/** Where a number is, or would be, among ascending ones. */
function positionOf(number: number, numbers: Uint32Array): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
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
    const count = owner[`${scope}_count`];
    const lists = searchableOf(session, owner, scope).lists([...new Set(terms.map(hashTerm))]);
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const list = lists.get(hashTerm(term));
      if (list) frequencies.set(term, list.numbers.length);
    }
    return { count, averageLength: count === 0 ? 0 : owner[`${scope}_length`] / count, frequencies };
  });
}

/** The items with the best scores above `floor`, best first, ties by id. `numbers` tells whose each score is; without it, its position from `offset` on. */
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
