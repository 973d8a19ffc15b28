import { cosineOf } from "../../embed/embedder.ts";
import type { Meaning } from "../../embed/meaning.ts";
import { type Candidate, isProse, isWholeFile } from "../../item.ts";
import type { MeaningFactors, Recipe } from "../../recipes/recipe.ts";
import { bringsLines, bringsTurns, type Source } from "../../sources/source.ts";
import type { Shelf } from "../../stores/store.ts";
import { analyseQuery, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";

import { minMax, type Weighed } from "./columns.ts";

/** The signal `meaning`: cosines of an embedding model, and how they are fused with the lexical signals. */

/** The embedding of every query text that a recipe uses. */
export type Meanings = { of(query: Query): Meaning | undefined; warnings: string[] };

const none: Meanings = { of: () => undefined, warnings: [] };

/** Embeds each query text once. Without a model this costs one lookup in the store. */
export async function meaningsOf(
  query: Query,
  recipe: Recipe,
  strategies: readonly string[],
  { store, owner }: Workspace,
): Promise<Meanings> {
  if (!strategies.includes("similar") || Object.values(recipe.meaning).every((factor) => factor === 0)) return none;
  const { meaningOf } = await import("../../embed/meaning.ts");
  const texts = new Set(recipe.asks.map((ask) => ask.query ?? query.text));
  const byText = new Map<string, Meaning>();
  const warnings = new Set<string>();
  for (const text of texts) {
    const part = text === query.text ? query : analyseQuery(text);
    const { meaning, warning } = await meaningOf({ text: part.text, terms: part.terms }, store, owner);
    if (meaning) byText.set(part.text, meaning);
    if (warning !== undefined) warnings.add(warning);
    // Without a model the other texts fail too.
    if (!meaning) break;
  }
  return { of: ({ text }) => byText.get(text), warnings: [...warnings] };
}

/** Adds the cosine with the query to every candidate that has a vector, however it was found. */
export async function withCosines(
  candidates: Candidate[],
  { model, vector }: Meaning,
  shelf: Shelf,
  { store, owner }: Workspace,
): Promise<Candidate[]> {
  const ids = candidates.map(({ item }) => item.id);
  const products = await store.shelf(shelf).modelVectors.products(owner, model, vector, ids);
  return candidates.map((candidate) => {
    const product = products.get(candidate.item.id);
    // A whole file whose parts are embedded has a zero vector, so it gets no signal.
    if (!product) return candidate;
    return { ...candidate, signals: { ...candidate.signals, meaning: cosineOf(product) } };
  });
}

/**
 * Above this many query terms the model's share falls, because lexical signals improve with more words. With 18 terms
 * (questions about flask and requests) a share of .3 is best, mean 86.5 instead of 84.7, and .54 is worse than none;
 * with 5 (CoSQA) .6 is best, .51 instead of .39.
 */
const fullShareTerms = 9;

/**
 * The share of a score that comes from the model: the model's weight times the recipe's factor for this kind of query.
 */
export function meaningShare({ meaning, query, source }: Finding, recipe: Recipe, candidate: Candidate): number {
  if (!meaning) return 0;
  const lengthFactor = bringsLines(source) ? Math.min(1, fullShareTerms / query.terms.length) : 1;
  const factor = meaningFactor(source, query);
  const isText = factor === "question" && isProse(candidate.item);
  return meaning.weight * recipe.meaning[isText ? "prose" : factor] * lengthFactor;
}

/** Which of the recipe's meaning factors applies to a source (prose in files is decided per candidate). */
export function meaningFactor(source: Source, { shape }: Query): keyof MeaningFactors {
  if (bringsTurns(source)) return "message";
  return bringsLines(source) ? shape : "record";
}

/**
 * Factor for the cosine of a test. Tests describe in words what other code does, so they are close to every question
 * about it. On 133 questions, files and lines are 81.5 instead of 79.3, and the first file is right for 81.2 instead of
 * 77.4, as without a model.
 */
const testFactor = 0.3;

/**
 * The signal `meaning`: cosines, min-max normalised. A candidate without a vector gets the median. A whole file gets
 * the best cosine of its parts.
 */
export function meaningColumn(candidates: readonly Candidate[], found: readonly Candidate[]): number[] | undefined {
  const best = new Map<string, number>();
  if (candidates.every(({ item }) => isWholeFile(item.kind))) {
    for (const { item, signals } of found) {
      if (signals.meaning !== undefined) {
        best.set(item.path, Math.max(best.get(item.path) ?? Number.NEGATIVE_INFINITY, signals.meaning));
      }
    }
  }
  const cosines = candidates.map(({ item, signals }) => best.get(item.path) ?? signals.meaning);
  const present = cosines.filter((cosine) => cosine !== undefined).sort((a, b) => b - a);
  if (present.length === 0) return undefined;
  const median = present[present.length >> 1]!;
  const normalized = minMax(cosines.map((cosine) => cosine ?? median));
  // If all candidates are tests, they compete with each other only.
  if (candidates.every(({ item }) => item.test)) return normalized;
  return normalized.map((nearness, i) => (candidates[i]!.item.test ? nearness * testFactor : nearness));
}

/** Adds the model's signal with its share; the other weights are scaled to the rest. */
export function fused(signals: readonly Weighed[], column: number[] | undefined, share: number): readonly Weighed[] {
  if (!column || share <= 0) return signals;
  if (signals.length === 0) return [{ name: "meaning", column, weight: 1 }];
  return [
    ...signals.map((each) => ({ ...each, weight: each.weight * (1 - share) })),
    { name: "meaning", column, weight: share },
  ];
}
