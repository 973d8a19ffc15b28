import type { Bm25 } from "../../recipes/recipe.ts";
import type { TermStatistics } from "../../stores/store.ts";
import { heaviestOf, type QueryTerm } from "../../text/analysis/query.ts";
import type { Alternative } from "../../text/analysis/synonyms.ts";
import { entryBytes, fields, frequencySteps, hashAt, type TermField } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import { countTerms, type TermTable, termTable } from "./term-table.ts";

/** A query prepared to score many packed term vectors: hashes and idf are computed once. */
export type WeighedQuery = {
  terms: WeighedTerm[];
  table: TermTable;
  total: number;
  averageLength: number;
};

/**
 * `at`: position in the table. `gain`: weight times idf. `worth`: what it adds to the coverage if matched. `others`:
 * its synonyms and other forms.
 */
type WeighedTerm = {
  hash: number;
  at: number;
  gain: number;
  worth: number;
  known: boolean;
  others: { at: number; gain: number; share: number }[];
  /**
   * A guess of the name in the code: a match makes up for an unmatched word of the query, and no match costs nothing.
   */
  isHint?: true;
};

/** Prepares a query for `scoreTerms`: hashes, idf and synonyms of each term. */
export function weighQuery(
  terms: QueryTerm[],
  { frequencies, count, averageLength }: TermStatistics,
  also: readonly Alternative[] = [],
): WeighedQuery {
  const idf = (term: string) => inverseFrequency(frequencies.get(term) ?? 0, count);
  // Smoothed idf for the coverage: in a workspace of ten texts every word is common, and coverage must not depend on
  // that.
  const smoothedIdf = (term: string) => inverseFrequency(frequencies.get(term) ?? 0, count + imaginaryTexts);
  const positions = new Map<number, number>();
  const positionOf = (hash: number) => {
    const known = positions.get(hash) ?? positions.size;
    positions.set(hash, known);
    return known;
  };
  const weighed = terms.map(({ term, weight }): WeighedTerm => {
    const known = frequencies.has(term);
    const others = also.filter((other) => other.of === term && frequencies.has(other.term));
    const gain = weight * idf(term);
    const hash = hashTerm(term);
    return {
      hash,
      at: positionOf(hash),
      gain,
      // An unknown word has the highest idf. If a synonym is known, it has the idf of the synonym.
      worth:
        weight *
        (known || others.length === 0
          ? smoothedIdf(term)
          : Math.max(...others.map((other) => smoothedIdf(other.term)))),
      known,
      others: others.map((other) => ({
        at: positionOf(hashTerm(other.term)),
        gain: weight * other.share * idf(other.term),
        share: other.share,
      })),
    };
  });
  const total = weighed.reduce((sum, { worth }) => sum + worth, 0);
  const heaviest = heaviestOf(terms);
  for (const { term, of, share } of also) {
    if (of !== undefined || !frequencies.has(term)) continue;
    const weight = heaviest * share;
    const hash = hashTerm(term);
    const [gain, worth] = [weight * idf(term), weight * smoothedIdf(term)];
    weighed.push({ hash, at: positionOf(hash), gain, worth, known: true, others: [], isHint: true });
  }
  return {
    terms: weighed,
    table: termTable([...positions.keys()]),
    total,
    averageLength: Math.max(1, averageLength),
  };
}

/** Smoothing: this many imaginary texts about other subjects are added to the count. */
export const imaginaryTexts = 200;

/** Inverse document frequency (idf), as in BM25. */
export function inverseFrequency(documentFrequency: number, count: number): number {
  return Math.log(1 + (count - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

const noMatch = { score: 0, coverage: 0, matched: 0 };

/**
 * BM25F: term frequencies are weighted by field before saturation. `coverage`: the share of the query's worth that was
 * matched, 0..1; `matched`: how many terms.
 */
export function scoreTerms(
  packed: Uint8Array,
  query: WeighedQuery,
  model: Bm25,
  only?: TermField,
): { score: number; coverage: number; matched: number } {
  if (query.terms.length === 0) return noMatch;
  const length = only === undefined ? lengthOf(packed) : query.averageLength;
  const norm = model.k1 * (1 - model.b + model.b * (length / query.averageLength));
  const frequencies = countTerms(packed, query.table, weightsByField(model, only));
  let score = 0;
  let met = 0;
  let matched = 0;
  for (const term of query.terms) {
    let share = 0;
    const tf = term.known ? frequencies[term.at]! : 0;
    if (tf > 0) {
      score += (term.gain * tf * (model.k1 + 1)) / (tf + norm);
      share = 1;
    }
    for (const other of term.others) {
      const otherTf = frequencies[other.at]!;
      if (otherTf === 0) continue;
      score += (other.gain * otherTf * (model.k1 + 1)) / (otherTf + norm);
      share = Math.max(share, other.share);
    }
    if (share === 0) continue;
    met += share * term.worth;
    if (!term.isHint) matched++;
  }
  return { score, coverage: shareOf(met, query), matched };
}

/** The share of the query's worth, 0..1. Hints add to the matched worth, not to the total. */
function shareOf(met: number, { total }: WeighedQuery): number {
  return total === 0 ? 0 : Math.min(1, met / total);
}

/** Weights that count the terms of these fields only. */
export const countingOnly = (...names: TermField[]) =>
  Float64Array.from(fields, (field) => (names.includes(field) ? 1 : 0));
const bodyFields = countingOnly("comment", "string", "code");
/** A section's own heading, and the headings above it. */
const headingFields = countingOnly("name", "signature");

/**
 * The share of the query that the body contains, 0..1, without name, signature and doc comment. The first occurrence of
 * a term counts half; more occurrences raise it to the whole.
 */
export function bodyCoverage(packed: Uint8Array, query: WeighedQuery): number {
  const { terms, table } = query;
  const frequencies = countTerms(packed, table, bodyFields);
  let met = 0;
  for (const { at, known, worth, others } of terms) {
    let share = known ? saturated(frequencies[at]!) : 0;
    for (const other of others) share = Math.max(share, other.share * saturated(frequencies[other.at]!));
    met += share * worth;
  }
  return shareOf(met, query);
}

/** The share of the query that the headings of a section contain, 0..1. */
export function headingCoverage(packed: Uint8Array, query: WeighedQuery): number {
  const { terms, table } = query;
  const frequencies = countTerms(packed, table, headingFields);
  let met = 0;
  for (const { at, known, worth, others } of terms) {
    let share = known && frequencies[at]! > 0 ? 1 : 0;
    for (const other of others) if (frequencies[other.at]! > 0) share = Math.max(share, other.share);
    met += share * worth;
  }
  return shareOf(met, query);
}

function saturated(frequency: number): number {
  return frequency / (frequency + 1);
}

const packedWeights = new WeakMap<Bm25, Map<TermField | undefined, Float64Array>>();

/** A model's weights in the order of `fields`; with `only`, all other weights are 0. */
function weightsByField(model: Bm25, only: TermField | undefined): Float64Array {
  let ofModel = packedWeights.get(model);
  if (!ofModel) packedWeights.set(model, (ofModel = new Map()));
  let weights = ofModel.get(only);
  if (!weights) {
    const isCounted = (field: TermField) => only === undefined || field === only;
    weights = Float64Array.from(fields, (field) => (isCounted(field) ? model.weights[field] : 0));
    ofModel.set(only, weights);
  }
  return weights;
}

const lengths = new WeakMap<Uint8Array, number>();

/** Document length: the number of terms in all fields. Memoised. */
export function lengthOf(packed: Uint8Array): number {
  let length = lengths.get(packed);
  if (length === undefined) {
    length = 0;
    for (let at = 4; at < packed.length; at += entryBytes) length += frequencySteps[packed[at]! & 31]!;
    lengths.set(packed, length);
  }
  return length;
}

/** Cosine between the query and one field of each item, weighted by idf. */
export function fieldCosines(packed: Uint8Array[], query: WeighedQuery, field: TermField, rareGain: number): number[] {
  const index = fields.indexOf(field);
  const gains = new Map(query.terms.map((term) => [term.hash, term.gain]));
  const queryNorm = Math.sqrt(query.terms.reduce((sum, term) => sum + term.gain * term.gain, 0));
  return packed.map((each) => {
    let dot = 0;
    let norm = 0;
    for (let at = 0; at < each.length; at += entryBytes) {
      if (each[at + 4]! >> 5 !== index) continue;
      const gain = gains.get(hashAt(each, at));
      // Terms outside the query count as rare: their idf is not looked up.
      norm += gain === undefined ? rareGain * rareGain : gain * gain;
      if (gain !== undefined) dot += gain * gain;
    }
    return norm === 0 || queryNorm === 0 ? 0 : dot / (Math.sqrt(norm) * queryNorm);
  });
}
