import type { Note } from "../../note.ts";
import type { GraphChange } from "../graph.ts";

/** A note with nothing but a key and a name, and what else is given. */
export function note(key: string, rest: Partial<Note> = {}): Note {
  return { key, name: key, tags: [], fields: [], references: [], ...rest };
}

export function changesOf(notes: Note[], removed: string[] = []): GraphChange {
  return { notes: notes.map((each) => ({ note: each, sheet: "sheet", hash: `hash of ${each.name}` })), removed };
}
