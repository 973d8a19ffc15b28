import type { LibraryStore } from "../../library.ts";
import type { Database } from "../engine/driver.ts";
import { compact, emptyLog } from "../engine/open.ts";
import { openRecordsDatabase } from "../records/records.ts";
import * as documents from "./documents.ts";
import * as documentWrites from "./documents-write.ts";
import * as messages from "./messages.ts";

import { findOwner, makeOwner, revisionOf } from "./owner-number.ts";
import * as references from "./references.ts";
import * as threads from "./threads.ts";
import * as usage from "./usage.ts";

/**
 * With SQLite's default of 2 MB, 100,000 messages take twice the time: their ids are random, so every page of that
 * index is written to.
 */
const cacheKilobytes = 16 * 1024;
/** The write-ahead log is checkpointed at this length, 16 MB. */
const checkpointPages = 4000;

/** Opens or creates the library at `path`: the same file as the records'. */
export async function openSqliteLibrary(path: string): Promise<LibraryStore> {
  const database = await openRecordsDatabase(path);
  database.execute(`PRAGMA cache_size = ${-cacheKilobytes}; PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  return libraryOver(database);
}

/** Works over any connection, so that tests can observe its statements. */
export function libraryOver(database: Database): LibraryStore {
  /** A consistent read; returns `none` for an owner who has never written. */
  const read = <Result>(owner: string, none: Result, work: (owner: number) => Result): Result =>
    database.transaction("read", () => {
      const number = findOwner(database, owner);
      return number === undefined ? none : work(number);
    });
  /** Runs a write that creates something. */
  const write = <Result>(owner: string, work: (owner: number) => Result): Result =>
    database.transaction("write", () => work(makeOwner(database, owner)));
  /** Runs a write that changes something: an owner who has never written has nothing to change. */
  const change = <Result>(owner: string, work: (owner: number | undefined) => Result): Result =>
    database.transaction("write", () => work(findOwner(database, owner)));
  const owned = (owner: string, work: (owner: number) => boolean): boolean =>
    change(owner, (number) => number !== undefined && work(number));
  /** Rewrites the whole file after a purge. */
  const purge = (owner: string, ids: string | readonly string[], one: typeof threads.purgeThread): boolean => {
    const all = typeof ids === "string" ? [ids] : ids;
    const purged = owned(owner, (number) => all.filter((id) => one(database, number, id)).length > 0);
    if (purged) compact(database);
    return purged;
  };

  return {
    revision: async (owner) => revisionOf(database, owner, "library_revision"),

    putDocument: async (owner, put) => write(owner, (number) => documentWrites.putDocument(database, number, put)),
    document: async (owner, idOrPath, options) =>
      read(owner, undefined, (number) => documents.readDocument(database, number, idOrPath, options?.deleted ?? false)),
    documentInfos: async (owner, ids) => read(owner, [], (number) => documents.documentInfos(database, number, ids)),
    contents: async (owner, ids) => read(owner, new Map(), (number) => documents.readContents(database, number, ids)),
    documents: async (owner, query) =>
      read(owner, { documents: [], total: 0 }, (number) => documents.listDocuments(database, number, query)),
    moveDocument: async (owner, id, path, at) =>
      change(owner, (number) => documentWrites.moveDocument(database, number, id, path, at)),
    removeDocument: async (owner, id, at) =>
      owned(owner, (number) => documentWrites.removeDocument(database, number, id, at)),
    restoreDocument: async (owner, id) =>
      owned(owner, (number) => documentWrites.restoreDocument(database, number, id)),
    purgeDocument: async (owner, ids) => purge(owner, ids, documentWrites.purgeDocument),
    async touchDocuments(owner, ids, at) {
      if (ids.length === 0) return;
      // Does not wait for the disk, which would take most of the time: a power cut loses at most the time of last
      // access.
      database.execute("PRAGMA synchronous = NORMAL");
      try {
        change(owner, (number) => number !== undefined && documentWrites.touchDocuments(database, number, ids, at));
      } finally {
        database.execute("PRAGMA synchronous = FULL");
      }
    },
    documentsSince: async (owner, revision, limit, options) =>
      read(owner, [], (number) => documents.documentsSince(database, number, revision, limit, options)),

    createThread: async (owner, thread) => write(owner, (number) => threads.createThread(database, number, thread)),
    changeThread: async (owner, id, values) =>
      change(owner, (number) => threads.changeThread(database, number, id, values)),
    thread: async (owner, id, options) =>
      read(owner, undefined, (number) => threads.readThread(database, number, id, options?.deleted ?? false)),
    threads: async (owner, query) =>
      read(owner, { threads: [], total: 0 }, (number) => threads.listThreads(database, number, query)),
    removeThread: async (owner, id, at) => owned(owner, (number) => threads.removeThread(database, number, id, at)),
    restoreThread: async (owner, id) => owned(owner, (number) => threads.restoreThread(database, number, id)),
    purgeThread: async (owner, ids) => purge(owner, ids, threads.purgeThread),
    addMessages: async (owner, thread, added) =>
      change(owner, (number) => messages.addMessages(database, number, thread, added)),
    messages: async (owner, thread, range) =>
      read(owner, [], (number) => messages.readMessages(database, number, thread, range)),
    messagesById: async (owner, ids) => read(owner, [], (number) => messages.messagesById(database, number, ids)),
    messagesSince: async (owner, revision, limit) =>
      read(owner, [], (number) => messages.messagesSince(database, number, revision, limit)),

    addReference: async (owner, thread, reference) =>
      change(owner, (number) => references.addReference(database, number, thread, reference)),
    removeReference: async (owner, thread, id) =>
      owned(owner, (number) => references.removeReference(database, number, thread, id)),
    references: async (owner, thread) =>
      read(owner, [], (number) => references.readReferences(database, number, thread)),

    usageRevision: async (owner) => revisionOf(database, owner, "usage_revision"),
    recordUsage: async (owner, events) =>
      events.length === 0 ? [] : write(owner, (number) => usage.recordUsage(database, number, events)),
    undoUsage: async (owner, ids) =>
      change(owner, (number) => (number === undefined ? 0 : usage.undoUsage(database, number, ids))),
    usage: async (owner, items, limit) =>
      read(owner, new Map(), (number) => usage.readUsage(database, number, items, limit)),

    counts: async (owner) =>
      read(owner, { documents: 0, threads: 0, messages: 0, usage: 0 }, (number) => counts(database, number)),
    async close() {
      emptyLog(database);
      database.close();
    },
  };
}

type Counts = { documents: number; threads: number; messages: number; usage: number };

function counts(database: Database, owner: number): Counts {
  return database.get<Counts>(
    `SELECT (SELECT count(*) FROM documents WHERE owner = ?1 AND deleted IS NULL) AS documents,
       (SELECT count(*) FROM threads WHERE owner = ?1 AND deleted IS NULL) AS threads,
       (SELECT coalesce(sum(count), 0) FROM threads WHERE owner = ?1 AND deleted IS NULL) AS messages,
       (SELECT count(*) FROM usage WHERE owner = ?1) AS usage`,
    [owner],
  )!;
}
