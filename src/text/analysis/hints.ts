import { analyse, looksLikeIdentifier } from "./analyse.ts";
import type { QueryName } from "./query.ts";
import type { Alternative } from "./synonyms.ts";

/** Hints: what else the code may call it. Who asks knows other words than those of the question, above all a language model. */

const hintShare = 0.45;
/** What is written as a name, and a plain word, which may be one. */
const nameWeight = 0.6;
const plainNameWeight = 0.35;
const mostHints = 40;

/** The terms of the hints that are no terms of the query. */
export function hintedTerms(hints: string, terms: readonly string[]): Alternative[] {
  if (hints === "") return [];
  const ownTerms = new Set(terms);
  const others = [...new Set(analyse(hints))].filter((term) => !ownTerms.has(term));
  return others.slice(0, mostHints).map((term) => ({ term, share: hintShare }));
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** Names that the hints guess. They help to find and to rank; nothing is asked for by them. */
export function hintedNames(hints: string, names: readonly QueryName[]): QueryName[] {
  const known = new Set(names.map(({ name }) => name));
  const guessed = [...new Set([...hints.matchAll(word)].map(([name]) => name.replace(/::|#/g, ".")))];
  return guessed
    .filter((name) => name.length > 2 && !known.has(name))
    .slice(0, mostHints)
    .map((name) => ({ name, weight: looksLikeIdentifier(name) ? nameWeight : plainNameWeight }));
}
