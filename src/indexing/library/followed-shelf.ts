import type { Store } from "../../stores/store.ts";
import { patiently } from "../files/writer.ts";

/** A shelf that follows something else by its revision: records, documents, messages. */
export type Following = {
  shelf: Store;
  owner: string;
  /** What the shelf writes its state down under. */
  key: string;
  /** Changes whenever items would be described differently: then all of them are described again. */
  format: number;
};

/** How long another process may hold the store. */
const patience = 5000;
const batchSize = 1000;

type Note = { format: number; revision: number };

/** The revision that the shelf shows; 0 for one that never held anything, undefined when it must be filled anew. */
export async function shownRevision({ shelf, owner, key, format }: Following): Promise<number | undefined> {
  const bytes = await shelf.note(owner, key);
  if (!bytes) return 0;
  const note = JSON.parse(new TextDecoder().decode(bytes)) as Note;
  return note.format === format ? note.revision : undefined;
}

export async function noteRevision({ shelf, owner, key, format }: Following, revision: number): Promise<void> {
  const note: Note = { format, revision };
  await patiently(patience, () => shelf.writeNote(owner, key, new TextEncoder().encode(JSON.stringify(note))));
}

/** A format that no version has. */
const unfinished = 0;

/**
 * Empties the shelf. Until all is there again it shows no revision at all, even where another process believes it does, and even if this is
 * interrupted.
 */
export async function clearShelf(following: Following): Promise<void> {
  const { shelf, owner } = following;
  await noteRevision({ ...following, format: unfinished }, 0);
  const states = await shelf.files(owner);
  for (let from = 0; from < states.length; from += batchSize) {
    const removed = states.slice(from, from + batchSize).map(({ path }) => path);
    await patiently(patience, () => shelf.write(owner, { files: [], removed }));
  }
}

/**
 * Runs work for an owner's shelf after all that was asked for before: requests that come together would all do the same. Whoever waited looks
 * for itself, has its own failure, and mostly finds nothing left to do.
 */
export async function inTurn(shelf: Store, owner: string, work: () => Promise<void>): Promise<void> {
  let queues = running.get(shelf);
  if (!queues) running.set(shelf, (queues = new Map()));
  const mine = (queues.get(owner) ?? Promise.resolve()).then(work);
  // Whoever asked for it is told what went wrong; those behind it are not stopped by it.
  const settled = mine.catch(() => undefined);
  queues.set(owner, settled);
  try {
    await mine;
  } finally {
    if (queues.get(owner) === settled) queues.delete(owner);
  }
}

const running = new WeakMap<Store, Map<string, Promise<void>>>();
