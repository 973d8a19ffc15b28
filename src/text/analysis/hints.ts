import { analyse, looksLikeIdentifier } from "./analyse.ts";
import type { QueryName } from "./query.ts";
import type { Alternative } from "./synonyms.ts";

/**
 * Hints: other names that the code may use for it. The asker, above all a language model, knows other words than those
 * of the question.
 */

const hintShare = 0.45;
/** A hint that is written as a name, and a plain word, which may be a name. */
const nameWeight = 0.6;
const plainNameWeight = 0.35;
const mostHints = 40;

/** The terms of the hints that the query itself does not have. */
export function hintedTerms(hints: string, terms: readonly string[]): Alternative[] {
  if (hints === "") return [];
  const ownTerms = new Set(terms);
  const others = [...new Set(analyse(hints))].filter((term) => !ownTerms.has(term));
  return others.slice(0, mostHints).map((term) => ({ term, share: hintShare }));
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*/gu;

/** Names that the hints guess. They help to find and to rank, but do not count as asked for. */
export function hintedNames(hints: string, names: readonly QueryName[]): QueryName[] {
  const known = new Set(names.map(({ name }) => name));
  const guessed = [...new Set([...hints.matchAll(word)].map(([name]) => name.replace(/::|#/g, ".")))];
  return guessed
    .filter((name) => name.length > 2 && !known.has(name))
    .slice(0, mostHints)
    .map((name) => ({ name, weight: looksLikeIdentifier(name) ? nameWeight : plainNameWeight }));
}

/** More phrases than this are guesses, most of them wrong; one or two are meant. */
const mostMeant = 2;
const longestPhrase = 3;

/**
 * The names that one or two hints may stand for: `restore_state`, or the words of `MergePolicy` as an agent writes
 * them. A single plain word is just a word. Hints are separated by commas or lines; without these, only hints that are
 * written as names count.
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
