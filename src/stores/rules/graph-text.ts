import { hashTerm } from "../../text/hash.ts";
import { foldName, type StoredNote } from "../graph.ts";
import { linkCodes } from "../links/link-codes.ts";

/** Relations as they are stored: a child states its parent, so both directions are one. */
export const relationCodes = { child: linkCodes.child, reference: linkCodes.reference, field: linkCodes.field };

/**
 * Keys, origins and sheets must come back exactly: a new reading is compared with them. NUL and lone surrogates do not
 * survive in a database's text, so texts with one are stored as JSON, and so are texts that could be mistaken for that.
 */
export function exactly(text: string): string {
  return /^"|[\0\ud800-\udfff]/u.test(text) ? JSON.stringify(text) : text;
}

export function original(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}

/**
 * The beginning of an item id as a number: in the order of the ids, and 43 bits distinguish the notes around one note.
 */
export function markOf(item: string): number {
  return Number.parseInt(item.slice(4, 13), 36);
}

/** A limit that every engine accepts: a caller may want everything, or nothing. */
export function atMostNotes(limit: number): number {
  return Math.floor(Math.min(Math.max(0, limit), 1e9)) || 0;
}

/**
 * The hash by which an owner's notes of this name are found, however long it is; null for an empty one. Other names may
 * share it. Where the index begins with the owner, any constant will do for `owner`.
 */
export function nameHash(owner: number, name: string): number | null {
  const folded = foldName(name);
  return folded === "" ? null : hashTerm(`${owner} ${folded}`);
}

/**
 * A name as it occurs in JSON, for LIKE. Spaces between words match anything, and so do letters whose case an engine
 * does not know.
 */
export function containingPattern(name: string): string {
  const json = JSON.stringify(name).replace(/[\\%_]/g, "\\$&");
  return `%${json.replace(/\s+|[^\x00-\x7f]+/g, "%")}%`;
}

/** Limits of notes and characters per batch: a single field may be as long as a book. */
const batchSize = 1000;
const batchLength = 4 * 1024 * 1024;

/** Notes with the lengths of their bodies, in batches for reading. */
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

/** Notes are shared: copy one to change it. */
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
