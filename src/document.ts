import type { Level, SourceName } from "./item.ts";

/** Facts about a document besides its items: its parts, its token counts, and what was left out. */

/** `given`: an earlier answer of the same conversation has it already. `excluded`: the caller does not want it. */
export const dropReasons = [
  "duplicate",
  "over-budget",
  "below-score",
  "diversity",
  "unreadable",
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

/** A piece of the document, in order: pieces without an item are its frame. `characters` are UTF-16 units of the text. */
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
