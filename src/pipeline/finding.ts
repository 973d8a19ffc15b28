import type { Meaning } from "../embed/meaning.ts";
import type { Candidate } from "../item.ts";
import type { Ask } from "../recipes/recipe.ts";
import type { Source } from "../sources/source.ts";
import type { Query } from "../text/analysis/query.ts";
import type { Evidence } from "./evidence.ts";
import type { CallersFound } from "./signals/callers-found.ts";
import type { UnknownWord } from "./uncertainty/unknown-words.ts";

/** What one ask of the recipe brought. `known`: how much of the query is words that some source has, 0..1. */
export type Finding = {
  ask: Ask;
  source: Source;
  query: Query;
  candidates: Candidate[];
  evidence: Evidence;
  known?: number;
  callers?: CallersFound;
  /** What a language model makes of the query, where the workspace has one. */
  meaning?: Meaning;
};

/** `unknown`: words of the query, as written, that no source has ever seen. */
export type Found = { query: Query; findings: Finding[]; unknown: UnknownWord[]; warnings: string[] };
