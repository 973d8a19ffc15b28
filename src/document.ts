import type { Level, SourceName } from "./item.ts";

/** What a result says of its document besides the items: what it is made of, what it takes, and what is not in it. */

/** `given`: an earlier answer of the same conversation has it already. `excluded`: whoever asked does not want it. */
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

/** What printing an item at a level takes by itself. */
export type LevelCost = { level: Level; tokens: number };

/** A piece of the document, in order: pieces without an item are its frame. `characters` are UTF-16 units of the text. */
export type DocumentPart = { tokens: number; characters: number; item?: string; section?: string };

export type TokenUse = { budget: number; used: number; encoding: string; exact: boolean; fill: number };

/** What a document about a notes graph says of itself. `assembledAt` is for the metadata of JSON only: no clock is in a text. */
export type Header = {
  query: string;
  workspace: string;
  lens: string;
  backend: string;
  assembledAt: string;
  /** Of notes that were asked for by their tags and fields: how many there are, and what was asked. */
  matches?: { count: number; where: string };
  /** What its reader must know: a limit that ended the walk, a part that was not found, a budget that is too small. */
  warnings?: string[];
};
