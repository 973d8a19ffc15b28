import type { Recipe, Together } from "../../recipes/recipe.ts";
import type { TermStatistics } from "../../stores/store.ts";
import type { Query, QueryTerm } from "../../text/analysis/query.ts";
import { isTaskWord } from "../../text/analysis/task-words.ts";
import { fields, forEachTerm } from "../../text/analysis/terms.ts";
import type { Finding } from "../finding.ts";

import { lengthOf, scoreTerms, weighQuery } from "./bm25.ts";
import { type SignalColumns, shareOfBest } from "./columns.ts";

const noTerms = new Uint8Array(0);

/**
 * The signals of records of several kinds that are ranked as one list: BM25 against the task, and similarity to the
 * best matches. A task uses other words than the records do, but records about one subject share words: the two or
 * three records that match the task lead to the others (pseudo-relevance feedback).
 */
export function measureTogether(findings: readonly Finding[], { records }: Recipe): Map<Finding, SignalColumns> {
  const { model, together } = records;
  const rankedTogether = findings.filter(
    ({ ask, source, candidates }) => candidates.length > 0 && !ask.certain && together?.sources.includes(source.name),
  );
  const [first] = rankedTogether;
  // Only a long task has irrelevant words; in a short query every word counts.
  if (!together || !first || wordsOf(first) < together.fewestTerms) return new Map();
  const packed = rankedTogether.flatMap(({ candidates, evidence }) =>
    candidates.map(({ item }) => evidence.unitTerms.get(item.id) ?? noTerms),
  );
  const statistics = allStatistics(rankedTogether, packed);
  const { query, vocabulary } = withoutForeign(first, statistics);
  const terms = weighQuery(weighedTerms(query, together), statistics, query.also);
  const title = weighQuery(weighedTerms({ terms: query.title }, together), statistics);
  const texts = packed.map((each) => scoreTerms(each, terms, model));
  const titles = packed.map((each) => scoreTerms(each, title, model));
  const text = shareOfBest(texts.map(({ score }) => score));
  const columns = {
    text,
    title: shareOfBest(titles.map(({ score }) => score)),
    neighbours: neighboursOf(packed, text, together, model.weights),
  };
  let from = 0;
  return new Map(
    rankedTogether.map((finding) => {
      const to = from + finding.candidates.length;
      const own = Object.entries(columns).map(([name, column]) => [name, column.slice(from, to)] as const);
      const certainty = texts.slice(from, to).map(({ coverage }, i) => Math.max(coverage, titles[from + i]!.coverage));
      from = to;
      return [finding, { columns: Object.fromEntries(own), certainty, vocabulary }];
    }),
  );
}

/** Number of words of the task, including those that no source contains. */
function wordsOf({ query, known = 1 }: Finding): number {
  return known > 0 ? query.terms.length / known : 0;
}

/**
 * The query without words that only other sources contain: a repository's code contains most words, and the score of
 * records for a task must not depend on that.
 */
function withoutForeign({ query, known = 1 }: Finding, { frequencies }: TermStatistics) {
  const isKnown = ({ term }: QueryTerm) =>
    frequencies.has(term) || query.also.some((other) => other.of === term && frequencies.has(other.term));
  const terms = query.terms.filter(isKnown);
  const weightOf = (each: readonly QueryTerm[]) => each.reduce((sum, { weight }) => sum + weight, 0);
  const share = weightOf(terms) / Math.max(Number.EPSILON, weightOf(query.terms));
  return {
    query: { ...query, terms, title: query.title.filter(isKnown) },
    vocabulary: { words: terms.length, known: known * share },
  };
}

function weighedTerms({ terms }: Pick<Query, "terms">, { taskWords }: Together): Query["terms"] {
  return terms.map(({ term, weight }) => ({ term, weight: isTaskWord(term) ? weight * taskWords : weight }));
}

/**
 * Term statistics as if all records were on one shelf. Shelves contain other kinds too, so the average length is that
 * of the candidates.
 */
function allStatistics(findings: readonly Finding[], packed: readonly Uint8Array[]): TermStatistics {
  const frequencies = new Map<string, number>();
  let count = 0;
  for (const { evidence } of findings) {
    const { units } = evidence;
    for (const [term, frequency] of units.frequencies) frequencies.set(term, (frequencies.get(term) ?? 0) + frequency);
    count += units.count;
  }
  const length = packed.reduce((sum, each) => sum + lengthOf(each), 0);
  return { frequencies, count, averageLength: length / Math.max(1, packed.length) };
}

/** The signal `neighbours`: cosine similarity to the best few records, weighted by the cube of their score. 0..1. */
function neighboursOf(
  packed: readonly Uint8Array[],
  text: readonly number[],
  { best }: Together,
  weights: Record<string, number>,
): number[] {
  const vectors = vectorsOf(packed, weights);
  const leading = text
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, best);
  const similarities = packed.map((_, index) =>
    leading.reduce(
      (sum, lead) =>
        lead.index === index ? sum : sum + lead.score ** 3 * cosine(vectors[index]!, vectors[lead.index]!),
      0,
    ),
  );
  return shareOfBest(similarities);
}

type Vector = { weights: Map<number, number>; norm: number };

/**
 * tf-idf vectors, with idf among the candidates themselves: a word that all of them contain does not distinguish any.
 */
function vectorsOf(packed: readonly Uint8Array[], fieldWeights: Record<string, number>): Vector[] {
  const counts = packed.map((each) => {
    const byTerm = new Map<number, number>();
    forEachTerm(each, (hash, field, frequency) => {
      byTerm.set(hash, (byTerm.get(hash) ?? 0) + frequency * fieldWeights[fields[field]!]!);
    });
    return byTerm;
  });
  const documentFrequencies = new Map<number, number>();
  for (const byTerm of counts)
    for (const hash of byTerm.keys()) documentFrequencies.set(hash, (documentFrequencies.get(hash) ?? 0) + 1);
  return counts.map((byTerm) => {
    const weights = new Map<number, number>();
    let sum = 0;
    for (const [hash, frequency] of byTerm) {
      const weight = Math.log1p(frequency) * Math.log(packed.length / documentFrequencies.get(hash)!);
      sum += weight * weight;
      if (documentFrequencies.get(hash)! > 1) weights.set(hash, weight);
    }
    return { weights, norm: Math.sqrt(sum) };
  });
}

function cosine(a: Vector, b: Vector): number {
  if (a.norm === 0 || b.norm === 0) return 0;
  const [small, large] = a.weights.size < b.weights.size ? [a, b] : [b, a];
  let dot = 0;
  for (const [hash, weight] of small.weights) dot += weight * (large.weights.get(hash) ?? 0);
  return dot / (a.norm * b.norm);
}
