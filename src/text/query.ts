/** What a query says, before anything is searched. Written by the analysis in this file; read by sources and score. */
export type Query = {
  text: string;
  shape: QueryShape;
  /** Analysed terms with weights by zone (title, prose, code block, traceback...), strongest first. */
  terms: QueryTerm[];
  /** Names as written, case kept: `Outer.inner`, `process_payment`. */
  names: QueryName[];
  /** Paths as written: `src/a.ts`, `a.ts:12`. */
  paths: QueryPath[];
  /** Terms of the first line alone, and of back-ticked names alone. */
  title: QueryTerm[];
  quoted: QueryTerm[];
  /** True when the question is about tests themselves. */
  wantsTests: boolean;
};

export type QueryShape = "identifier" | "path" | "stack-trace" | "question" | "issue";
export type QueryTerm = { term: string; weight: number };
export type QueryName = { name: string; weight: number };
export type QueryPath = { path: string; line?: number; weight: number };
