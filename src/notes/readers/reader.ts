import type { Note, NoteField } from "../../note.ts";
import { type OriginKind, originKinds } from "../../note.ts";
import { withoutRunningLinks } from "../../text/safe-links.ts";

export function isOriginKind(kind: string): kind is OriginKind {
  return (originKinds as readonly string[]).includes(kind);
}

/**
 * Reads notes from an application's files. Nothing there is ever changed or locked, and links out of the folder are not
 * followed. A reader knows one format and nothing of the index.
 */
export type NoteReader = {
  kind: OriginKind;
  /** Whether it can read the file or folder at this absolute path, by its content; never throws for other content. */
  recognises(place: string): Promise<boolean>;
  /**
   * Lists the sheets without reading them: the one file of an export, every file of a vault. A sheet with an unchanged
   * stamp is not read again. Throws `not-found`, `not-readable` or `bad-input` with a sentence that says what is wrong
   * with the place.
   */
  list(place: string, signal?: AbortSignal): Promise<SheetState[]>;
  /**
   * The notes of these sheets; a sheet may come in several consecutive batches. Unreadable parts are a warning, and the
   * rest is read.
   */
  read(place: string, sheets: string[], reading: Reading): AsyncIterable<Batch>;
};

/** `stamp`: changes whenever the sheet may have changed (size and time of a file). */
export type SheetState = { name: string; stamp: string };

/** Some notes of one sheet. Keys are unique within the origin: the last of two with the same key counts. */
export type Batch = { sheet: string; notes: Note[] };

export type Reading = {
  signal?: AbortSignal;
  /** A complete sentence for the user. Only a handful: similar problems are counted. */
  warn(sentence: string): void;
  /** Bytes or notes done so far, and the total where it is known. */
  progress?(done: number, total?: number): void;
};

/** Notes per batch: small enough for memory, large enough for one write. */
export const batchSize = 1000;

/** The notes of a sheet in batches. */
export function* inBatches(sheet: string, notes: Iterable<Note>, signal: AbortSignal | undefined): Iterable<Batch> {
  let batch: Note[] = [];
  for (const note of notes) {
    batch.push(withSafeLinks(note));
    if (batch.length < batchSize) continue;
    yield { sheet, notes: batch };
    signal?.throwIfAborted();
    batch = [];
  }
  if (batch.length > 0) yield { sheet, notes: batch };
}

/** The note without unsafe links (`javascript:`) in its name, its text or the values of its fields. */
export function withSafeLinks(note: Note): Note {
  const name = withoutRunningLinks(note.name);
  const text = note.text === undefined ? undefined : withoutRunningLinks(note.text);
  const fields = note.fields.map(withSafeValues);
  if (name === note.name && text === note.text && fields.every((field, at) => field === note.fields[at])) return note;
  return { ...note, name, ...(text === undefined ? {} : { text }), fields };
}

function withSafeValues(field: NoteField): NoteField {
  const values = field.values.map((value) => {
    const text = withoutRunningLinks(value.text);
    return text === value.text ? value : { ...value, text };
  });
  return values.every((value, at) => value === field.values[at]) ? field : { ...field, values };
}
