import * as z from "zod";
import type { Context } from "../../document.ts";
import type { Facts, Included } from "../../item.ts";
import { bundle, contextOutput, facts } from "../core/item-shapes.ts";

/** A briefing in the form of an agent's memory server, with everything that a context always carries. */
export const formattedContext = z.object({
  markdown: z.string().describe("The document, in the format that was asked for"),
  items: z.array(
    z.object({
      id: z.string(),
      source: z.string().describe("memory, code, experience, value or commit"),
      content: z.string(),
      relevance: z.number().describe("0 to 1"),
      citation: z.string(),
      level: z.string(),
      tokens: z.number().int(),
      because: z.record(z.string(), z.number()),
      section: z.string().optional(),
      notes: z.array(z.string()).optional(),
      merged: z.array(z.object({ id: z.string(), name: z.string(), why: z.string() })),
      metadata: facts,
    }),
  ),
  token_count: z.number().int().describe("Exact, of the whole document"),
  sources_used: z.record(z.string(), z.number().int()).describe("Items by source"),
  limit_exceeded: z.number().int().describe("Tokens over the budget; above 0 only with a soft one"),
  tokens: contextOutput.shape.tokens,
  dropped: contextOutput.shape.dropped,
  bundle,
  warnings: z.array(z.string()),
  stats: contextOutput.shape.stats,
});

/** `warnings`: those from before the context was assembled. */
export function formattedOf(context: Context, warnings: string[]): z.output<typeof formattedContext> {
  const used: Record<string, number> = {};
  for (const item of context.items) used[nameOf(item)] = (used[nameOf(item)] ?? 0) + 1;
  return {
    markdown: context.text,
    items: context.items.map((item) => ({
      id: item.id,
      source: nameOf(item),
      content: (item.block ?? item.text).trimEnd(),
      relevance: item.score,
      citation: item.citation.id,
      level: item.level,
      tokens: item.tokens,
      because: item.because,
      ...(item.section === undefined ? {} : { section: item.section }),
      ...(item.notes ? { notes: item.notes } : {}),
      merged: item.merged,
      metadata: item.facts ?? placeOf(item),
    })),
    token_count: context.tokens.used,
    sources_used: used,
    limit_exceeded: Math.max(0, context.tokens.used - context.tokens.budget),
    tokens: context.tokens,
    dropped: context.dropped,
    ...(context.bundle === undefined ? {} : { bundle: context.bundle }),
    warnings: [...new Set([...warnings, ...context.warnings])],
    stats: context.stats,
  };
}

/** Documents of the workspace are asked for as code. */
function nameOf({ source }: Included): string {
  return source === "file" ? "code" : source;
}

function placeOf({ path, startLine, endLine, language, qualifiedName }: Included): Facts {
  return {
    file_path: path,
    start_line: startLine,
    end_line: endLine,
    ...(language ? { language } : {}),
    qualified_name: qualifiedName,
  };
}
