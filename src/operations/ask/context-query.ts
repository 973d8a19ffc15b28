import * as z from "zod";
import type { Context } from "../../document.ts";
import { assemblyOptions, hints, path, query, searchOptions } from "../../options.ts";
import { bundle } from "../core/item-shapes.ts";
import { operation } from "../core/operation.ts";
import { context } from "./context.ts";

const previewLength = 200;

const output = z.object({
  query: z.string(),
  context: z.string(),
  results: z.array(
    z.object({
      entity: z.object({ name: z.string(), type: z.string(), qualifiedName: z.string() }),
      score: z.number(),
      location: z.object({ filePath: z.string(), startLine: z.number(), endLine: z.number() }),
      codePreview: z.string(),
      context: z.object({ imports: z.string().optional(), relatedEntities: z.array(z.string()).optional() }).optional(),
    }),
  ),
  sources: z.array(
    z.object({
      entityId: z.string(),
      name: z.string(),
      type: z.string(),
      file: z.string(),
      line: z.number(),
      relevance: z.number(),
    }),
  ),
  summary: z.object({
    entitiesIncluded: z.number(),
    entitiesExcluded: z.number(),
    filesRead: z.number(),
    truncated: z.boolean(),
    sentence: z.string().describe("What was shortened or left out, in words"),
  }),
  tokenCount: z.number(),
  truncated: z.boolean(),
  bundle,
  warnings: z.array(z.string()),
});

/** The code assistant's view of a context: entities with their locations, a preview of each, and attribution. */
export const contextQuery = operation({
  name: "context_query",
  command: "code",
  group: "Ask",
  summary: "Search code and documents and return usable source code with locations, within a token budget",
  input: z.object({
    query,
    hints,
    path,
    maxTokens: assemblyOptions.maxTokens,
    format: assemblyOptions.format,
    limit: searchOptions.limit,
    strategies: searchOptions.strategies,
    includeTypes: searchOptions.types,
    includeSources: assemblyOptions.includeSources,
    includeImports: assemblyOptions.includeImports,
    includeCodeContent: assemblyOptions.includeCodeContent,
    groupByType: assemblyOptions.groupByType,
    contextLines: assemblyOptions.contextLines,
    lineNumbers: assemblyOptions.lineNumbers,
    minScore: searchOptions.minScore,
    expand: assemblyOptions.expand,
    expandTokens: assemblyOptions.expandTokens,
    since: assemblyOptions.since,
  }),
  output,
  positional: ["query"],
  examples: [{ command: 'dossier code "payment processing" --json', what: "entities, locations and previews" }],
  text: (output) => output.context,
  async run({ includeTypes, ...input }, environment) {
    const request = context.input.parse({ ...input, types: includeTypes });
    return asAssembled(await context.run(request, environment));
  },
});

function asAssembled(context: Context): z.output<typeof output> {
  const { included, excluded, filesRead, truncated, sentence } = context.summary;
  return {
    query: context.query,
    context: context.text,
    results: context.items.map((item) => ({
      entity: { name: item.name, type: item.kind, qualifiedName: item.qualifiedName },
      score: item.score,
      location: { filePath: item.path, startLine: item.startLine, endLine: item.endLine },
      codePreview: item.text.length > previewLength ? `${item.text.slice(0, previewLength)}...` : item.text,
      context: {
        imports: item.imports.length > 0 ? item.imports.join("\n") : undefined,
        relatedEntities: item.related.length > 0 ? item.related : undefined,
      },
    })),
    sources: context.items.map((item) => ({
      entityId: item.id,
      name: item.name,
      type: item.kind,
      file: item.path,
      line: item.startLine,
      relevance: item.score,
    })),
    summary: { entitiesIncluded: included, entitiesExcluded: excluded, filesRead, truncated, sentence },
    tokenCount: context.tokens.used,
    truncated,
    ...(context.bundle === undefined ? {} : { bundle: context.bundle }),
    warnings: context.warnings,
  };
}
