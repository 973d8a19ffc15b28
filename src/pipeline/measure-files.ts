import { gramSimilarities } from "../embed/grams.ts";
import type { Candidate } from "../item.ts";
import type { SearchRequest } from "../options.ts";
import { type Recipe, unitModel } from "../recipes/recipe.ts";
import type { Query } from "../text/query.ts";
import type { Finding } from "./1-resolve.ts";
import { fieldCosines, inverseFrequency, scoreTerms, weighQuery } from "./bm25.ts";
import { rankFiles } from "./file-rank.ts";
import { isWholeFile } from "./kinds.ts";
import { type Measured, minMax } from "./signals.ts";

const noTerms = new Uint8Array(0);

/** The signals of items that are in files. */
export function measureFiles(
  { query, candidates, evidence }: Finding,
  request: SearchRequest,
  recipe: Recipe,
): Measured {
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
