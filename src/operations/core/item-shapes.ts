import * as z from "zod";
import { dropReasons } from "../../document.ts";
import { kinds, levels, linkKinds, sourceNames } from "../../item.ts";

/** Output schemas of the nouns in item.ts, for every surface's documentation and checks. */

export const signals = z.record(z.string(), z.number());

export const via = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(linkKinds),
    key: z.string().optional().describe("A note's id at its origin"),
  }),
);

const citation = z.object({
  id: z.string(),
  itemId: z.string(),
  path: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  hash: z.string(),
  link: z.string().optional().describe("Of a note: opens it in Tana, Obsidian or Logseq"),
});

/** Values may be lists; the fields of a note are a list by name. */
export const facts = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.record(z.string(), z.array(z.string()))]),
);

const place = z.object({ path: z.string(), line: z.number().int(), text: z.string(), name: z.string() });

const levelCosts = z
  .array(z.object({ level: z.enum(levels), tokens: z.number().int() }))
  .describe("With report levels: what each level that it has would take");

const included = z.object({
  id: z.string(),
  source: z.enum(sourceNames),
  kind: z.enum(kinds),
  name: z.string(),
  title: z.string(),
  qualifiedName: z.string(),
  citation,
  level: z.enum(levels),
  tokens: z.number().int(),
  score: z.number(),
  because: signals,
  distance: z.number().int().optional(),
  path: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  language: z.string().optional(),
  freshness: z.enum(["current", "moved", "stored"]),
  text: z.string(),
  block: z.string().optional().describe("All that was printed for it, heading included"),
  imports: z.array(z.string()),
  related: z.array(z.string()),
  merged: z.array(z.object({ id: z.string(), name: z.string(), why: z.string() })),
  uses: z
    .object({ callers: z.array(place), tests: z.array(place) })
    .optional()
    .describe("Of what was asked for by name: who uses it"),
  facts: facts.optional().describe("What is known of a record besides its text"),
  section: z.string().optional().describe("The section it was asked for"),
  notes: z.array(z.string()).optional().describe("What the reader must know of it"),
  via: via.optional().describe("How it was reached by links, nearest first"),
  rank: z.number().int().describe("Its place among what is worth printing, 1 for the best"),
  pinned: z.boolean().optional().describe("Printed because it was pinned"),
  content: z
    .number()
    .int()
    .optional()
    .describe("With report parts: tokens of its own text; the rest of its tokens is frame"),
  levels: levelCosts.optional(),
});

const dropped = z.object({
  id: z.string(),
  title: z.string(),
  source: z.enum(sourceNames),
  score: z.number(),
  reason: z.enum(dropReasons),
  by: z.string().optional(),
  note: z
    .object({ key: z.string(), name: z.string(), tags: z.array(z.string()) })
    .optional()
    .describe("Of a note: its id at its origin, its name and tags"),
  levels: levelCosts.optional(),
  entersAt: z
    .number()
    .int()
    .optional()
    .describe(
      "With report budgets: a budget with which it is printed, close to the smallest; absent if none was found",
    ),
});

const tokenUse = z.object({
  budget: z.number().int(),
  used: z.number().int(),
  encoding: z.string(),
  exact: z.boolean(),
  fill: z.number(),
});

export const bundle = z.string().optional().describe("All that was given up to now: what to pass as since next time");

export const contextOutput = z.object({
  query: z.string(),
  recipe: z.string(),
  format: z.string(),
  text: z.string(),
  tokens: tokenUse,
  items: z.array(included),
  dropped: z.array(dropped),
  warnings: z.array(z.string()),
  summary: z.object({
    included: z.number().int(),
    excluded: z.number().int(),
    filesRead: z.number().int(),
    truncated: z.boolean(),
    sentence: z.string().describe("What was shortened or left out, in words"),
  }),
  optimality: z.number(),
  confidence: z.number(),
  stats: z.object({ found: z.record(z.string(), z.number()), milliseconds: z.record(z.string(), z.number()) }),
  header: z
    .object({
      query: z.string(),
      workspace: z.string(),
      lens: z.string(),
      backend: z.string().describe("local-api: the application answered; sqlite: what was imported"),
      assembledAt: z.string(),
      warnings: z.array(z.string()).optional().describe("What the document says of its limits"),
    })
    .optional()
    .describe("Of an answer from a notes graph"),
  bundle,
  notice: z.string().optional().describe("What the document says first where it is not sure of itself"),
  unknown: z
    .array(z.object({ word: z.string(), near: z.array(z.string()) }))
    .describe("Words of the question that no source has, and others for them that some source has"),
  parts: z
    .array(
      z.object({
        tokens: z.number().int(),
        characters: z.number().int().describe("UTF-16 units of the text"),
        item: z.string().optional().describe("Id of the item it belongs to; without it the piece is frame"),
        section: z.string().optional(),
      }),
    )
    .optional()
    .describe("With report parts: the whole text in pieces, in order; their tokens add up to those used"),
});

export const ranked = z.object({
  rank: z.number().int(),
  id: z.string(),
  source: z.enum(sourceNames),
  kind: z.enum(kinds),
  name: z.string(),
  qualifiedName: z.string(),
  path: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  language: z.string().optional(),
  signature: z.string().optional(),
  score: z.number(),
  because: signals,
  distance: z.number().int(),
  via: via.optional(),
});
