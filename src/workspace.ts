import type { Store } from "./stores/store.ts";

/** A folder with its opened store. Opened by `openWorkspace`, closed by its owner. */
export type Workspace = {
  /** Absolute path of the folder; every item's path is relative to it, with `/`. */
  root: string;
  owner: string;
  store: Store;
  close(): Promise<void>;
};
