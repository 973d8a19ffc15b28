import { existsSync } from "node:fs";
import { DossierError } from "../../../errors.ts";
import type { BundleStore } from "../../bundles.ts";
import type { CommitStore } from "../../commits.ts";
import type { GraphStore } from "../../graph.ts";
import type { Shelf, Store, StoreChange } from "../../store.ts";
import { commitStore } from "../commits/commits.ts";
import { graphStore } from "../graph/graph.ts";
import { links, meanings } from "../items/links.ts";
import * as read from "../items/read.ts";
import { writeChange } from "../items/write.ts";
import { bundleStore } from "../records/bundles.ts";
import { searchText, termStatistics } from "../search/bm25.ts";
import { searchNames, searchPaths } from "../search/find.ts";
import { modelVectorStore } from "../search/model-vectors.ts";
import { searchVectors, writeVectors } from "../search/vectors.ts";
import { type Database, openDatabase } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { findOwner, noteWrite, type StoreSession } from "./owner.ts";

/**
 * No memory-mapped reading and a small cache: the system keeps the file's pages anyway. With 256 MB mapped and 64 MB
 * cached, indexing django took 120 MB more memory, and neither indexing nor cold queries were faster. With 16 MB
 * instead of 4, an idle engine on django held 14 MB more, and its queries took as long.
 */
const cacheKilobytes = 4 * 1024;
/**
 * A write of many items reads the same pages again and again: with the small cache a branch switch takes 3 to 9 % more
 * processor time.
 */
const bulkCacheKilobytes = 16 * 1024;
const fewestInBulk = 500;
/**
 * The write-ahead log is checkpointed at this length, 32 MB: at every 4 MB the same pages would be written repeatedly.
 */
const checkpointPages = 8000;
/** Switching a new file to WAL needs exclusive access for a moment, and SQLite does not wait for it. */
const walAttempts = 100;

/** Opens or creates the index at `path`. With `readOnly` the index must exist, and every write is refused. */
export async function openSqliteStore(path: string, options: { readOnly?: boolean } = {}): Promise<Store> {
  if (options.readOnly && !existsSync(path)) throw new DossierError("not-indexed", `There is no index at ${path}.`);
  const database = await openDatabase(path, options);
  try {
    await prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return openShelves({ database, caches: new Map(), models: new Map(), writes: new Map() });
}

/** One view per shelf, created on first use, so that each shelf has its own caches. */
function openShelves(session: StoreSession): Store {
  const opened = new Map<Shelf, Store>();
  const beside = {
    commits: commitStore(session.database),
    graph: graphStore(session.database),
    bundles: bundleStore(session.database),
  };
  const shelf = (name: Shelf): Store => {
    let store = opened.get(name);
    if (!store) opened.set(name, (store = storeOver(session, name, shelf, beside)));
    return store;
  };
  return shelf("files");
}

async function prepare(database: Database): Promise<void> {
  if (!database.readOnly) await useWriteAheadLog(database);
  database.execute(`
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    PRAGMA foreign_keys = OFF;
    PRAGMA mmap_size = 0;
    PRAGMA cache_size = ${-cacheKilobytes};
    PRAGMA wal_autocheckpoint = ${checkpointPages};
  `);
  migrate(database);
}

export async function useWriteAheadLog(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      database.get("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!(error instanceof DossierError && error.code === "store-locked") || attempt === walAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Stores that belong to one shelf but are reachable from all shelves. */
type Beside = { commits: CommitStore; graph: GraphStore; bundles: BundleStore };

function storeOver(session: StoreSession, name: Shelf, shelf: Store["shelf"], beside: Beside): Store {
  const { database } = session;
  // Each shelf has its own row in `owners`, so nothing is shared by mistake. No shelf has a slash in its name.
  const on = (owner: string) => `${name}/${owner}`;
  return {
    shelf,
    ...beside,
    modelVectors: modelVectorStore(session, on),
    revision: async (owner) => findOwner(database, on(owner))?.revision ?? 0,
    write: async (owner, change) => {
      if (isBulk(change)) database.execute(`PRAGMA cache_size = ${-bulkCacheKilobytes}`);
      noteWrite(session, writeChange(database, on(owner), change));
    },
    files: async (owner) => read.files(database, on(owner)),
    file: async (owner, path) => read.file(database, on(owner), path),
    outlines: async (owner, paths) => read.outlines(session, on(owner), paths),
    items: async (owner, ids) => read.items(session, on(owner), ids),
    itemsOf: async (owner, path) => read.itemsOf(database, on(owner), path),
    itemsByPrefix: async (owner, prefix, limit) => read.itemsByPrefix(database, on(owner), prefix, limit),
    sharedPrefixes: async (owner, prefixes) => read.sharedPrefixes(database, on(owner), prefixes),
    searchText: async (owner, search) => searchText(session, on(owner), search),
    searchNames: async (owner, search) => searchNames(session, on(owner), search),
    searchPaths: async (owner, search) => searchPaths(session, on(owner), search),
    searchVectors: async (owner, search) => searchVectors(session, on(owner), search),
    termStatistics: async (owner, scope, terms) => termStatistics(session, on(owner), scope, terms),
    terms: async (owner, scope, ids) => read.terms(session, on(owner), scope, ids),
    wholeFiles: async (owner, paths) => read.wholeFiles(session, on(owner), paths),
    allTerms: (owner, scope) => read.allTerms(database, on(owner), scope),
    links: async (owner, ids, direction, kinds, limit) => links(session, on(owner), ids, direction, kinds, limit),
    meanings: async (owner, id, names) => meanings(session, on(owner), id, names),
    keepsVectors: true,
    writeVectors: async (owner, vectors) => writeVectors(database, on(owner), vectors),
    metadata: async (owner, key) => read.metadata(database, on(owner), key),
    writeMetadata: async (owner, key, value) => read.writeMetadata(database, on(owner), key, value),
    statistics: async (owner) => read.statistics(database, on(owner)),
    check: async () => check(database),
    compact: async () => compact(database),
    async close() {
      session.caches.clear();
      session.models.clear();
      session.writes.clear();
      if (!database.readOnly) emptyLog(database);
      database.close();
    },
  };
}

function isBulk({ files }: StoreChange): boolean {
  return files.reduce((count, { items }) => count + items.length, 0) >= fewestInBulk;
}

/** Checkpoints the write-ahead log, so that the file alone is the whole store. Not all drivers do this on closing. */
export function emptyLog(database: Database): void {
  try {
    database.execute("PRAGMA busy_timeout = 0");
    database.get("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    // Another process still reads, and will checkpoint the rest; or the disk is full, and leaving the log loses
    // nothing.
    if (!(error instanceof DossierError && (error.code === "store-locked" || error.code === "disk-full"))) throw error;
  }
}

/**
 * Leaves no trace of deleted data. SQLite's `secure_delete` is not enough: when rows move between pages, old copies
 * stay in the unused part of a page (1 of 90 purged records did in a trial).
 */
export function compact(database: Database): void {
  // SQLite's copy may be large, so it goes to a file.
  database.execute("PRAGMA temp_store = FILE");
  database.execute("VACUUM");
  database.execute("PRAGMA temp_store = MEMORY");
  // The log still contains the old pages.
  database.get("PRAGMA wal_checkpoint(TRUNCATE)");
}

function check(database: Database): void {
  const problems = database
    .all<{ integrity_check: string }>("PRAGMA integrity_check(5)")
    .map((row) => row.integrity_check);
  if (problems.join() !== "ok") {
    throw new DossierError("store-damaged", `The index ${database.path} is damaged: ${problems.join("; ")}.`);
  }
  if (database.readOnly) return;
  const searchTables = database.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5(%'",
  );
  for (const { name } of searchTables) database.run(`INSERT INTO ${name}(${name}) VALUES('integrity-check')`);
}
