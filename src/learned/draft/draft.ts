import type { Category } from "../memory.ts";

/** A statement of a session that may be worth remembering. Kept apart until somebody accepts it: nothing is remembered silently. */
export type MemoryDraft = {
  content: string;
  category: Category;
  /** Who said it. */
  said: "user" | "agent";
  /** The client's session, where it says one. */
  session?: string;
};

/** Limit per session: nobody reviews more. */
export const mostDrafts = 12;
