import { hashTerm } from "../../text/hash.ts";
import { columnWeights, planTerms } from "../plan.ts";
import type { Hit, Scope, TermStatistics, TextSearch } from "../store.ts";
import { type Conditions, conditions } from "./filter.ts";
import { frequencyReader } from "./frequencies.ts";
import { itemsByNumber } from "./items.ts";
import { findOwner, type Owner, type Session } from "./owner.ts";

export function searchText(session: Session, ownerName: string, search: TextSearch): Hit[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || search.limit <= 0) return [];
    const frequencies = documentFrequencies(session, owner, search.scope, search.terms.map(({ term }) => term));
    const { finding, ranking } = planTerms(search.terms, frequencies, owner[`${search.scope}_count`]);
    if (finding.length === 0) return [];
    const where = conditions(session, owner, search.filter);
    const best = new Map<number, number>();
    const look = (query: string) => {
      for (const { id, score } of match(session, owner, search, query, where)) {
        best.set(id, Math.max(best.get(id) ?? 0, -score));
      }
    };
    look(anyOf(finding));
    if (ranking.length > 0) {
      look(`(${anyOf(finding)}) AND (${anyOf(ranking)})`);
      if (best.size < search.limit) look(anyOf(ranking));
    }
    return hits(session, owner, best, search.limit);
  });
}

export function termStatistics(session: Session, ownerName: string, scope: Scope, terms: string[]): TermStatistics {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner) return { count: 0, averageLength: 0, frequencies: new Map() };
    const count = owner[`${scope}_count`];
    return {
      count,
      averageLength: count === 0 ? 0 : owner[`${scope}_length`] / count,
      frequencies: documentFrequencies(session, owner, scope, terms),
    };
  });
}

/** In how many items each term occurs; terms that occur in none are absent. */
function documentFrequencies(session: Session, owner: Owner, scope: Scope, terms: string[]): Map<string, number> {
  const frequency = frequencyReader(session, owner, scope);
  const found = new Map<string, number>();
  for (const term of terms) {
    const count = frequency(hashTerm(term));
    if (count > 0) found.set(term, count);
  }
  return found;
}

function match(
  { database }: Session,
  owner: Owner,
  { scope, limit }: TextSearch,
  query: string,
  where: Conditions,
): { id: number; score: number }[] {
  const table = `${scope}_${owner.id}`;
  const { name, path, doc, body } = columnWeights;
  const join = where.sql === "" ? "" : `CROSS JOIN items AS i ON i.id = t.rowid${where.sql}`;
  return database.all(
    `SELECT t.rowid AS id, bm25(${table}, ${name}, ${path}, ${doc}, ${body}) AS score FROM ${table} AS t ${join}
     WHERE ${table} MATCH ? ORDER BY score, t.rowid LIMIT ?`,
    [...where.values, query, limit],
  );
}

/** A disjunction of terms; quoted, so that no character of a term is syntax. */
export function anyOf(terms: string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""').replaceAll("\0", " ")}"`).join(" OR ");
}

/** The best items by score, ties by id. */
export function hits(session: Session, owner: Owner, scores: Map<number, number>, limit: number): Hit[] {
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
  const items = itemsByNumber(session, owner, ranked.map(([number]) => number));
  return ranked
    .map(([number, score]) => ({ item: items.get(number)!, score }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
}
