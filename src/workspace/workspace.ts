import { DossierError } from "../errors.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { LibraryStore } from "../stores/library.ts";
import type { RateBuckets } from "../stores/rate-buckets.ts";
import type { RecordStore, RecordType } from "../stores/records.ts";
import type { Store } from "../stores/store.ts";
import type { WholeStatistics } from "../stores/whole-statistics.ts";
import { type FileReader, fileReader } from "../tree/read-file.ts";
import { deleteDatabase, hasOwnIndex, locateDatabase } from "./database-paths.ts";
import { localOwner } from "./local-owner.ts";
import { RecordFiles } from "./record-files.ts";
import { findRoot, refusal } from "./root.ts";
import { cacheBeside, openServerParts } from "./server-parts.ts";
import { type ChosenDatabase, chosenDatabase } from "./store-choice.ts";

/** A folder with its opened store. Opened by `openWorkspace`, closed by its owner. */
export type Workspace = {
  /** Absolute path of the folder; every item's path is relative to it, with `/`. */
  root: string;
  owner: string;
  store: Store;
  /** Reads the root's files, cached while they do not change. */
  files: FileReader;
  /** Statistics over all files, for ranking while only the files that a question needs are indexed. */
  whole?: WholeStatistics;
  /** True until the first complete index, while another process makes it: more may be found later. */
  isPartial?: boolean;
  /**
   * Set until everything is indexed: what is missing, as a sentence. `files`: whether files are missing too, and not
   * only the history.
   */
  unread?: { sentence: string; files: boolean };
  /** Set if no file is indexed: what was skipped and why, as a sentence. */
  leftOut?: string;
  /** True if it is closed after the call that opened it, so that nothing needs to be prepared for a next call. */
  isForOneCall?: boolean;
  /** Where the index is kept; with a database server, where this machine keeps a cache beside it. */
  databasePath: string;
  /** The address of the database server that holds everything, for people; absent if files do. */
  server?: string;
  /** The records (memories, experiences, values); opened, or created, on first use. */
  records(): Promise<RecordStore>;
  /** False if nothing was ever stored: then there is nothing to open. */
  hasRecords(): boolean;
  /** Bytes of the stored records. */
  recordBytes(owner: string): Promise<number>;
  /** Documents and threads of applications; in the same file as the records, opened on first use. */
  library(): Promise<LibraryStore>;
  /** The API keys, if a database server holds everything; otherwise they are beside the records. */
  keys?(): Promise<KeyStore>;
  /** With a database server: the rate limits that all processes of a service share. */
  rateBuckets?(): Promise<RateBuckets>;
  /**
   * With a database server: a lock for indexing an owner's files and history, or another part (notes, records, the
   * library), which one process on all machines can hold; undefined while another holds it. Resolves to the function
   * that releases it.
   */
  indexLock?(owner: string, part?: IndexPart): Promise<(() => Promise<void>) | undefined>;
  /** Deletes the index and opens an empty one in `store`. */
  rebuild(): Promise<void>;
  /** Registers work for when the workspace is closed. */
  onClose(work: () => void): void;
  close(): Promise<void>;
};

export { localOwner };

/** Parts that are indexed under a lock of their own: a memory does not wait until a large repository is read. */
export type IndexPart = "notes" | RecordType | "documents" | "messages";

export type OpenOptions = {
  owner?: string;
  /** Accept the home folder and folders of the system. */
  force?: boolean;
  /** Make the index where there is none (default); otherwise that is the error `not-indexed`. */
  create?: boolean;
  /** Begin with an empty index, whatever state the old one is in. */
  rebuild?: boolean;
};

/** Opens the workspace that a path lies in. */
export async function openWorkspace(path: string, options: OpenOptions = {}): Promise<Workspace> {
  const root = findRoot(path);
  const refused = refusal(root);
  // What dossier index --force indexed there may be asked, too.
  if (refused && !options.force && !hasOwnIndex(root)) throw new DossierError("refused-root", `${root} is ${refused}.`);

  const database = chosenDatabase();
  if (database) return openOnServer(database, root, options);
  const databasePath = locateDatabase(root, options.create ?? true);
  if (options.rebuild) deleteDatabase(databasePath);
  const { openSqliteStore } = await import("../stores/sqlite/engine/open.ts");
  const recordFiles = new RecordFiles(root, databasePath);
  let closed = false;
  const atEnd: (() => void)[] = [];
  const workspace: Workspace = {
    root,
    owner: options.owner ?? localOwner,
    store: await openSqliteStore(databasePath),
    files: fileReader(root),
    databasePath,
    records: () => recordFiles.records(),
    library: () => recordFiles.library(),
    hasRecords: () => recordFiles.exist(),
    recordBytes: async () => recordFiles.bytes(),
    async rebuild() {
      await workspace.store.close();
      try {
        deleteDatabase(databasePath);
      } finally {
        // Also if the old one could not be deleted, since other processes may use this workspace.
        workspace.store = await openSqliteStore(databasePath);
      }
    },
    onClose: (work) => void atEnd.push(work),
    async close() {
      if (closed) return;
      closed = true;
      for (const work of atEnd.splice(0)) work();
      await recordFiles.close();
      await workspace.store.close();
    },
  };
  return workspace;
}

/** A workspace whose index, records, library and keys are in a database. This machine keeps only a cache. */
async function openOnServer(database: ChosenDatabase, root: string, options: OpenOptions): Promise<Workspace> {
  const parts = await openServerParts(database, root);
  try {
    if (options.rebuild) await parts.empty();
    const { store } = parts;
    const owner = options.owner ?? localOwner;
    if (options.create === false && (await store.revision(owner)) === 0) {
      throw new DossierError("not-indexed", `${root} has no index yet.`);
    }
    let records: Promise<RecordStore> | undefined;
    let library: Promise<LibraryStore> | undefined;
    const atEnd: (() => void)[] = [];
    return {
      root,
      owner,
      store,
      files: fileReader(root),
      databasePath: cacheBeside(root),
      server: parts.shown,
      records: () => (records ??= parts.records()),
      hasRecords: () => true,
      recordBytes: parts.recordBytes,
      library: () => (library ??= parts.library()),
      keys: parts.keys,
      rateBuckets: parts.rateBuckets,
      indexLock: parts.indexLock,
      rebuild: parts.empty,
      onClose: (work) => void atEnd.push(work),
      async close() {
        for (const work of atEnd.splice(0)) work();
        await parts.close();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}
