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

/** What a language model says of questions, and how that is put together with what the words say. */

/** Of each text that a recipe asks for, the question as the workspace's model sees it. */
export type Meanings = { of(query: Query): Meaning | undefined; warnings: string[] };

const none: Meanings = { of: () => undefined, warnings: [] };

/** Embeds what is asked for, once each. Without a model it costs a glance at the store. */
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
    // Without a model, or with one that is gone, the other texts need not be tried.
    if (!meaning) break;
  }
  return { of: ({ text }) => byText.get(text), warnings: [...warnings] };
}

/** Every candidate's cosine with the question, whoever found it; one that has no vector yet has none. */
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
    // A file that its parts tell in detail has a vector without a direction: it is neither near nor far.
    if (!product) return candidate;
    return { ...candidate, signals: { ...candidate.signals, meaning: cosineOf(product) } };
  });
}

/**
 * The more words a question has, the more they tell by themselves: beyond so many the model's share falls. With 18 terms (questions of
 * flask and requests) a share of .3 is best, mean 86.5 instead of 84.7, and .54 is worse than none; with 5 (CoSQA) .6 is, .51 instead of .39.
 */
const fewTerms = 9;

/** How much of a score is the model's word: its own weight, and what that counts for this kind of question. */
export function meaningShare({ meaning, query, source }: Finding, recipe: Recipe, candidate: Candidate): number {
  if (!meaning) return 0;
  const ofLength = bringsLines(source) ? Math.min(1, fewTerms / query.terms.length) : 1;
  const factor = meaningFactor(source, query);
  const isText = factor === "question" && isProse(candidate.item);
  return meaning.weight * recipe.meaning[isText ? "prose" : factor] * ofLength;
}

/** The name of the factor that a language model has for what this source brings, texts in files apart. */
export function meaningFactor(source: Source, { shape }: Query): keyof MeaningFactors {
  if (bringsTurns(source)) return "message";
  return bringsLines(source) ? shape : "record";
}

/**
 * What the nearness of a test counts beside that of what it tests: it says in words what others do, and so is near to every question about
 * that. Of 133 questions files and lines were 79.3 with the same for all and are 81.5, the first file right 77.4 and is 81.2, as without a model.
 */
const testNearness = 0.3;

/**
 * The signal `meaning` of what is ranked: cosines, stretched to 0..1. What has no vector yet is neither near nor far. A file that is ranked as
 * such is as near as the nearest of its parts.
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
  const middle = present[present.length >> 1]!;
  const stretched = minMax(cosines.map((cosine) => cosine ?? middle));
  // Where tests are all that is asked for they are compared with their like.
  if (candidates.every(({ item }) => item.test)) return stretched;
  return stretched.map((nearness, i) => (candidates[i]!.item.test ? nearness * testNearness : nearness));
}

/** The signals with the model's beside them: it has its share, and the others what is left. */
export function fused(signals: readonly Weighed[], column: number[] | undefined, share: number): Weighed[] {
  if (!column || share <= 0) return [...signals];
  if (signals.length === 0) return [{ name: "meaning", column, weight: 1 }];
  return [
    ...signals.map((each) => ({ ...each, weight: each.weight * (1 - share) })),
    { name: "meaning", column, weight: share },
  ];
}
