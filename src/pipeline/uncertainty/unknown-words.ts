import { analyse } from "../../text/analysis/analyse.ts";
import { isFunctionWord } from "../../text/analysis/function-words.ts";
import type { Query, QueryTerm } from "../../text/analysis/query.ts";
import { isGeneric } from "../../text/analysis/question-words.ts";
import { synonymsOf } from "../../text/analysis/synonyms.ts";
import type { Finding } from "../finding.ts";

/** A word of the query that no source contains. `near`: synonyms that some source contains. */
export type UnknownWord = { word: string; near: string[] };

/**
 * Removes words that no source contains from the ranked queries. They cannot match, and they would lower the coverage
 * of every candidate: a question with one foreign word would seem half unanswered.
 */
export function withoutUnknown(
  query: Query,
  findings: readonly Finding[],
): { findings: Finding[]; unknown: UnknownWord[] } {
  const vocabulary = new Set(findings.flatMap(({ evidence }) => [...evidence.units.frequencies.keys()]));
  const hasKnownSynonym = (term: string) => query.also.some((other) => other.of === term && vocabulary.has(other.term));
  const isKnown = ({ term }: QueryTerm) => vocabulary.has(term) || hasKnownSynonym(term);
  const saysNothing = ({ term }: QueryTerm) => !vocabulary.has(term) && (isFunctionWord(term) || isGeneric(term));
  const hints = query.also.filter(({ of }) => of === undefined);
  const knownHints = hints.length === 0 ? 0 : hints.filter(({ term }) => vocabulary.has(term)).length / hints.length;
  const knownFindings = findings.map((finding): Finding => {
    const { terms, title, quoted } = finding.query;
    const knownQuery = { terms: terms.filter(isKnown), title: title.filter(isKnown), quoted: quoted.filter(isKnown) };
    const all = weightOf(terms.filter((each) => !saysNothing(each)));
    const known = all === 0 ? 0 : weightOf(knownQuery.terms) / all;
    return {
      ...finding,
      query: { ...finding.query, ...knownQuery },
      known: known + (1 - known) * knownHints,
    };
  });
  const unknownTerms = new Set(
    query.terms.filter((each) => !vocabulary.has(each.term) && !saysNothing(each)).map(({ term }) => term),
  );
  return {
    findings: knownFindings,
    unknown: wordsOf(query.text, unknownTerms).map((word) => ({ word, near: knownSynonyms(word, vocabulary) })),
  };
}

function weightOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

const words = /[\p{L}\p{N}_$]+/gu;
/** Characters of the query that are read. */
const longestRead = 2000;

/** The words as written whose terms (stems or parts of words) are all unknown. */
function wordsOf(text: string, unknownTerms: ReadonlySet<string>): string[] {
  const unknownWords = new Set<string>();
  for (const [word] of text.slice(0, longestRead).matchAll(words)) {
    const terms = analyse(word);
    if (terms.length > 0 && terms.every((term) => unknownTerms.has(term))) unknownWords.add(word);
  }
  return [...unknownWords];
}

function knownSynonyms(word: string, vocabulary: ReadonlySet<string>): string[] {
  const others = analyse(word).flatMap(synonymsOf);
  return [...new Set(others)].filter((other) => analyse(other).some((term) => vocabulary.has(term)));
}
