import type { Note, Relation } from "../note.ts";
import { hashText } from "../text/hash.ts";

/**
 * The notes graph as the index keeps it. The text of notes is searched on the shelf `note`; this is what is printed and walked. It is made
 * from the origins and may be deleted with the index. Edges are derived from the notes themselves: `parent` and `child` from `parent`,
 * `reference` from `references`, `field` from the values of fields that are notes.
 */
export type GraphStore = {
  /**
   * Adds or replaces notes of an origin and removes others, with their edges, in one transaction. An edge to a note that does not exist is
   * kept: it leads there once the note does.
   */
  write(owner: string, origin: string, change: GraphChange): Promise<void>;
  /** Hash of every note of an origin by key, or of one sheet of it: what a new reading is compared with. */
  hashes(owner: string, origin: string, sheet?: string): Promise<Map<string, string>>;
  /** Notes by item id, in that order; unknown ids are absent. Shared and frozen. */
  get(owner: string, ids: string[]): Promise<StoredNote[]>;
  /** Notes that are called exactly so: by key, by alias, or by item id; of every origin. */
  called(owner: string, key: string): Promise<StoredNote[]>;
  /** Notes whose name is this, ignoring case and surrounding blanks; those with most edges first, at most `limit`. */
  named(owner: string, name: string, limit: number): Promise<StoredNote[]>;
  /**
   * Edges of these notes to notes that exist, of these relations, each in both directions: `child` leads to children, `parent` to the
   * parent, `reference` to what is mentioned and to what mentions it, `field` to values and to what has it as a value. Children come in
   * their order, others in the order of ids; at most `limit` for each note and relation, and then `more` says how many there are in all.
   * An edge to itself is left out; two notes are connected once by a relation.
   */
  neighbours(owner: string, ids: string[], relations: readonly Relation[], limit: number): Promise<Neighbours>;
  /** The way up from each note to the one that nothing owns, nearest first, at most `limit` steps; safe from cycles. */
  ancestors(owner: string, ids: string[], limit: number): Promise<Map<string, StoredNote[]>>;
  /** Every origin with its counts, in the order of names. */
  origins(owner: string): Promise<OriginCounts[]>;
  /** Names of tags with how many notes have each (inheritance not counted), most first; of all origins. */
  tags(owner: string, limit: number): Promise<{ name: string; notes: number }[]>;
  /** Removes an origin with all its notes. */
  forget(owner: string, origin: string): Promise<void>;
};

export type GraphChange = {
  /** `sheet`: the part of the origin it was read from. `hash`: of all that the reader said of it. */
  notes: { note: Note; sheet: string; hash: string }[];
  /** Keys. One that does not exist is passed over. */
  removed: string[];
};

export type StoredNote = Note & { /** Item id. */ id: string; origin: string; sheet: string };

/** `out`: in the direction that the data says it, towards a child, a value, what is mentioned. */
export type Edge = { from: string; to: string; relation: Relation; out: boolean };
export type Neighbours = { edges: Edge[]; more: { from: string; relation: Relation; total: number }[] };

export type OriginCounts = {
  origin: string;
  notes: number;
  /** Tags on notes, values of fields, mentions, and how many edges lead to a note that does not exist. */
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
