import type { Meaning } from "../embed/meaning.ts";
import type { Candidate } from "../item.ts";
import type { Ask } from "../recipes/recipe.ts";
import type { Source } from "../sources/source.ts";
import type { Query } from "../text/analysis/query.ts";
import type { Evidence } from "./evidence.ts";
import type { CallersFound } from "./signals/callers-found.ts";
import type { AskedPlace } from "./uncertainty/asked-place.ts";
import type { UnknownWord } from "./uncertainty/unknown-words.ts";

/** The candidates of one ask of the recipe. `known`: the share of the query's words that some source has, 0..1. */
export type Finding = {
  ask: Ask;
  source: Source;
  query: Query;
  candidates: Candidate[];
  evidence: Evidence;
  known?: number;
  callers?: CallersFound;
  /** The query's embedding, where the workspace has a model. */
  meaning?: Meaning;
};

/** `unknown`: words of the query, as written, that no source has ever seen. */
export type Found = {
  query: Query;
  findings: Finding[];
  unknown: UnknownWord[];
  warnings: string[];
  /** True where records are damaged: what is not found may be among them. */
  isUnread?: boolean;
  /** Of a query that is only a path, where that is no file. */
  place?: AskedPlace;
};
