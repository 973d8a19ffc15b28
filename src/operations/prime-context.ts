import * as z from "zod";
import type { Context, Facts, Included } from "../item.ts";
import { assemblyOptions, contextInput, longestQuery, path, searchOptions, workspace } from "../options.ts";
import { explicitSection } from "../recipes/chat.ts";
import { hashText } from "../text/hash.ts";
import { cached } from "./context-cache.ts";
import { count } from "./context-figures.ts";
import { operation } from "./operation.ts";
import { prepareChat } from "./prepare-chat.ts";
import { contextOutput, signals } from "./shapes.ts";

const item = z.object({
  id: z.string(),
  type: z.enum(["file", "chunk", "message", "reference"]),
  content: z.string(),
  excerpt: z.string(),
  source: z.string().describe("Where it is: a path, a thread"),
  relevance: z.number().describe("0 to 1: references above .8, what was found .4 to .8, what was said .2 to .6"),
  tokens: z.number().int(),
  because: signals,
  metadata: z.object({
    path: z.string().optional(),
    createdAt: z.string().optional(),
    matchedKeywords: z.array(z.string()),
    searchRank: z.number().int().optional(),
  }),
});

const citation = z.object({
  id: z.string(),
  itemId: z.string(),
  source: z.string(),
  type: z.enum(["file", "document", "message"]),
  path: z.string().optional(),
  excerpt: z.string(),
  relevance: z.number(),
  usedInResponse: z.boolean(),
});

const output = z.object({
  contextId: z.string().describe("Names this context in feedback"),
  totalTokens: z.number().int(),
  items: z.array(item),
  citations: z.array(citation),
  stats: z.object({
    explicitCount: z.number().int(),
    searchCount: z.number().int(),
    historyCount: z.number().int(),
    excludedCount: z.number().int(),
  }),
  excluded: contextOutput.shape.dropped,
  text: z.string().describe("All of it as one document"),
  tokens: contextOutput.shape.tokens,
  milliseconds: z.record(z.string(), z.number()).describe("Time by stage"),
  cached: z.boolean(),
  warnings: z.array(z.string()),
});

/** What a chat application puts before the next message of a thread. */
export const primeContext = operation({
  name: "prime_context",
  summary: "Context for the next message of a thread: what it refers to, documents, and what was said before",
  input: z.object({
    message: z.string().max(longestQuery).describe("The next message; @mentions name documents, folders and threads"),
    thread: searchOptions.thread,
    references: z.array(z.string().min(1)).optional().describe("More documents, folders/, threads or items to include"),
    path,
    workspace,
    maxTokens: assemblyOptions.maxTokens,
    reserve: z.number().int().min(0).max(100_000).default(500).describe("Tokens of maxTokens kept free for the prompt"),
    format: assemblyOptions.format,
    encoding: assemblyOptions.encoding,
    refresh: searchOptions.refresh,
  }),
  output,
  positional: ["message"],
  examples: [
    {
      command: 'dossier prime_context "what did we decide about @setup.md?" --thread thr-1k3f',
      what: "the next message",
    },
  ],
  text: (output) => output.text,
  async run(input, environment) {
    const began = performance.now();
    const open = await environment.workspace();
    const asked = contextInput.parse({
      query: input.message,
      recipe: "chat",
      ...(input.thread === undefined ? {} : { thread: input.thread }),
      maxTokens: Math.max(64, input.maxTokens - input.reserve),
      format: input.format,
      encoding: input.encoding,
      refresh: input.refresh,
      minScore: 0,
      includeSources: false,
      expand: false,
    });
    const { request, recipe, revisions, warnings } = await prepareChat(
      asked,
      input.references ?? [],
      open,
      environment,
    );
    const key = [open.owner, open.databasePath, request, recipe.asks, revisions];
    const { context, hit } = await cached(key, async () => {
      const { assemble } = await import("../assemble.ts");
      return assemble(open, request, recipe);
    });
    count(open.owner, context, hit, performance.now() - began);
    const told = { ...context, warnings: [...warnings, ...context.warnings] };
    return { contextId: `ctx-${hashText(JSON.stringify(key))}`, cached: hit, ...primeOf(told) };
  },
});

type Output = z.output<typeof output>;

function primeOf(context: Context): Omit<Output, "contextId" | "cached"> {
  const items = context.items;
  const isExplicit = (each: Included) => each.section === explicitSection;
  const found = items.filter((each) => !isExplicit(each));
  return {
    totalTokens: context.tokens.used,
    items: items.map((each, rank) => itemOf(each, rank, isExplicit(each), context.query)),
    citations: items.map(citationOf),
    stats: {
      explicitCount: items.filter(isExplicit).length,
      searchCount: found.filter(({ source }) => source !== "message").length,
      historyCount: found.filter(({ source }) => source === "message").length,
      excludedCount: context.dropped.length,
    },
    excluded: context.dropped,
    text: context.text,
    tokens: context.tokens,
    milliseconds: context.stats.milliseconds,
    warnings: context.warnings,
  };
}

const longestExcerpt = 200;

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Where it is, as its reader knows it. */
function sourceOf({ facts = {}, path }: Included): string {
  return String(facts.path ?? facts.thread_title ?? facts.thread ?? path);
}

function itemOf(each: Included, rank: number, explicit: boolean, query: string): Output["items"][number] {
  const { id, source, text, score, tokens, because, facts = {} } = each;
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])];
  const lower = text.toLowerCase();
  const time = facts.timestamp ?? facts.changed_at ?? facts.created_at;
  return {
    id,
    type: explicit ? "reference" : source === "message" ? "message" : isPart(facts) ? "chunk" : "file",
    content: text,
    excerpt: excerptOf(text),
    source: sourceOf(each),
    relevance: score,
    tokens,
    because,
    metadata: {
      ...(facts.path === undefined ? {} : { path: String(facts.path) }),
      ...(time === undefined ? {} : { createdAt: String(time) }),
      matchedKeywords: words.filter((word) => lower.includes(word)),
      ...(explicit ? {} : { searchRank: rank + 1 }),
    },
  };
}

/** One of several pieces of a document. */
function isPart({ chunk }: Facts): boolean {
  return chunk !== undefined && chunk !== "1/1";
}

function citationOf(each: Included): Output["citations"][number] {
  const { citation, source, text, score, facts = {} } = each;
  return {
    id: citation.id,
    itemId: citation.itemId,
    source: sourceOf(each),
    type: source === "message" ? "message" : source === "document" ? "document" : "file",
    ...(facts.path === undefined ? {} : { path: String(facts.path) }),
    excerpt: excerptOf(text),
    relevance: score,
    usedInResponse: false,
  };
}
