import type { Category } from "../memory.ts";

/**
 * A memory that a session suggests: a statement, or what was tried and how it ended. It is stored apart until somebody
 * accepts it: nothing is remembered silently.
 */
export type MemoryDraft = {
  content: string;
  category: Category;
  /** Who said it; `nobody` if it was derived from commands and edits. */
  said: "user" | "agent" | "nobody";
  /** Undecided when the log ended: a longer log of the session replaces it. */
  unfinished?: true;
  /** The client's session, if the log names one. */
  session?: string;
};

/** Limit per session: nobody reviews more. */
export const mostDrafts = 12;
