import { roles } from "../../stores/library.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { withoutTimes } from "../../text/times/times.ts";

/** Who a question names among those who speak, and the terms that are nothing but their names. */
export type Named = { speakers: Set<string>; terms: Set<string> };

const roleNames = new Set<string>(roles);

/**
 * Everyone says the name of the other: it finds the wrong turns. A name counts as written, or in a question that has no capital at all,
 * so that "mark the day" does not name Mark.
 */
export function namedIn(text: string, speakers: Iterable<string>): Named {
  const words = new Set(text.match(/[\p{L}\p{N}]+/gu) ?? []);
  const small = text === text.toLowerCase();
  const named: Named = { speakers: new Set(), terms: new Set() };
  for (const speaker of speakers) {
    if (roleNames.has(speaker)) continue;
    for (const part of speaker.match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (part.length < 2 || !(words.has(part) || (small && words.has(part.toLowerCase())))) continue;
      const terms = analyse(part);
      if (terms.length === 0) continue;
      named.speakers.add(speaker);
      for (const term of terms) named.terms.add(term);
    }
  }
  return named;
}

/**
 * The terms of a question that can be in what was said: without the names of who speaks and the dates it names, unless these are all it
 * has. Nobody says the year, or the own name.
 */
export function spokenTerms<Term extends { term: string }>(
  terms: Term[],
  text: string,
  { terms: names }: Named,
): Term[] {
  const undated = withoutTimes(text);
  const said = undated === text ? undefined : new Set(analyse(undated));
  const rest = terms.filter(({ term }) => !names.has(term) && (said?.has(term) ?? true));
  return rest.length > 0 ? rest : terms;
}
