import type { Line } from "./measures/summary.ts";

/** A set of questions whose answers are known. Adding one is a file in sets/ and a line in sets.ts. */
export type QualitySet = {
  name: string;
  /** What it says of the product, in one sentence. */
  about: string;
  /** Why it cannot be measured with what is there; undefined when it can. */
  lacks(run: Run): string | undefined;
  measure(run: Run): Promise<Measured>;
};

export type Run = {
  /** The folder of data: `cosqa/corpus.jsonl`, `swe/dev.jsonl`... */
  data: string;
  /** A folder of git mirrors, called owner+name or owner/name. */
  repos?: string;
  /** Where work trees and indexes are kept for the next run; without it they are gone afterwards. */
  cache?: string;
  /** Of the mirrors only these, owner/name. */
  names?: string[];
  /** Of the sets that have parts, only these repositories or parts: `flask`, `psf/requests`, `tuning`. */
  only?: string[];
  /** Of the sets that are measured within several budgets, only these, in tokens. */
  budgets?: number[];
  /** Given to the operations that are asked; their own default without it. */
  minScore?: number;
  /** A folder with a language model that makes vectors of everything that is asked. */
  model?: string;
  /** At most this many questions. */
  sample?: number;
  /** Called with what is being done: long runs say where they are. */
  tell?: (what: string) => void;
};

/** Weights are chosen by looking at `tuning` alone; `held` says whether they hold elsewhere. */
export type Part = "tuning" | "held";

/**
 * Values of 0..1 by measure, or a count of tokens where its name begins so; a measure that a question says nothing of
 * is absent.
 */
export type Scores = Record<string, number | undefined>;

/** One question, asked of the product and of the baseline. */
export type Asked = {
  id: string;
  part?: Part;
  /** The part of the set that it belongs to, reported apart as well. */
  group?: string;
  /** Another way to ask the product, reported only by itself: "as documents". */
  way?: string;
  dossier: Scores;
  bm25: Scores;
};

export type Measured = {
  set: string;
  texts: number;
  asked: Asked[];
  /** What was measured by an operation itself, which tells no single questions. */
  lines?: Line[];
  /** Not all of the set's questions could be asked. */
  partial?: boolean;
  /** What the reader must know of this run. */
  remarks?: string[];
  /** Of each query of the product. */
  milliseconds: number[];
};
