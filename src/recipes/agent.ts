import { code, records } from "./code.ts";
import type { Ask, Recipe, Section, Together } from "./recipe.ts";

/** The kinds of context an agent can ask for before it works, in printed order. */
export const contextTypes = ["memories", "code", "experiences", "values", "commits"] as const;
export type ContextType = (typeof contextTypes)[number];

const asks: Record<ContextType, Ask> = {
  memories: { source: "memory", deadline: 2000 },
  code: { source: "files", deadline: 5000 },
  experiences: { source: "experience", deadline: 2000, kinds: ["experience"] },
  values: { source: "value", deadline: 2000 },
  commits: { source: "commit", deadline: 2000 },
};

/** Pinned memories are printed for every query, within a small share of the budget. */
const pinned: Ask = {
  source: "memory",
  deadline: 2000,
  section: "Pinned",
  where: { pinned: [true] },
  certain: true,
  alwaysFirst: true,
  limit: 20,
};

/** Weights follow the usual length: an experience has seven lines, a value has one. */
const sections: Section[] = [
  { title: "Pinned", holds: [], weight: 2, maxShare: 0.15 },
  { title: "Most Relevant", holds: [], weight: 5 },
  { title: "Memories", holds: ["memory"], weight: 2 },
  { title: "Code", holds: ["code", "documentation", "other"], weight: 2 },
  { title: "Experiences", holds: ["experience"], weight: 3 },
  { title: "Values", holds: ["value"], weight: 1 },
  { title: "Commits", holds: ["commit"], weight: 2 },
];

/**
 * Higher than for questions: a record that repeats a word of the task is about it. First five of 50 tasks: 57.5 %; at 4
 * 54.6; at 1 58.7, with fewer found in total.
 */
const taskModel = { k1: 2, b: 0.75 };

/**
 * Memories, experiences and values are ranked as one list. Recall in the first five: 67 % on 20 tasks, 68 % on ten
 * held-out ones; by words alone, with a list per kind, 41 % and 30 %. On 20 tasks of another project, whose words
 * differ from those of its records: 42 %, plain BM25 29 %. No other settings are clearly better there without being
 * worse here.
 */
const together: Together = { sources: ["memory", "experience", "value"], taskWords: 0.4, best: 5, fewestTerms: 8 };
const signals = { ...records.signals, neighbours: 0.7 };
const mostRelevant = { title: "Most Relevant", count: 5, sources: ["memory", "experience", "value"] as const };

/** A briefing for an agent before it works: the requested types of context, with at most `limit` items of each. */
export function agent(types: readonly ContextType[] = contextTypes, limit = 20): Recipe {
  return {
    ...code,
    name: "agent",
    asks: [
      ...(types.includes("memories") ? [pinned] : []),
      ...contextTypes.filter((type) => types.includes(type)).map((type) => ({ ...asks[type], limit })),
    ],
    records: { ...records, signals, together, model: { ...records.model, ...taskModel } },
    look: {
      title: "Context",
      summary: "sources",
      budget: "shares",
      itemCap: 0.25,
      style: "brief",
      mostRelevant,
      sections,
    },
  };
}
