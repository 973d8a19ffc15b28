import type { Category } from "../memory.ts";

/** Something a session said that may be worth remembering. It is kept apart until somebody accepts it: nothing is remembered silently. */
export type MemoryDraft = {
  content: string;
  category: Category;
  /** Who said it. */
  said: "user" | "agent";
  /** The client's session, where it says one. */
  session?: string;
};

/** More than this of one session nobody looks through. */
export const mostDrafts = 12;
