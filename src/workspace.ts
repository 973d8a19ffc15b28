import { DossierError } from "./errors.ts";
import type { Store } from "./stores/store.ts";
import { deleteDatabase, locateDatabase } from "./tree/home.ts";
import { type FileReader, fileReader } from "./tree/read.ts";
import { findRoot, refusal } from "./tree/root.ts";

/** A folder with its opened store. Opened by `openWorkspace`, closed by its owner. */
export type Workspace = {
  /** Absolute path of the folder; every item's path is relative to it, with `/`. */
  root: string;
  owner: string;
  store: Store;
  /** Reads the root's files, cached while they do not change. */
  files: FileReader;
  /** Where the index is kept. */
  databasePath: string;
  /** Deletes the index and opens an empty one in `store`. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
};

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
  if (refused && !options.force) throw new DossierError("refused-root", `${root} is ${refused}.`);

  const databasePath = locateDatabase(root, options.create ?? true);
  if (options.rebuild) deleteDatabase(databasePath);
  const { openSqliteStore } = await import("./stores/sqlite/open.ts");
  const workspace: Workspace = {
    root,
    owner: options.owner ?? "local",
    store: await openSqliteStore(databasePath),
    files: fileReader(root),
    databasePath,
    async rebuild() {
      await workspace.store.close();
      deleteDatabase(databasePath);
      workspace.store = await openSqliteStore(databasePath);
    },
    close: () => workspace.store.close(),
  };
  return workspace;
}
