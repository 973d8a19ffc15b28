import type { Query, QueryTerm } from "../text/query.ts";
import type { Finding } from "./1-resolve.ts";

/** A word of the query that no source has. `near`: other words for it that some source has. */
export type UnknownWord = { word: string; near: string[] };

/**
 * Drops the words that no source knows from the queries that are ranked by. They can meet nothing, and they say nothing about the other
 * words: with them, a question with one foreign word would seem to be half unanswered everywhere.
 */
export function withoutUnknown(
  query: Query,
  findings: readonly Finding[],
): { findings: Finding[]; unknown: UnknownWord[] } {
  const known = new Set(findings.flatMap(({ evidence }) => [...evidence.units.frequencies.keys()]));
  const nearOf = (term: string) => query.also.filter((other) => other.of === term && known.has(other.term));
  const isKnown = ({ term }: QueryTerm) => known.has(term) || nearOf(term).length > 0;
  const strangers = query.terms.filter((each) => !known.has(each.term));
  const kept = findings.map((finding): Finding => {
    const { terms, title, quoted } = finding.query;
    const meant = { terms: terms.filter(isKnown), title: title.filter(isKnown), quoted: quoted.filter(isKnown) };
    const all = terms.reduce((sum, { weight }) => sum + weight, 0);
    const left = meant.terms.reduce((sum, { weight }) => sum + weight, 0);
    return { ...finding, query: { ...finding.query, ...meant }, known: all === 0 ? 0 : left / all };
  });
  const unknown = strangers.map(({ term }) => ({
    word: writtenAs(term, query.text),
    near: nearOf(term).map((other) => other.term),
  }));
  return { findings: kept, unknown };
}

const words = /[\p{L}\p{N}_$]+/gu;

/** A term is the stem of a word: the reader knows the word. */
function writtenAs(term: string, text: string): string {
  for (const [word] of text.matchAll(words)) if (word.toLowerCase().startsWith(term)) return word;
  return term;
}
