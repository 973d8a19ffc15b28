import { gramSimilarities } from "../embed/grams.ts";
import type { Candidate, Scored, Signals } from "../item.ts";
import type { SearchRequest } from "../options.ts";
import { itemSignals, type Recipe, unitModel } from "../recipes/recipe.ts";
import type { Query } from "../text/query.ts";
import type { Found } from "./1-resolve.ts";
import { fieldCosines, inverseFrequency, scoreTerms, weighQuery } from "./bm25.ts";
import { rankFiles } from "./file-rank.ts";
import { isWholeFile } from "./kinds.ts";
import { minMax, present, weightedSum } from "./signals.ts";

export type Ranking = {
  /** Everything found, best first. */
  ordered: Scored[];
  /** The best `limit` of them that reach `minScore`. */
  ranked: Scored[];
  /** The best `limit` of them that do not. */
  below: Scored[];
  confidence: number;
};

/** Ranks candidates by a weighted sum of named signals, then calibrates: a good rank among bad matches is not a good score. */
export function score(found: Found, request: SearchRequest, recipe: Recipe): Ranking {
  const { query, candidates } = found;
  if (candidates.length === 0) return { ordered: [], ranked: [], below: [], confidence: 0 };
  const measured = measure(found, request, recipe);
  const weights = present(measured.columns, recipe.signals[query.shape]);
  const sums = candidates.map((_, i) => weightedSum(measured.columns, weights, i));
  const confidence = confidenceOf(sums, measured.certainty);

  const scored = candidates.map((candidate, i): Scored => {
    const factor = confidence * testFactor(candidate, query, request, recipe);
    const because: Signals = {};
    for (const signal of itemSignals) {
      const part = (weights[signal] ?? 0) * measured.columns[signal]![i]! * factor;
      if (part > 0) because[signal] = part;
    }
    return { ...candidate, score: sums[i]! * factor, because };
  });
  return rankingOf(scored, request, confidence);
}

/** Best first; ties break by id, so that the same input gives the same order. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.item.id < b.item.id ? -1 : 1);
}

export function rankingOf(scored: Scored[], request: SearchRequest, confidence: number): Ranking {
  const ordered = [...scored].sort(byScore);
  const considered = ordered.slice(0, request.limit);
  return {
    ordered,
    ranked: considered.filter((each) => each.score >= request.minScore),
    below: considered.filter((each) => each.score < request.minScore),
    confidence,
  };
}

const noTerms = new Uint8Array(0);

type Measured = {
  columns: Record<string, number[]>;
  /** How much of the query each candidate answers on an absolute scale, 0..1. */
  certainty: number[];
};

function measure({ query, candidates, evidence }: Found, request: SearchRequest, recipe: Recipe): Measured {
  const terms = weighQuery(query.terms, evidence.units);
  const title = weighQuery(query.title, evidence.units);
  const rare = inverseFrequency(0, evidence.units.count) / 2;
  const model = unitModel(recipe, query.shape);
  const packed = candidates.map(({ item }) => evidence.unitTerms.get(item.id) ?? noTerms);
  const texts = packed.map((each) => scoreTerms(each, terms, model));
  const titles = packed.map((each) => scoreTerms(each, title, model));
  const names = fieldCosines(packed, terms, "name", rare);

  const bestOfFile = new Map<string, number>();
  candidates.forEach(({ item }, i) => {
    bestOfFile.set(item.path, Math.max(bestOfFile.get(item.path) ?? 0, texts[i]!.score));
  });
  const fileScores = rankFiles(query, candidates, bestOfFile, evidence, recipe);
  const wholeFilesOnly = request.types?.every(isWholeFile) ?? false;
  const unitText = minMax(texts.map(({ score }) => score));

  return {
    columns: {
      text: wholeFilesOnly ? candidates.map(({ item }) => fileScores.get(item.path) ?? 0) : unitText,
      title: minMax(titles.map(({ score }) => score)),
      file: candidates.map(({ item }) => fileScores.get(item.path) ?? 0),
      share: candidates.map(({ item }, i) => texts[i]!.score / (bestOfFile.get(item.path) || 1)),
      name: names,
      symbol: candidates.map(({ signals }) => signals.symbol ?? 0),
      path: candidates.map(({ signals }) => signals.path ?? 0),
      similar: minMax(candidates.map(({ signals }) => signals.similar ?? 0)),
      spelling:
        recipe.signals[query.shape].spelling > 0 ? spellings(query, candidates, unitText) : candidates.map(() => 0),
    },
    certainty: candidates.map(({ signals }, i) => {
      // A long report is mostly circumstance: its title says what must be met.
      const coverage = query.title.length > 0 ? Math.max(titles[i]!.coverage, texts[i]!.coverage) : texts[i]!.coverage;
      return Math.max(coverage, signals.symbol ?? 0, signals.path ?? 0);
    }),
  };
}

/** How many of the best by text are compared by spelling: it costs more than the other signals together. */
const spelled = 150;

function spellings(query: Query, candidates: Candidate[], unitText: number[]): number[] {
  const best = candidates
    .map((_, i) => i)
    .sort((a, b) => unitText[b]! - unitText[a]! || a - b)
    .slice(0, spelled);
  const texts = best.map((i) => {
    const { name, signature, doc } = candidates[i]!.item;
    return `${name} ${signature ?? ""} ${doc ?? ""}`;
  });
  const column = candidates.map(() => 0);
  gramSimilarities(query.text, texts).forEach((value, at) => {
    column[best[at]!] = value;
  });
  return minMax(column);
}

/** Below `unsure` the best matches meet so little of the query that they are chance; above `sure` they are what was asked for. */
const unsure = 0.2;
const sure = 0.6;

function confidenceOf(sums: number[], certainty: number[]): number {
  const best = sums
    .map((sum, i) => ({ sum, i }))
    .sort((a, b) => b.sum - a.sum)
    .slice(0, 10);
  const met = Math.max(...best.map(({ i }) => certainty[i]!));
  const x = Math.min(1, Math.max(0, (met - unsure) / (sure - unsure)));
  return x * x * (3 - 2 * x);
}

function testFactor({ item }: Candidate, query: Query, request: SearchRequest, recipe: Recipe): number {
  return item.test && !query.wantsTests && request.tests === "auto" ? recipe.testFactor : 1;
}
