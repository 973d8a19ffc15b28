import type { Store } from "../../stores/store.ts";
import { patiently } from "../files/writer.ts";

/** A shelf that follows a source by its revision: records, documents, messages. */
export type Following = {
  shelf: Store;
  owner: string;
  /** Metadata key of the shelf's state. */
  key: string;
  /** Incremented when descriptions change: then all items are described again. */
  format: number;
};

/** Milliseconds to wait for another process that holds the store. */
const patience = 5000;
const batchSize = 1000;

type Note = { format: number; revision: number };

/** The revision that the shelf has; 0 if it never held anything, undefined if it must be filled from scratch. */
export async function indexedRevision({ shelf, owner, key, format }: Following): Promise<number | undefined> {
  const bytes = await shelf.metadata(owner, key);
  if (!bytes) return 0;
  const note = JSON.parse(new TextDecoder().decode(bytes)) as Note;
  return note.format === format ? note.revision : undefined;
}

export async function noteRevision({ shelf, owner, key, format }: Following, revision: number): Promise<void> {
  const note: Note = { format, revision };
  await patiently(patience, () => shelf.writeMetadata(owner, key, new TextEncoder().encode(JSON.stringify(note))));
}

/** A format that no version uses. */
const unfinished = 0;

/**
 * Empties the shelf. Until it is filled again it has no revision, even if this run is interrupted or another process
 * records an outdated one.
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
 * Queues work for an owner's shelf, since concurrent requests would all do the same. Each waiting caller checks again,
 * gets its own error, and mostly finds nothing left to do.
 */
export async function inTurn(shelf: Store, owner: string, work: () => Promise<void>): Promise<void> {
  let queues = running.get(shelf);
  if (!queues) running.set(shelf, (queues = new Map()));
  const result = (queues.get(owner) ?? Promise.resolve()).then(work);
  // This caller gets the error; callers behind it in the queue continue.
  const settled = result.catch(() => undefined);
  queues.set(owner, settled);
  try {
    await result;
  } finally {
    if (queues.get(owner) === settled) queues.delete(owner);
  }
}

const running = new WeakMap<Store, Map<string, Promise<void>>>();
