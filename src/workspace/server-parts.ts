import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DossierError } from "../errors.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { LibraryStore } from "../stores/library.ts";
import type { RateBuckets } from "../stores/rate-buckets.ts";
import type { RecordStore } from "../stores/records.ts";
import type { Store } from "../stores/store.ts";
import { cannotBeMade, placeInCache } from "./database-paths.ts";
import { localOwner } from "./local-owner.ts";
import type { ChosenDatabase } from "./store-choice.ts";
import type { Workspace } from "./workspace.ts";

/** Streaming replicas of that database, which reads may go to: URLs with spaces or commas between them. */
function replicaUrls(): string[] {
  return (process.env.DATABASE_REPLICA_URLS ?? "")
    .split(/[\s,]+(?=postgres(?:ql)?:)/i)
    .flatMap((url) => url.trim() || []);
}

/** The parts of a workspace in a database server. All use one pool of connections. */
export type ServerParts = {
  /** The address of the database, for people. */
  shown: string;
  store: Store;
  records(): Promise<RecordStore>;
  library(): Promise<LibraryStore>;
  keys(): Promise<KeyStore>;
  /** Bytes of an owner's records. */
  recordBytes(owner: string): Promise<number>;
  rateBuckets(): Promise<RateBuckets>;
  indexLock: Workspace["indexLock"];
  /** Deletes the index; records and library stay. */
  empty(): Promise<void>;
  close(): Promise<void>;
};

/** The user's records for all workspaces are kept as a workspace of their own: no folder has this path. */
const userWorkspace = "~";

/** Opens the parts of the workspace at this root; to the database its name is its path. */
export async function openServerParts({ url, isMeant }: ChosenDatabase, root: string): Promise<ServerParts> {
  const { emptyIndex, openPostgresSession, postgresStore, sharing } = await import("../stores/postgres/engine/open.ts");
  const session = await openPostgresSession(url, {
    workspace: root,
    creation: isMeant ? "always" : "where-empty",
    replicaUrls: replicaUrls(),
  });
  const { signals } = session;
  const recordsOf = async (workspace: string) => {
    const { postgresRecords } = await import("../stores/postgres/records/records.ts");
    return postgresRecords(sharing(session, workspace));
  };
  const openRecords = async () => {
    const { layeredRecords } = await import("../stores/layered-records.ts");
    let ofUser: Promise<RecordStore> | undefined;
    return layeredRecords(await recordsOf(root), async (owner) =>
      owner === localOwner ? (ofUser ??= recordsOf(userWorkspace)) : undefined,
    );
  };
  const store = postgresStore(sharing(session));
  return {
    shown: session.shown,
    store,
    records: openRecords,
    library: async () => (await import("../stores/postgres/library/library.ts")).postgresLibrary(sharing(session)),
    keys: async () => (await import("../stores/postgres/records/keys.ts")).postgresKeys(sharing(session)),
    recordBytes: async (owner) =>
      (await import("../stores/postgres/records/owner-rows.ts")).recordBytes(session, owner),
    rateBuckets: async () => (await import("../stores/postgres/records/rate-buckets.ts")).postgresRateBuckets(session),
    indexLock:
      signals &&
      (async (owner, part) => {
        const release = await signals.tryLock(`index of ${JSON.stringify([root, owner, ...(part ? [part] : [])])}`);
        // Another process may have written under this lock a moment ago, and a cached revision is trusted for a moment,
        // so it is read again.
        if (release) await store.revision(owner);
        return release;
      }),
    empty: () => emptyIndex(session),
    close: () => session.close(),
  };
}

/** The folder for what only this machine needs: the indexing lock, the key of the log. */
export function cacheBeside(root: string): string {
  const path = placeInCache(root);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    if (!cannotBeMade(error)) throw error;
    const sentence = `There is no place for a cache: ${dirname(path)} cannot be written. Set DOSSIER_HOME to a folder that can be.`;
    throw new DossierError("not-readable", sentence, { cause: error });
  }
  return path;
}
