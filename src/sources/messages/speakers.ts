import { roles } from "../../stores/library.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { withoutTimes } from "../../text/times/times.ts";

/** The speakers that a question names, and the terms that are only their names. */
export type NamedSpeakers = { speakers: Set<string>; terms: Set<string> };

const roleNames = new Set<string>(roles);

/**
 * The speakers that a question names. Speakers mention each other's names, so searching for a name would find the wrong
 * turns. A name counts with its capital, or in a question without any capitals, so that "mark the day" does not name
 * Mark.
 */
export function namedIn(text: string, speakers: Iterable<string>): NamedSpeakers {
  const words = new Set(text.match(/[\p{L}\p{N}]+/gu) ?? []);
  const small = text === text.toLowerCase();
  const result: NamedSpeakers = { speakers: new Set(), terms: new Set() };
  for (const speaker of speakers) {
    if (roleNames.has(speaker)) continue;
    for (const part of speaker.match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (part.length < 2 || !(words.has(part) || (small && words.has(part.toLowerCase())))) continue;
      const terms = analyse(part);
      if (terms.length === 0) continue;
      result.speakers.add(speaker);
      for (const term of terms) result.terms.add(term);
    }
  }
  return result;
}

/**
 * The terms of a question that may occur in messages: names of speakers and dates are left out, unless the question has
 * no other terms. Messages rarely contain the year or the speaker's own name.
 */
export function spokenTerms<Term extends { term: string }>(
  terms: Term[],
  text: string,
  { terms: names }: NamedSpeakers,
): Term[] {
  const undated = withoutTimes(text);
  const undatedTerms = undated === text ? undefined : new Set(analyse(undated));
  const rest = terms.filter(({ term }) => !names.has(term) && (undatedTerms?.has(term) ?? true));
  return rest.length > 0 ? rest : terms;
}
