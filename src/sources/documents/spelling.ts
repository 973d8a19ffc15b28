import type { Store } from "../../stores/store.ts";
import type { Query, QueryTerm } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { knownWords } from "./vocabulary.ts";

/** A query word that is in no document, and its probable correction. `weight`: for searching; a guess counts less. */
export type Correction = { term: string; instead: string; weight: number };

/** Limits of corrected words, and of guesses for each. */
const mostCorrected = 6;
const guessesEach = 2;
const nearestEach = 6;
const guessWeight = 0.7;

/** Corrections of the misspelt words of a query: "knowlege" is in no document, "knowledge" is. */
export async function correctionsOf(query: Query, { store, owner }: Workspace): Promise<Correction[]> {
  const shelf = store.shelf("document");
  const searchTerms = query.terms.map(({ term }) => term);
  const { frequencies, count } = await shelf.termStatistics(owner, "unit", searchTerms);
  const unknown = query.terms.filter(({ term }) => !frequencies.has(term)).slice(0, mostCorrected);
  return count === 0 || unknown.length === 0 ? [] : guess(unknown, shelf, owner);
}

async function guess(unknown: QueryTerm[], shelf: Store, owner: string): Promise<Correction[]> {
  const words = await knownWords(shelf, owner);
  const nearest = unknown.map(({ term, weight }) => ({
    term,
    weight,
    similar: words.similar(term).slice(0, nearestEach),
  }));
  const guesses = nearest.flatMap(({ similar }) => similar.map(({ word }) => word));
  if (guesses.length === 0) return [];
  const { frequencies } = await shelf.termStatistics(owner, "unit", guesses);
  return nearest.flatMap(({ term, weight, similar }) => {
    const living = similar.filter(({ word }) => frequencies.has(word));
    const closest = living.filter(({ distance }) => distance === living[0]!.distance);
    return closest
      .sort((a, b) => frequencies.get(b.word)! - frequencies.get(a.word)!)
      .slice(0, guessesEach)
      .map(({ word, distance }, i) => ({ term, instead: word, weight: (weight * guessWeight) / (distance + i) }));
  });
}

/**
 * The query with its misspelt words replaced, so that ranking counts the corrections; the same query when there are
 * none.
 */
export function withCorrections(query: Query, corrections: readonly Correction[]): Query {
  if (corrections.length === 0) return query;
  const byTerm = new Map<string, Correction[]>();
  for (const each of corrections) byTerm.set(each.term, [...(byTerm.get(each.term) ?? []), each]);
  const corrected = (terms: QueryTerm[]) =>
    terms.flatMap((each) => {
      const guesses = byTerm.get(each.term);
      if (!guesses) return [each];
      const strongest = guesses[0]!.weight;
      return guesses.map(({ instead, weight }) => ({
        term: instead,
        weight: (each.weight * guessWeight * weight) / strongest,
      }));
    });
  return { ...query, terms: corrected(query.terms), title: corrected(query.title) };
}
