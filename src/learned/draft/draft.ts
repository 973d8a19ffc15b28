import type { Category } from "../memory.ts";

/** What a session may leave to be remembered: a statement, or what was tried and how it went. Kept apart until somebody accepts it: nothing is remembered silently. */
export type MemoryDraft = {
  content: string;
  category: Category;
  /** Who said it. Nobody: it was taken from what was done. */
  said: "user" | "agent" | "nobody";
  /** Not decided when the log ended: a longer log of the session replaces it. */
  unfinished?: true;
  /** The client's session, where it says one. */
  session?: string;
};

/** Limit per session: nobody reviews more. */
export const mostDrafts = 12;
