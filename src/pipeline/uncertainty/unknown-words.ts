import { analyse } from "../../text/analysis/analyse.ts";
import type { Query, QueryTerm } from "../../text/analysis/query.ts";
import { synonymsOf } from "../../text/analysis/synonyms.ts";
import type { Finding } from "../finding.ts";

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
  const vocabulary = new Set(findings.flatMap(({ evidence }) => [...evidence.units.frequencies.keys()]));
  const hasOther = (term: string) => query.also.some((other) => other.of === term && vocabulary.has(other.term));
  const isKnown = ({ term }: QueryTerm) => vocabulary.has(term) || hasOther(term);
  const knownParts = findings.map((finding): Finding => {
    const { terms, title, quoted } = finding.query;
    const meant = { terms: terms.filter(isKnown), title: title.filter(isKnown), quoted: quoted.filter(isKnown) };
    const all = weightOf(terms);
    return { ...finding, query: { ...finding.query, ...meant }, known: all === 0 ? 0 : weightOf(meant.terms) / all };
  });
  const strangers = new Set(query.terms.filter(({ term }) => !vocabulary.has(term)).map(({ term }) => term));
  return {
    findings: knownParts,
    unknown: wordsOf(query.text, strangers).map((word) => ({ word, near: knownNear(word, vocabulary) })),
  };
}

function weightOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

const words = /[\p{L}\p{N}_$]+/gu;
/** Of a long text only the beginning is read for them. */
const longestRead = 2000;

/** A term is the stem of a word or a part of it: the reader knows the word. */
function wordsOf(text: string, strangers: ReadonlySet<string>): string[] {
  const written = new Set<string>();
  for (const [word] of text.slice(0, longestRead).matchAll(words)) {
    const terms = analyse(word);
    if (terms.length > 0 && terms.every((term) => strangers.has(term))) written.add(word);
  }
  return [...written];
}

function knownNear(word: string, known: ReadonlySet<string>): string[] {
  const others = analyse(word).flatMap(synonymsOf);
  return [...new Set(others)].filter((other) => analyse(other).some((term) => known.has(term)));
}
