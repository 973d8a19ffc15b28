import type { Note } from "../../note.ts";

/** Notes that are not wanted, whatever they say. */
export type NoteFilter = {
  /** Names of tags: notes with one of them, or with one that inherits from it. */
  excludeTags: string[];
  /** Milliseconds since 1970; a note whose time is not known passes. */
  newerThan?: number;
  /** Origins whose notes are found elsewhere, as files. */
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

/** True when it has one of these tags, itself or by inheritance; a `#` before a name is passed over, and so is case. */
export function hasTag({ tags, inherited = [] }: Pick<Note, "tags" | "inherited">, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return false;
  const names = new Set(wanted.map(folded));
  return [...tags, ...inherited].some((tag) => names.has(folded(tag)));
}

function folded(tag: string): string {
  return tag.trim().replace(/^#/, "").toLowerCase();
}
