import type { Note } from "../../note.ts";

/** Excludes notes regardless of their text. */
export type NoteFilter = {
  /** Tag names: notes with one of them, directly or inherited, are excluded. */
  excludeTags: string[];
  /** Milliseconds since 1970; a note without a time passes. */
  newerThan?: number;
  /** Origins whose notes are indexed elsewhere, as files. */
  withoutOrigins?: string[];
};

export function passes(note: Note & { origin: string }, filter: NoteFilter | undefined): boolean {
  if (!filter) return true;
  const { excludeTags, newerThan, withoutOrigins } = filter;
  if (withoutOrigins?.includes(note.origin)) return false;
  const time = note.changed ?? note.created;
  if (newerThan !== undefined && time !== undefined && time < newerThan) return false;
  return !hasTag(note, excludeTags);
}

/** True when it has one of these tags, directly or inherited; ignores case and a leading `#`. */
export function hasTag(
  { tags, inherited = [] }: Pick<Note, "tags" | "inherited">,
  filterTags: readonly string[],
): boolean {
  if (filterTags.length === 0) return false;
  const names = new Set(filterTags.map(folded));
  return [...tags, ...inherited].some((tag) => names.has(folded(tag)));
}

function folded(tag: string): string {
  return tag.trim().replace(/^#/, "").toLowerCase();
}
