import { type Bm25, type FileSignal, fileWeights, type Recipe } from "../../recipes/recipe.ts";
import { heaviestOf, type QueryTerm } from "../../text/analysis/query.ts";
import type { Alternative } from "../../text/analysis/synonyms.ts";
import type { TermField } from "../../text/analysis/terms.ts";
import type { Evidence } from "../evidence.ts";
import type { Finding } from "../finding.ts";

import { scoreTerms, weighQuery } from "./bm25.ts";
import { minMax, weighed, weightedSum } from "./columns.ts";

/** Whole files with their signals: one number per path in every column, and the weighted sum, 0..1. */
export type RankedFiles = { paths: string[]; columns: Record<FileSignal, number[]>; scores: Map<string, number> };

/** Ranks the files of the candidates: a function in the right file is more likely the right function. */
export function rankFiles(
  { query, candidates, evidence }: Finding,
  bestOfFile: Map<string, number>,
  recipe: Recipe,
): RankedFiles {
  const paths = [...evidence.wholeFiles.keys()];
  const places = new Map(paths.map((path, place) => [path, place]));
  const placeAt = candidates.map(({ item }) => places.get(item.path));
  const bestBy = (signal: string) => {
    const best = paths.map(() => 0);
    candidates.forEach(({ signals }, i) => {
      const [place, value] = [placeAt[i], signals[signal]];
      if (place !== undefined && value !== undefined && value > best[place]!) best[place] = value;
    });
    return best;
  };
  const columns = {
    text: minMax(scoresOf(evidence, query.terms, query.also, recipe.file)),
    bestUnit: minMax(paths.map((path) => bestOfFile.get(path) ?? 0)),
    title: minMax(scoresOf(evidence, query.title, [], recipe.file)),
    path: minMax(scoresOf(evidence, query.terms, query.also, recipe.file, "path")),
    symbol: minMax(bestBy("symbol")),
    mentioned: minMax(bestBy("path")),
    history: minMax(bestBy("history")),
    near: bestBy("near"),
    quoted: minMax(scoresOf(evidence, query.quoted, [], recipe.file)),
  };
  const counted = weighed(columns, fileWeights(recipe, query.shape));
  return { paths, columns, scores: new Map(paths.map((path, i) => [path, weightedSum(counted, i)])) };
}

/**
 * Cached scores by the terms of whole files. The files of a report are ranked twice by the same terms, the second time
 * with more of their units.
 */
const scoresByTerms = new WeakMap<Evidence["wholeFiles"], Map<string, number[]>>();

function scoresOf(evidence: Evidence, terms: QueryTerm[], also: readonly Alternative[], model: Bm25, only?: TermField) {
  const { files, wholeFiles } = evidence;
  let known = scoresByTerms.get(wholeFiles);
  if (!known) scoresByTerms.set(wholeFiles, (known = new Map()));
  // Terms that no file contains add nothing, and are removed from the query before the second time.
  const met = terms.filter(({ term }) => files.frequencies.has(term) || also.some(({ of }) => of === term));
  const key = JSON.stringify([model, only, heaviestOf(terms), met, also]);
  let scores = known.get(key);
  if (!scores) {
    const weighed = weighQuery(terms, files, also);
    scores = Array.from(wholeFiles.values(), (file) => scoreTerms(file.terms, weighed, model, only).score);
    known.set(key, scores);
  }
  return scores;
}
