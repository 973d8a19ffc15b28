import type { Bm25 } from "../recipes/recipe.ts";
import type { TermStatistics } from "../stores/store.ts";
import { hashTerm } from "../text/hash.ts";
import type { QueryTerm } from "../text/query.ts";
import { type Field, fields, forEachTerm, frequencies } from "../text/terms.ts";

/** A query made ready to score many packed term vectors: hashes and idf are computed once. */
export type WeighedQuery = {
  terms: { hash: number; gain: number; known: boolean }[];
  total: number;
  averageLength: number;
};

export function weighQuery(terms: QueryTerm[], statistics: TermStatistics): WeighedQuery {
  const weighed = terms.map(({ term, weight }) => {
    const df = statistics.frequencies.get(term) ?? 0;
    return { hash: hashTerm(term), gain: weight * inverseFrequency(df, statistics.count), known: df > 0 };
  });
  return {
    terms: weighed,
    total: weighed.reduce((sum, term) => sum + term.gain, 0),
    averageLength: Math.max(1, statistics.averageLength),
  };
}

export function inverseFrequency(documentFrequency: number, count: number): number {
  return Math.log(1 + (count - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

const nothing = { score: 0, coverage: 0, matched: 0 };
const scratch = new Uint16Array(fields.length);

/** BM25F: frequencies are weighted by field before they saturate. `coverage` is the share of the query's worth that was met, 0..1; `matched` how many of its terms. */
export function scoreTerms(
  packed: Uint8Array,
  query: WeighedQuery,
  model: Bm25,
  only?: Field,
): { score: number; coverage: number; matched: number } {
  if (query.terms.length === 0) return nothing;
  const length = only === undefined ? lengthOf(packed) : query.averageLength;
  const norm = model.k1 * (1 - model.b + model.b * (length / query.averageLength));
  let score = 0;
  let met = 0;
  let matched = 0;
  for (const term of query.terms) {
    if (!term.known) continue;
    scratch.fill(0);
    if (!frequencies(packed, term.hash, scratch)) continue;
    let tf = 0;
    for (let field = 0; field < fields.length; field++) {
      if (only === undefined || fields[field] === only) tf += model.weights[fields[field]!] * scratch[field]!;
    }
    if (tf === 0) continue;
    score += (term.gain * tf * (model.k1 + 1)) / (tf + norm);
    met += term.gain;
    matched++;
  }
  return { score, coverage: query.total === 0 ? 0 : met / query.total, matched };
}

const lengths = new WeakMap<Uint8Array, number>();

function lengthOf(packed: Uint8Array): number {
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

/** Cosine of the query with one field of each, weighted by idf: how much of the name is the query, and of the query the name. */
export function fieldCosines(packed: Uint8Array[], query: WeighedQuery, field: Field, rareGain: number): number[] {
  const index = fields.indexOf(field);
  const gains = new Map(query.terms.map((term) => [term.hash, term.gain]));
  const queryNorm = Math.sqrt(query.terms.reduce((sum, term) => sum + term.gain * term.gain, 0));
  return packed.map((each) => {
    let dot = 0;
    let norm = 0;
    forEachTerm(each, (hash, at) => {
      if (at !== index) return;
      const gain = gains.get(hash);
      // Terms of the name that the query does not have count as rare: their idf is not looked up.
      norm += gain === undefined ? rareGain * rareGain : gain * gain;
      if (gain !== undefined) dot += gain * gain;
    });
    return norm === 0 || queryNorm === 0 ? 0 : dot / (Math.sqrt(norm) * queryNorm);
  });
}
