import type { Bm25 } from "../../recipes/recipe.ts";
import type { TermStatistics } from "../../stores/store.ts";
import type { QueryTerm } from "../../text/analysis/query.ts";
import type { Alternative } from "../../text/analysis/synonyms.ts";
import { fields, forEachTerm, frequencies, type TermField } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";

/** A query made ready to score many packed term vectors: hashes and idf are computed once. */
export type WeighedQuery = {
  terms: WeighedTerm[];
  total: number;
  averageLength: number;
};

/** `gain`: its weight times idf. `worth`: what it adds to the coverage if matched. `others`: its synonyms and other forms. */
type WeighedTerm = {
  hash: number;
  gain: number;
  worth: number;
  known: boolean;
  others: { hash: number; gain: number; share: number }[];
};

/** Prepares a query for `scoreTerms`: hashes, idf and synonyms of each term. */
export function weighQuery(
  terms: QueryTerm[],
  { frequencies, count, averageLength }: TermStatistics,
  also: readonly Alternative[] = [],
): WeighedQuery {
  const idf = (term: string) => inverseFrequency(frequencies.get(term) ?? 0, count);
  // Smoothed idf for the coverage: in a workspace of ten texts every word is common, and coverage must not depend on that.
  const smoothedIdf = (term: string) => inverseFrequency(frequencies.get(term) ?? 0, count + imaginaryTexts);
  const weighed = terms.map(({ term, weight }): WeighedTerm => {
    const known = frequencies.has(term);
    const others = also.filter((other) => other.of === term && frequencies.has(other.term));
    const gain = weight * idf(term);
    return {
      hash: hashTerm(term),
      gain,
      // An unknown word has the highest idf, unless a synonym is known: then it has the idf of the synonym.
      worth:
        weight *
        (known || others.length === 0
          ? smoothedIdf(term)
          : Math.max(...others.map((other) => smoothedIdf(other.term)))),
      known,
      others: others.map((other) => ({
        hash: hashTerm(other.term),
        gain: weight * other.share * idf(other.term),
        share: other.share,
      })),
    };
  });
  return {
    terms: weighed,
    total: weighed.reduce((sum, { worth }) => sum + worth, 0),
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
const scratch = new Uint16Array(fields.length);

/** BM25F: term frequencies are weighted by field before saturation. `coverage`: the share of the query's worth that was matched, 0..1; `matched`: how many terms. */
export function scoreTerms(
  packed: Uint8Array,
  query: WeighedQuery,
  model: Bm25,
  only?: TermField,
): { score: number; coverage: number; matched: number } {
  if (query.terms.length === 0) return noMatch;
  const length = only === undefined ? lengthOf(packed) : query.averageLength;
  const norm = model.k1 * (1 - model.b + model.b * (length / query.averageLength));
  let score = 0;
  let met = 0;
  let matched = 0;
  for (const term of query.terms) {
    let share = 0;
    const tf = term.known ? frequencyOf(packed, term.hash, model, only) : 0;
    if (tf > 0) {
      score += (term.gain * tf * (model.k1 + 1)) / (tf + norm);
      share = 1;
    }
    for (const other of term.others) {
      const otherTf = frequencyOf(packed, other.hash, model, only);
      if (otherTf === 0) continue;
      score += (other.gain * otherTf * (model.k1 + 1)) / (otherTf + norm);
      share = Math.max(share, other.share);
    }
    if (share === 0) continue;
    met += share * term.worth;
    matched++;
  }
  return { score, coverage: query.total === 0 ? 0 : met / query.total, matched };
}

const placesOf = (names: TermField[]) => names.map((field) => fields.indexOf(field));
const bodyFields = placesOf(["comment", "string", "code"]);
/** A section's own heading, and those above it. */
const headingFields = placesOf(["name", "signature"]);

/** The share of the query that the body has, 0..1, whatever its name, signature and doc comment say. The first occurrence of a term counts half, more of them up to all of it. */
export function bodyCoverage(packed: Uint8Array, { terms, total }: WeighedQuery): number {
  if (total === 0) return 0;
  let met = 0;
  for (const { hash, known, worth, others } of terms) {
    let share = known ? saturated(frequencyIn(packed, hash, bodyFields)) : 0;
    for (const other of others)
      share = Math.max(share, other.share * saturated(frequencyIn(packed, other.hash, bodyFields)));
    met += share * worth;
  }
  return met / total;
}

/** The share of the query that the headings of a section have, 0..1. */
export function headingCoverage(packed: Uint8Array, { terms, total }: WeighedQuery): number {
  if (total === 0) return 0;
  const has = (hash: number) => Number(frequencyIn(packed, hash, headingFields) > 0);
  return (
    terms.reduce((met, { hash, known, worth, others }) => {
      const share = Math.max(known ? has(hash) : 0, ...others.map((other) => other.share * has(other.hash)));
      return met + share * worth;
    }, 0) / total
  );
}

function frequencyIn(packed: Uint8Array, hash: number, places: readonly number[]): number {
  scratch.fill(0);
  if (!frequencies(packed, hash, scratch)) return 0;
  return places.reduce((sum, field) => sum + scratch[field]!, 0);
}

function saturated(frequency: number): number {
  return frequency / (frequency + 1);
}

/** Term frequency, weighted by field. */
function frequencyOf(packed: Uint8Array, hash: number, { weights }: Bm25, only: TermField | undefined): number {
  scratch.fill(0);
  if (!frequencies(packed, hash, scratch)) return 0;
  if (only !== undefined) return weights[only] * scratch[fields.indexOf(only)]!;
  let tf = 0;
  for (let field = 0; field < fields.length; field++) {
    if (scratch[field] !== 0) tf += weights[fields[field]!] * scratch[field]!;
  }
  return tf;
}

const lengths = new WeakMap<Uint8Array, number>();

/** Document length: the number of terms in all fields. Memoised. */
export function lengthOf(packed: Uint8Array): number {
  let length = lengths.get(packed);
  if (length === undefined) {
    length = 0;
    forEachTerm(packed, (_hash, _field, frequency) => {
      length! += frequency;
    });
    lengths.set(packed, length);
  }
  return length;
}

const termsOfField = fields.map(() => new WeakMap<Uint8Array, number[]>());

/** The terms of one field. Memoised, because a name has only a few terms among hundreds. */
function termsOf(packed: Uint8Array, field: number): number[] {
  let terms = termsOfField[field]!.get(packed);
  if (terms === undefined) {
    terms = [];
    forEachTerm(packed, (hash, at) => {
      if (at === field) terms!.push(hash);
    });
    termsOfField[field]!.set(packed, terms);
  }
  return terms;
}

/** Cosine between the query and one field of each item, weighted by idf. */
export function fieldCosines(packed: Uint8Array[], query: WeighedQuery, field: TermField, rareGain: number): number[] {
  const index = fields.indexOf(field);
  const gains = new Map(query.terms.map((term) => [term.hash, term.gain]));
  const queryNorm = Math.sqrt(query.terms.reduce((sum, term) => sum + term.gain * term.gain, 0));
  return packed.map((each) => {
    let dot = 0;
    let norm = 0;
    for (const hash of termsOf(each, index)) {
      const gain = gains.get(hash);
      // Terms that the query does not have count as rare: their idf is not looked up.
      norm += gain === undefined ? rareGain * rareGain : gain * gain;
      if (gain !== undefined) dot += gain * gain;
    }
    return norm === 0 || queryNorm === 0 ? 0 : dot / (Math.sqrt(norm) * queryNorm);
  });
}
