import type { Included, Level, SourceName } from "./item.ts";

/** A document as a result: its items, its parts, its token counts, and what was left out. */

/** What every assembly returns, whatever the recipe or surface. */
export type Context = {
  query: string;
  recipe: string;
  format: string;
  text: string;
  tokens: TokenUse;
  items: Included[];
  dropped: Dropped[];
  warnings: string[];
  /** `sentence`: what was shortened or left out. */
  summary: { included: number; excluded: number; filesRead: number; truncated: boolean; sentence: string };
  /** The selection's value divided by an upper bound of the optimum, 0..1. */
  optimality: number;
  /** Confidence that something relevant was found, 0..1. */
  confidence: number;
  stats: { found: Record<string, number>; milliseconds: Record<string, number> };
  /** Of an answer from a notes graph: the lens, and where the notes come from. */
  header?: Header;
  /** Of a request with `since`: the id of everything sent so far. */
  bundle?: string;
  /** The first sentence of an uncertain answer. */
  notice?: string;
  /** Words of the query that no source contains, with synonyms that some source contains. */
  unknown: { word: string; near: string[] }[];
  /** On request: the parts of the text. */
  parts?: DocumentPart[];
};

/**
 * `empty`: there is nothing to print, as of a file without a line. `given`: an earlier answer of the same conversation
 * has it already. `excluded`: the caller does not want it.
 */
export const dropReasons = [
  "duplicate",
  "over-budget",
  "below-score",
  "diversity",
  "unreadable",
  "empty",
  "given",
  "excluded",
] as const;
export type DropReason = (typeof dropReasons)[number];
export type Dropped = {
  id: string;
  title: string;
  source: SourceName;
  score: number;
  reason: DropReason;
  /** For duplicates: the id that stands for it. */
  by?: string;
  /** Of a note: its id where it comes from, what it is called and its tags. */
  note?: { key: string; name: string; tags: string[] };
  /** Where it was asked for: what each level would take, and a budget with which it is printed. */
  levels?: LevelCost[];
  entersAt?: number;
};

/** The tokens of an item at a level by itself. */
export type LevelCost = { level: Level; tokens: number };

/**
 * A piece of the document, in order: pieces without an item are its frame. `characters` are UTF-16 units of the text.
 */
export type DocumentPart = { tokens: number; characters: number; item?: string; section?: string };

export type TokenUse = { budget: number; used: number; encoding: string; exact: boolean; fill: number };

/**
 * The header of a document about a notes graph. `assembledAt` is for the metadata of JSON only: no clock is in a
 * text.
 */
export type Header = {
  query: string;
  workspace: string;
  lens: string;
  backend: string;
  assembledAt: string;
  /** Of notes that were asked for by their tags and fields: how many there are, and what was asked. */
  matches?: { count: number; where: string };
  /** Warnings for the reader: a limit that ended the walk, a part that was not found, a budget that is too small. */
  warnings?: string[];
};
