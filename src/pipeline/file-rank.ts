import type { Candidate } from "../item.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Query } from "../text/query.ts";
import { scoreTerms, weighQuery } from "./bm25.ts";
import type { Evidence } from "./evidence.ts";
import { minMax, present, weightedSum } from "./signals.ts";

/** Scores whole files 0..1: a function in the right file is more likely the right function. */
export function rankFiles(
  query: Query,
  candidates: Candidate[],
  bestOfFile: Map<string, number>,
  evidence: Evidence,
  recipe: Recipe,
): Map<string, number> {
  const paths = [...evidence.wholeFiles.keys()];
  const terms = weighQuery(query.terms, evidence.files);
  const title = weighQuery(query.title, evidence.files);
  const quoted = weighQuery(query.quoted, evidence.files);
  const best = (signal: string) => {
    const byPath = new Map<string, number>();
    for (const { item, signals } of candidates) {
      byPath.set(item.path, Math.max(byPath.get(item.path) ?? 0, signals[signal] ?? 0));
    }
    return paths.map((path) => byPath.get(path) ?? 0);
  };
  const packed = paths.map((path) => evidence.wholeFiles.get(path)!.terms);
  const columns = {
    text: minMax(packed.map((each) => scoreTerms(each, terms, recipe.file).score)),
    bestUnit: minMax(paths.map((path) => bestOfFile.get(path) ?? 0)),
    title: minMax(packed.map((each) => scoreTerms(each, title, recipe.file).score)),
    path: minMax(packed.map((each) => scoreTerms(each, terms, recipe.file, "path").score)),
    symbol: minMax(best("symbol")),
    mentioned: minMax(best("path")),
    quoted: minMax(packed.map((each) => scoreTerms(each, quoted, recipe.file).score)),
  };
  const weights = present(columns, recipe.fileSignals);
  return new Map(paths.map((path, i) => [path, weightedSum(columns, weights, i)]));
}
