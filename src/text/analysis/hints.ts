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

/** More phrases than this are a net of guesses, of which most are none; one or two are meant. */
const mostMeant = 2;
const longestPhrase = 3;

/**
 * What one or two hints may be the name of: `restore_state`, or the words of `MergePolicy` as an agent says them. A plain word alone is a word.
 * Parts are divided by commas or lines; without these, hints that are written as names stand for themselves.
 */
export function meantByHints(hints: string): string[] {
  const parts = hints.split(/[,;\n]+/).map((part) => part.trim().replace(/^[`"']+|[`"']+$/g, ""));
  const written = parts.filter((part) => part !== "");
  const phrases = written.flatMap((part) => {
    const words = part.split(/\s+/);
    return words.length > 1 && words.every((one) => looksLikeIdentifier(one)) ? words : [part];
  });
  if (phrases.length === 0 || phrases.length > mostMeant) return [];
  return phrases.flatMap((phrase) => {
    const words = phrase.split(/\s+/);
    const [name] = words;
    if (words.length === 1)
      return looksLikeIdentifier(name!) || /^\p{Lu}\p{Ll}{2,}$/u.test(name!)
        ? [name!.replace(/::|#/g, ".").replace(/\(\)$/, "")]
        : [];
    const isPhrase = words.length <= longestPhrase && words.every((one) => /^\p{L}[\p{L}\p{N}]*$/u.test(one));
    return isPhrase ? [words.join("_"), words.join("")] : [];
  });
}
