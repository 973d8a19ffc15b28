import type { Note, Relation } from "../note.ts";
import { hashText } from "../text/hash.ts";

/**
 * The notes graph in the index, for printing and walking. The text of notes is searched on the shelf `note`. The graph is
 * built from the origins and may be deleted with the index.
 *
 * Edges are derived from the notes: `parent` and `child` from `parent`, `reference` from `references`, `field` from the
 * values of fields that are notes. A key in a note means the note with this key in its origin. Without one it means the
 * note with this alias: of several, the one with the shortest key, then the first by key. Keys are resolved when they are
 * read, so adding or removing a note changes no other. Two keys are the same when their `noteItemId` is: as UTF-8, where
 * every lone surrogate becomes the replacement character.
 */
export type GraphStore = {
  /**
   * Adds or replaces notes of an origin and removes others, with their edges, in one transaction; the revision of the
   * shelf `note` grows by one. A dangling edge is kept: it leads to its note once that exists. Of a repeated key the
   * last counts, and it stays even when also removed. An origin exists once it is written to, even without notes.
   */
  write(owner: string, origin: string, change: GraphChange): Promise<void>;
  /** Hashes of the notes of an origin, or of one sheet, by key: to compare with a new reading. */
  hashes(owner: string, origin: string, sheet?: string): Promise<Map<string, string>>;
  /** Notes by item id, in that order; unknown ids are absent. Shared and frozen. */
  get(owner: string, ids: string[]): Promise<StoredNote[]>;
  /** The note with this item id, and for every origin, ordered by name, the note that this key or alias means there. */
  called(owner: string, key: string): Promise<StoredNote[]>;
  /**
   * Notes with this name (see `foldName`), at most `limit`: those with most edges first, then by id. None for an empty
   * name.
   */
  named(owner: string, name: string, limit: number): Promise<StoredNote[]>;
  /**
   * Edges of these notes to existing notes, of these relations, in both directions.
   * - `child` leads to children, `parent` to the parent. `reference` leads to mentioned and mentioning notes, `field` to
   *   values and to notes that have it as a value.
   * - Order: by the given notes, then by relation. Children come in their order (whole numbers, those without one last),
   *   others by id.
   * - At most `limit` for each note and relation, with the total in `more`: a hub costs no more than `limit`.
   * - An edge to itself is left out. Two notes are connected once per relation, outwards when both state it.
   */
  neighbours(owner: string, ids: string[], relations: readonly Relation[], limit: number): Promise<Neighbours>;
  /** The ancestors of each note up to the root, nearest first, at most `limit`; ends before a note would repeat. */
  ancestors(owner: string, ids: string[], limit: number): Promise<Map<string, StoredNote[]>>;
  /** Every origin with its counts, ordered by name. */
  origins(owner: string): Promise<OriginCounts[]>;
  /** Names of tags with the number of notes that have each (not inherited), most first; of all origins. */
  tags(owner: string, limit: number): Promise<{ name: string; notes: number }[]>;
  /**
   * Facts of notes in batches, in no particular order: those that contain, of each of these lists, at least one whole
   * name anywhere (a tag, a field, a value), ignoring case in ASCII. It may occur in another role: the caller decides.
   * Without lists, all notes.
   */
  containing(owner: string, names: readonly (readonly string[])[]): AsyncIterable<NoteFacts[]>;
  /** Names of all tags, inherited ones too, and of all fields, as written, in alphabetical order. */
  vocabulary(owner: string): Promise<{ tags: string[]; fields: string[] }>;
  /** Removes an origin with all its notes. */
  forget(owner: string, origin: string): Promise<void>;
};

export type GraphChange = {
  /**
   * `sheet`: the part of the origin it was read from. `hash`: hash of everything that the reader returned. `json`: the
   * note as `JSON.stringify` writes it, if already known.
   */
  notes: { note: Note; sheet: string; hash: string; json?: string }[];
  /** Keys to remove; unknown ones are ignored. */
  removed: string[];
};

export type StoredNote = Note & { /** Item id. */ id: string; origin: string; sheet: string };

/** A note without what is written below its name. */
export type NoteFacts = Omit<StoredNote, "text" | "references" | "aliases" | "sheet">;

/** `out`: in the direction of the data, towards a child, a value, a mentioned note. */
export type Edge = { from: string; to: string; relation: Relation; out: boolean };
export type Neighbours = { edges: Edge[]; more: { from: string; relation: Relation; total: number }[] };

export type OriginCounts = {
  origin: string;
  notes: number;
  /** Number of tags on notes, values of fields and mentions, with repetition; and of dangling edges. */
  tagged: number;
  values: number;
  references: number;
  dangling: number;
};

/** The item that stands for a note. Two origins may use the same keys. */
export function noteItemId(origin: string, key: string): string {
  return `not-${hashText(`${origin}\n${key}`)}`;
}

/** How names are compared: without case and surrounding blanks, whichever way an accent is encoded. */
export function foldName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}
