/** A fact, a preference, a decision: something an agent or its user wants to be known later. */
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
  /** The memory that took its place, and when, milliseconds since 1970: it is kept for questions about an earlier time. */
  superseded?: { by: string; at: number };
  /** In every brief, before all that was found. */
  pinned?: boolean;
  /** Where it holds: `~` in all workspaces of its user, else a path glob. In the whole workspace without it. */
  scope?: string;
  /** When it ends, milliseconds since 1970. */
  until?: number;
  anchors?: Anchor[];
};

/**
 * Where a name that the text mentions was when it was written down: how it is found again after a rename. Of a symbol
 * the file that defines it, of a path the whole path, of a command the file that says what it does.
 */
export type Anchor = {
  name: string;
  path: string;
  hash: string;
  /** Of a symbol: the item that defined it. While that is there, nothing else needs to be asked. */
  item?: string;
  /** Of a symbol: its text without the name, short enough to keep (see `sketchOf`). */
  sketch?: string;
  /** The names that stood in its file beside it, hashed: none of them can be what it was renamed to (see `marksOf`). */
  beside?: string;
};

export const longestContent = 10_000;
export const mostTags = 20;
export const longestTag = 60;
