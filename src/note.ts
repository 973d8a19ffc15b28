/** A notes graph: what every reader yields and the index keeps. */

/**
 * How one note leads to another. Every relation is followed in both directions: `parent` is `child` seen from below.
 */
export const relations = ["child", "parent", "reference", "field"] as const;
export type Relation = (typeof relations)[number];

/** One node of a notes graph, as every reader describes it. Text is Markdown; all of it is data. */
export type Note = {
  /**
   * Its id where it comes from: a Tana node id, a uid, `pages/Academic.md`. Unique within its origin, and as stable as
   * the origin makes it.
   */
  key: string;
  /**
   * Other keys that references may name it by: `[[academic]]`, `((uuid))`, `[[academic#history]]`. The reader chooses
   * their spelling.
   */
  aliases?: string[];
  /** One line. References in it are replaced by the names of what they mean. May be empty. */
  name: string;
  /** The text below the name that is not itself a note: a description, the paragraphs of a section, a code block. */
  text?: string;
  /** Names of its supertags, without `#`, and of all that these inherit from. */
  tags: string[];
  inherited?: string[];
  fields: NoteField[];
  /** Key of the note that owns it. */
  parent?: string;
  /**
   * Of a note without a parent: true where nothing owns, lists or mentions it; false where it stands at the top. Absent
   * where that is not known.
   */
  loose?: boolean;
  /** Its place among its siblings, from 0. */
  order?: number;
  /**
   * Keys or aliases of the notes it mentions: in its name, its text, or listed below it without being owned by it. Some
   * may not exist.
   */
  references: string[];
  /** Milliseconds since 1970. */
  created?: number;
  changed?: number;
  /** A checkbox: done or not; absent where there is none. */
  done?: boolean;
  /** Where it stands, for notes that are lines of a file; the path is relative to the origin's folder. */
  place?: { path: string; line: number };
  /** Of a page: about how many characters are written on it (indexing/notes/note-pages.ts). */
  size?: number;
};

export const fieldTypes = [
  "text",
  "number",
  "date",
  "checkbox",
  "reference",
  "options",
  "url",
  "email",
  "user",
] as const;
export type FieldType = (typeof fieldTypes)[number];

export type NoteField = { name: string; type?: FieldType; values: NoteValue[] };

/** `note`: key or alias of the note that the value is, where it is one. */
export type NoteValue = { text: string; note?: string };

/** The applications and formats that notes are kept in. */
export const originKinds = ["tana-export", "tana-intermediate", "supertag", "vault"] as const;
export type OriginKind = (typeof originKinds)[number];
