import * as z from "zod";
import type { Context, Dropped } from "../../document.ts";
import { type Facts, type Included, levels } from "../../item.ts";
import { explicitSection } from "../../recipes/chat.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { contextOutput, signals } from "../core/item-shapes.ts";

const item = z.object({
  id: z.string(),
  type: z.enum(["file", "chunk", "message", "reference"]),
  content: z.string().describe("What is printed of it, never empty"),
  excerpt: z.string(),
  source: z.string().describe("Where it is: a path, a thread"),
  relevance: z.number().describe("0 to 1: references above .8, what was found .4 to .8, what was said .2 to .6"),
  level: z.enum(levels).describe("How much of it is printed: full, or a part"),
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
  usedInResponse: z.boolean().describe("True once a reply to this context cited it: see cited"),
});

const retrieved = z.number().int();

export const primeOutput = z.object({
  contextId: z.string().describe("Names this context in feedback, and where a reply is read for citations"),
  totalTokens: z.number().int(),
  items: z.array(item),
  citations: z.array(citation),
  stats: z.object({
    explicitCount: retrieved.describe("Retrieved because it was named, printed or not"),
    searchCount: retrieved.describe("Retrieved by searching documents and files"),
    historyCount: retrieved.describe("Retrieved from the thread"),
    excludedCount: retrieved.describe("Of all of them, those that are not printed"),
  }),
  excluded: contextOutput.shape.dropped,
  confidence: z.number().describe("How sure it is that anything relevant was found, 0 to 1"),
  text: z.string().describe("All of it as one document"),
  tokens: contextOutput.shape.tokens,
  milliseconds: z.record(z.string(), z.number()).describe("Time by stage"),
  cached: z.boolean(),
  warnings: z.array(z.string()),
});

export type PrimeOutput = z.output<typeof primeOutput>;

/** `named`: ids of the named items. `used`: ids that a reply to this context cited. */
export type KnownItems = { named: ReadonlySet<string>; used: ReadonlySet<string> };

export function primeOf(context: Context, { named, used }: KnownItems): Omit<PrimeOutput, "contextId" | "cached"> {
  const { items, dropped } = context;
  const isExplicit = (each: Included) => each.section === explicitSection;
  const keywords = keywordsOf(context.query);
  return {
    totalTokens: context.tokens.used,
    items: items.map((each, rank) => itemOf(each, rank, isExplicit(each), keywords)),
    citations: items.map((each) => citationOf(each, used.has(each.id))),
    stats: {
      ...counts([...items.map((each) => ({ ...each, isNamed: isExplicit(each) })), ...dropped.map(withName(named))]),
      excludedCount: dropped.length,
    },
    excluded: dropped,
    confidence: context.confidence,
    text: context.text,
    tokens: context.tokens,
    milliseconds: context.stats.milliseconds,
    warnings: context.warnings,
  };
}

type Retrieved = Pick<Dropped, "source"> & { isNamed: boolean };

function withName(named: ReadonlySet<string>): (dropped: Dropped) => Retrieved {
  return ({ id, source }) => ({ source, isNamed: named.has(id) });
}

function counts(retrieved: readonly Retrieved[]) {
  const searched = retrieved.filter(({ isNamed }) => !isNamed);
  const historyCount = searched.filter(({ source }) => source === "message").length;
  return {
    explicitCount: retrieved.length - searched.length,
    searchCount: searched.length - historyCount,
    historyCount,
  };
}

/** The words of a message that carry its meaning, as written, with their terms. */
function keywordsOf(message: string): Map<string, string[]> {
  const words = new Set(message.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu));
  const terms = [...words].map((word): [string, string[]] => [word, analyse(word)]);
  return new Map(terms.filter(([, meant]) => meant.length > 0));
}

function matched(keywords: ReadonlyMap<string, string[]>, text: string): string[] {
  const textTerms = new Set(analyse(text));
  return [...keywords].filter(([, terms]) => terms.some((term) => textTerms.has(term))).map(([word]) => word);
}

const longestExcerpt = 200;

export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The location of an item, as its reader knows it. */
export function placeOf(facts: Facts, path: string): string {
  return String(facts.path ?? facts.thread_title ?? facts.thread ?? path);
}

function itemOf(
  { id, source, text, score, level, tokens, because, path, facts = {} }: Included,
  rank: number,
  explicit: boolean,
  keywords: ReadonlyMap<string, string[]>,
): PrimeOutput["items"][number] {
  const time = facts.timestamp ?? facts.changed_at ?? facts.created_at;
  return {
    id,
    type: explicit ? "reference" : source === "message" ? "message" : isPart(facts) ? "chunk" : "file",
    content: text,
    excerpt: excerptOf(text),
    source: placeOf(facts, path),
    relevance: score,
    level,
    tokens,
    because,
    metadata: {
      ...(facts.path === undefined ? {} : { path: String(facts.path) }),
      ...(time === undefined ? {} : { createdAt: String(time) }),
      matchedKeywords: matched(keywords, text),
      ...(explicit ? {} : { searchRank: rank + 1 }),
    },
  };
}

/** The position of one piece of a document that is printed in several. */
function isPart({ chunk }: Facts): boolean {
  return chunk !== undefined && chunk !== "1/1";
}

function citationOf(each: Included, usedInResponse: boolean): PrimeOutput["citations"][number] {
  const { citation, source, text, score, path, facts = {} } = each;
  return {
    id: citation.id,
    itemId: citation.itemId,
    source: placeOf(facts, path),
    type: source === "message" ? "message" : source === "document" ? "document" : "file",
    ...(facts.path === undefined ? {} : { path: String(facts.path) }),
    excerpt: excerptOf(text),
    relevance: score,
    usedInResponse,
  };
}
