import type { QueryShape } from "../text/query.ts";
import type { Field } from "../text/terms.ts";

/** A recipe is data: which sources are asked, how long they may take, and what each signal is worth. */
export type Recipe = {
  name: string;
  /** Names of sources (sources/all.ts), each with its own deadline in milliseconds. */
  sources: { name: string; deadline: number }[];
  /** How many candidates the second phase ranks. */
  candidates: number;
  /** Term weighting of the second phase: of items for short queries, of items for long ones, and of whole files. */
  question: Bm25;
  report: Bm25;
  file: Bm25;
  /** Weights of the signals that rank whole files, equal unless measured otherwise. */
  fileSignals: Record<FileSignal, number>;
  /** Weights of the signals that rank items, by what the query looks like. */
  signals: Record<QueryShape, Record<ItemSignal, number>>;
  /** What a test's score is multiplied by when the question is not about tests. */
  testFactor: number;
};

/** The weighting for a query: what is true of a pasted report is not true of six words. */
export function unitModel(recipe: Recipe, shape: QueryShape): Bm25 {
  return shape === "issue" || shape === "stack-trace" ? recipe.report : recipe.question;
}

export type Bm25 = { k1: number; b: number; weights: Record<Field, number> };

export const fileSignals = ["text", "bestUnit", "title", "path", "symbol", "mentioned", "quoted"] as const;
export type FileSignal = (typeof fileSignals)[number];

export const itemSignals = ["text", "title", "file", "share", "name", "spelling", "symbol", "path", "similar"] as const;
export type ItemSignal = (typeof itemSignals)[number];
