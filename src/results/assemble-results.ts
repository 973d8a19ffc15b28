import * as z from "zod";
import type { Context } from "../document.ts";
import { DossierError } from "../errors.ts";
import type { Included } from "../item.ts";
import { assemblyOptions, contextInput, type Request, requestOf } from "../options.ts";
import { dedupe } from "../pipeline/6-dedupe/dedupe.ts";
import { fitBudget } from "../pipeline/7-budget/fit-budget.ts";
import { render } from "../pipeline/8-result/result.ts";
import { code } from "../recipes/code.ts";
import { analyseQuery } from "../text/analysis/query.ts";
import { enrichResults } from "./enrich-results.ts";
import { type SearchResult, searchResults } from "./search-result.ts";

const { maxTokens, budget, encoding, format, layout, lineNumbers, contextLines, truncation } = assemblyOptions;
const { includeImports, includeSources, includeCodeContent, groupByType } = assemblyOptions;

const resultOptions = z.strictObject({
  query: z.string().default("").describe("What was asked: lines that speak of it are kept when a text is cut"),
  projectRoot: z.string().min(1).default(".").describe("The folder that paths are relative to; no other is read"),
  maxTokens,
  budget,
  encoding,
  format,
  layout,
  lineNumbers,
  contextLines,
  truncation,
  includeImports,
  includeSources,
  includeCodeContent,
  groupByType,
});

export type ResultOptions = z.input<typeof resultOptions>;

/** A result with its source code, as printed. `location` is missing for code that is in no file. */
export type ContextBlock = {
  entity: { name: string; type: string; qualifiedName: string };
  score: number;
  location?: { filePath: string; startLine: number; endLine: number };
  code: string;
  context?: { imports: string };
};

export type ContextSource = {
  entityId: string;
  name: string;
  type: string;
  file?: string;
  line?: number;
  relevance: number;
};

/** The context of a caller's own results. Names, types, ids and scores of `blocks` and `sources` are the caller's. */
export type AssembledContext = Omit<Context, "summary"> & {
  /** The document: the same as `text`. */
  context: string;
  /** The results printed with their text, in printed order. */
  blocks: ContextBlock[];
  /** Everything that is printed or named. */
  sources: ContextSource[];
  tokenCount: number;
  totalTokens: number;
  truncated: boolean;
  summary: Context["summary"] & { entitiesIncluded: number; entitiesExcluded: number };
};

/**
 * A document of the caller's own search results, read from disk now: the last stages of the pipeline, without an index.
 */
export async function assembleResults(results: SearchResult[], options: ResultOptions = {}): Promise<AssembledContext> {
  const { projectRoot, ...input } = checked(resultOptions, options, "options");
  const ranked = checked(searchResults, results, "results").sort((a, b) => b.score - a.score);
  // The caller chose the results, so none is left out for low relevance, only for lack of room.
  const request: Request = requestOf(contextInput.parse({ ...input, recipe: code.name, fill: true }));
  const enriched = await enrichResults(ranked, projectRoot, request);
  const { unique, duplicates } = dedupe(enriched.items);
  const leftOut = [...duplicates, ...enriched.unreadable];
  const fit = fitBudget(unique, leftOut, request, analyseQuery(request.query), code.look);
  const run = {
    confidence: ranked.length > 0 ? 1 : 0,
    filesRead: enriched.filesRead,
    warnings: enriched.warnings,
    stats: { found: { results: ranked.length }, milliseconds: {} },
  };
  return assembled(render(fit, request, code, run), enriched.results);
}

function assembled(context: Context, results: ReadonlyMap<string, SearchResult>): AssembledContext {
  const { items, summary, tokens, text } = context;
  const of = (item: Included): SearchResult => results.get(item.id)!;
  return {
    ...context,
    context: text,
    blocks: items.filter((item) => item.text !== "").map((item) => blockOf(item, of(item))),
    sources: items.map((item) => sourceOf(item, of(item))),
    tokenCount: tokens.used,
    totalTokens: tokens.used,
    truncated: summary.truncated,
    summary: { ...summary, entitiesIncluded: summary.included, entitiesExcluded: summary.excluded },
  };
}

function blockOf(item: Included, { entity, score }: SearchResult): ContextBlock {
  const { path: filePath, startLine, endLine, imports } = item;
  return {
    entity: { name: entity.name, type: entity.type, qualifiedName: entity.qualifiedName || item.qualifiedName },
    score,
    ...(item.facts ? {} : { location: { filePath, startLine, endLine } }),
    code: item.text,
    ...(imports.length > 0 ? { context: { imports: imports.join("\n") } } : {}),
  };
}

function sourceOf(item: Included, { entity, entityId, score }: SearchResult): ContextSource {
  return {
    entityId: String(entity.id ?? entityId ?? item.id),
    name: entity.name,
    type: entity.type,
    ...(item.facts ? {} : { file: item.path, line: item.startLine }),
    relevance: score,
  };
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message, code } = parsed.error.issues[0]!;
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const isBudget = path[0] === "maxTokens" && code === "too_small";
  throw new DossierError(isBudget ? "budget-too-small" : "bad-input", `${name}${place}: ${message}.`);
}
