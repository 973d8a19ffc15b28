import { hashTerm } from "../../text/hash.ts";
import type { Filter, Hit, Scope, TermStatistics, TextSearch } from "../store.ts";
import { passing } from "./filter.ts";
import { itemsByNumber } from "./items.ts";
import { largest } from "./matrix.ts";
import { findOwner, type Owner, type Session } from "./owner.ts";
import { searchableOf } from "./searchable.ts";

/** BM25 of phase one. The frequency of a term is weighted by field first, see postings.ts. */
const saturation = 1.2;
const lengthShare = 0.75;

export function searchText(session: Session, ownerName: string, search: TextSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.limit <= 0) return [];
    const weights = new Map<number, number>();
    for (const { term, weight } of search.terms) {
      if (weight > 0) weights.set(hashTerm(term), (weights.get(hashTerm(term)) ?? 0) + weight);
    }
    const scores = scoreAll(session, owner, search.scope, weights);
    const { first } = searchableOf(session, owner, search.scope);
    return best(session, owner, scores, search, { floor: 0, first });
  });
}

/** The score of every item, by its number; 0 where no term occurs. */
function scoreAll(session: Session, owner: Owner, scope: Scope, weights: Map<number, number>): Float64Array {
  const { lengths, lists } = searchableOf(session, owner, scope);
  const count = owner[`${scope}_count`];
  const averageLength = Math.max(1, owner[`${scope}_length`] / Math.max(1, count));
  const base = saturation * (1 - lengthShare);
  const slope = (saturation * lengthShare) / averageLength;
  const scores = new Float64Array(lengths.length);
  for (const [term, { numbers, frequencies }] of lists([...weights.keys()])) {
    const rarity = Math.log(1 + (count - numbers.length + 0.5) / (numbers.length + 0.5));
    const gain = weights.get(term)! * rarity * (saturation + 1);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      const frequency = frequencies[i]!;
      scores[number]! += (gain * frequency) / (frequency + base + slope * (lengths[number]! - 1));
    }
  }
  return scores;
}

export function termStatistics(session: Session, ownerName: string, scope: Scope, terms: string[]): TermStatistics {
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

/** The items with the best scores above `floor`, best first, ties by id. `numbers` tells whose each score is; without it, its position does. */
export function best(
  session: Session,
  owner: Owner,
  scores: Float64Array | Int32Array,
  { limit, filter }: { limit: number; filter?: Filter },
  { floor, numbers, first }: { floor?: number; numbers?: Uint32Array; first?: number },
): Hit[] {
  const numberAt = (position: number) => (numbers ? numbers[position]! : position);
  const allowed = passing(session, owner, filter);
  const passes = allowed && ((position: number) => allowed[numberAt(position)] === 1);
  const ranked = largest(scores, limit, { passes, floor, first });
  const items = itemsByNumber(session, owner, ranked.map(numberAt));
  return ranked
    .map((position) => ({ item: items.get(numberAt(position))!, score: scores[position]! }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}

/** A disjunction for FTS5; quoted, so that no character of a term is syntax. */
export function anyOf(terms: string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""').replaceAll("\0", " ")}"`).join(" OR ");
}
