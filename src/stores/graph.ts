import type { Note, Relation } from "../note.ts";
import { hashText } from "../text/hash.ts";

/**
 * The notes graph as the index keeps it. The text of notes is searched on the shelf `note`; this is what is printed and walked. It is made
 * from the origins and may be deleted with the index. Edges are derived from the notes themselves: `parent` and `child` from `parent`,
 * `reference` from `references`, `field` from the values of fields that are notes.
 *
 * What a note names by a key is, within its origin, the note that has this key; else, of the notes that claim it as an alias, the one with
 * the shortest key, then the first by key. That is decided when it is read, so a note that comes or goes changes no other.
 * Keys are the same when `noteItemId` is: as text in UTF-8, where every lone surrogate is the same replacement character.
 */
export type GraphStore = {
  /**
   * Adds or replaces notes of an origin and removes others, with the edges they say, in one transaction; the revision of the shelf `note`
   * grows by one. An edge to a note that does not exist, or no longer does, is kept: it leads there once the note does. A key that comes
   * twice counts as it came last, and stays when it is also removed. An origin exists once it is written to, even without notes.
   */
  write(owner: string, origin: string, change: GraphChange): Promise<void>;
  /** Hash of every note of an origin by key, or of one sheet of it: what a new reading is compared with. */
  hashes(owner: string, origin: string, sheet?: string): Promise<Map<string, string>>;
  /** Notes by item id, in that order; unknown ids are absent. Shared and frozen. */
  get(owner: string, ids: string[]): Promise<StoredNote[]>;
  /** The note with this item id, and of every origin, in the order of their names, the note that this key or alias means there. */
  called(owner: string, key: string): Promise<StoredNote[]>;
  /**
   * Notes whose name is this (see `foldName`), at most `limit`: those first that say most of others and of which others say most, then by
   * id. None for an empty name.
   */
  named(owner: string, name: string, limit: number): Promise<StoredNote[]>;
  /**
   * Edges of these notes to notes that exist, of these relations, each in both directions: `child` leads to children, `parent` to the
   * parent, `reference` to what is mentioned and to what mentions it, `field` to values and to what has it as a value. Notes come as they
   * were asked for, then relations; children in their order (whole numbers; those without one last), others in the order of ids. At most
   * `limit` for each note and relation, and then `more` says how many there are in all; a hub costs what `limit` costs. An edge to itself
   * is left out; two notes are connected once by a relation, outwards when both say it.
   */
  neighbours(owner: string, ids: string[], relations: readonly Relation[], limit: number): Promise<Neighbours>;
  /** The way up from each note to the one that nothing owns, nearest first, at most `limit` steps; it ends before a note comes twice. */
  ancestors(owner: string, ids: string[], limit: number): Promise<Map<string, StoredNote[]>>;
  /** Every origin with its counts, in the order of names. */
  origins(owner: string): Promise<OriginCounts[]>;
  /** Names of tags with how many notes have each (inheritance not counted), most first; of all origins. */
  tags(owner: string, limit: number): Promise<{ name: string; notes: number }[]>;
  /**
   * What notes are, some at a time, in no order that means anything: those that say, of each of these lists, at least one name somewhere as
   * a whole (a tag, a field, a value), without case in ASCII. They may say it as something else: the caller decides. Without lists, all notes.
   */
  saying(owner: string, names: readonly (readonly string[])[]): AsyncIterable<NoteFacts[]>;
  /** Names of all tags, inherited ones too, and of all fields, each as it is written, in the order of the alphabet. */
  vocabulary(owner: string): Promise<{ tags: string[]; fields: string[] }>;
  /** Removes an origin with all its notes. */
  forget(owner: string, origin: string): Promise<void>;
};

export type GraphChange = {
  /**
   * `sheet`: the part of the origin it was read from. `hash`: of all that the reader said of it. `json`: the note as `JSON.stringify` gives
   * it, where that is known already.
   */
  notes: { note: Note; sheet: string; hash: string; json?: string }[];
  /** Keys. One that does not exist is passed over. */
  removed: string[];
};

export type StoredNote = Note & { /** Item id. */ id: string; origin: string; sheet: string };

/** A note without what is written below its name. */
export type NoteFacts = Omit<StoredNote, "text" | "references" | "aliases" | "sheet">;

/** `out`: in the direction that the data says it, towards a child, a value, what is mentioned. */
export type Edge = { from: string; to: string; relation: Relation; out: boolean };
export type Neighbours = { edges: Edge[]; more: { from: string; relation: Relation; total: number }[] };

export type OriginCounts = {
  origin: string;
  notes: number;
  /** Tags on notes, values of fields, mentions, each as often as it is there; and how many edges lead to a note that does not exist. */
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
