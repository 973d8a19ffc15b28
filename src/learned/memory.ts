/** A fact, a preference, a decision: something that an agent or its user wants to be known later. */
export const categories = ["preference", "fact", "event", "workflow", "context", "error", "decision"] as const;
export type Category = (typeof categories)[number];

export const defaultCategory: Category = "fact";
export const defaultImportance = 0.5;

/** The body of a record of type `memory`. */
export type Memory = {
  content: string;
  category: Category;
  /** 0..1. */
  importance: number;
  tags: string[];
  /** Id of the memory that this one replaces. */
  supersedes?: string;
  /** The memory that replaced it, and when, milliseconds since 1970: kept for questions about an earlier time. */
  superseded?: { by: string; at: number };
  /** Shown in every brief, before all search results. */
  pinned?: boolean;
  /** Where it applies: `~` in all workspaces of its user, else a path glob; the whole workspace when absent. */
  scope?: string;
  /** When it ends, milliseconds since 1970. */
  until?: number;
  anchors?: Anchor[];
};

/**
 * Where a mentioned name was when the text was written, to find it again after a rename. For a symbol the file that
 * defines it, for a path the whole path, for a command the file that defines what it does.
 */
export type Anchor = {
  name: string;
  path: string;
  hash: string;
  /** For a symbol: the item that defined it. While that exists, nothing else needs to be checked. */
  item?: string;
  /** For a symbol: a fingerprint of its text without the name (see `sketchOf`). */
  sketch?: string;
  /** Hashes of the other names in its file: none of them can be its new name (see `marksOf`). */
  beside?: string;
};

export const longestContent = 10_000;
export const mostTags = 20;
export const longestTag = 60;
