import { hashTerm } from "../../text/hash.ts";
import { foldName, type StoredNote } from "../graph.ts";
import { linkCodes } from "../links/link-codes.ts";

/** Relations as they are stored: a child says who its parent is, so both directions of that are one. */
export const relationCodes = { child: linkCodes.child, reference: linkCodes.reference, field: linkCodes.field };

/**
 * Keys, origins and sheets come back exactly as they were: a new reading is compared with them. NUL and lone surrogates do not survive in
 * a database's text, so what has one is stored as JSON, and so is what could be taken for that.
 */
export function exactly(text: string): string {
  return /^"|[\0\ud800-\udfff]/u.test(text) ? JSON.stringify(text) : text;
}

export function original(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}

/** The beginning of an item id as a number: numbers are in the order of the ids, and 43 bits tell the notes around one note apart. */
export function markOf(item: string): number {
  return Number.parseInt(item.slice(4, 13), 36);
}

/** A limit that every engine takes: a caller may want all there is, or nothing. */
export function atMostNotes(limit: number): number {
  return Math.floor(Math.min(Math.max(0, limit), 1e9)) || 0;
}

/**
 * What an owner's notes of this name are found by, however long it is; null for an empty one. Other names may share it. Where the index begins
 * with the owner, any number will do for them.
 */
export function nameHash(owner: number, name: string): number | null {
  const folded = foldName(name);
  return folded === "" ? null : hashTerm(`${owner} ${folded}`);
}

/** A name as it stands in JSON, for LIKE. What is between two words may be anything, and so may letters whose case an engine does not know. */
export function sayingPattern(name: string): string {
  const json = JSON.stringify(name).replace(/[\\%_]/g, "\\$&");
  return `%${json.replace(/\s+|[^\x00-\x7f]+/g, "%")}%`;
}

/** Notes and characters of one batch: a single field may be as long as a book. */
const batchSize = 1000;
const batchLength = 4 * 1024 * 1024;

/** Notes with the lengths of their bodies, in batches that can be read at once. */
export function batchesOf(notes: Iterable<readonly [note: number, length: number]>): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  let length = 0;
  for (const [note, size] of notes) {
    if (batch.length >= batchSize || (batch.length > 0 && length + size > batchLength)) {
      batches.push(batch);
      [batch, length] = [[], 0];
    }
    batch.push(note);
    length += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** Notes are handed out to several: whoever wants to change one makes a copy. */
export function frozen(note: StoredNote): StoredNote {
  for (const field of note.fields) {
    for (const value of field.values) Object.freeze(value);
    Object.freeze(field.values);
    Object.freeze(field);
  }
  for (const part of [note.fields, note.tags, note.references, note.aliases, note.inherited, note.place]) {
    if (part) Object.freeze(part);
  }
  return Object.freeze(note);
}
