import { type FileSignal, fileWeights, type Recipe } from "../../recipes/recipe.ts";
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
  const terms = weighQuery(query.terms, evidence.files, query.also);
  const title = weighQuery(query.title, evidence.files);
  const quoted = weighQuery(query.quoted, evidence.files);
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
  const packed = paths.map((path) => evidence.wholeFiles.get(path)!.terms);
  const columns = {
    text: minMax(packed.map((each) => scoreTerms(each, terms, recipe.file).score)),
    bestUnit: minMax(paths.map((path) => bestOfFile.get(path) ?? 0)),
    title: minMax(packed.map((each) => scoreTerms(each, title, recipe.file).score)),
    path: minMax(packed.map((each) => scoreTerms(each, terms, recipe.file, "path").score)),
    symbol: minMax(bestBy("symbol")),
    mentioned: minMax(bestBy("path")),
    history: minMax(bestBy("history")),
    near: bestBy("near"),
    quoted: minMax(packed.map((each) => scoreTerms(each, quoted, recipe.file).score)),
  };
  const counted = weighed(columns, fileWeights(recipe, query.shape));
  return { paths, columns, scores: new Map(paths.map((path, i) => [path, weightedSum(counted, i)])) };
}
