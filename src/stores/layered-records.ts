import { DossierError, unreadWarning } from "../errors.ts";
import type { RecordStore, RecordWrite, StoredRecord } from "./records.ts";

/** The scope of records that apply to all workspaces of a user. */
export const userScope = "~";

/** Number of user revisions that fit below one workspace revision. */
const userRevisions = 2 ** 24;

/** Whether it is the user's own records that went back, where a combined revision is lower than before. */
export function areOfUser(before: number, now: number): boolean {
  return Math.floor(before / userRevisions) === Math.floor(now / userRevisions);
}

/**
 * The records of a workspace and those of its user for all workspaces, as one store. A record's scope decides where it
 * is written; it is read, found and changed wherever it is. Both revisions are combined in one number, the workspace's
 * first, so that an index follows both. `user` returns nothing while nothing was written there, or for an owner who is
 * not the person at this machine.
 */
export function layeredRecords(
  own: RecordStore,
  user: (owner: string, create: boolean) => Promise<RecordStore | undefined>,
): RecordStore {
  /** The user's own records, or why they cannot be read: the workspace's do not depend on them. */
  async function openUser(owner: string): Promise<{ store?: RecordStore; failure?: DossierError }> {
    try {
      const store = await user(owner, false);
      // The first page may be sound where the tables are not.
      await store?.revision(owner);
      return { store };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return { failure: error };
    }
  }

  const userStore = async (owner: string) => (await openUser(owner)).store;

  /** The store that has a record, deleted or not; the workspace's when neither does. */
  async function holding(owner: string, id: string): Promise<RecordStore> {
    if ((await own.get(owner, [id], { deleted: true })).length > 0) return own;
    const other = await user(owner, false);
    const records = await other?.get(owner, [id], { deleted: true });
    return other && records!.length > 0 ? other : own;
  }

  async function together(
    owner: string,
    readFrom: (store: RecordStore) => Promise<StoredRecord[]>,
  ): Promise<StoredRecord[]> {
    const other = await userStore(owner);
    return [...(await readFrom(own)), ...(other ? await readFrom(other) : [])];
  }

  const revisionsOf = async (owner: string) => {
    const [workspaceRevision, userRevision] = await Promise.all([
      own.revision(owner),
      (await userStore(owner))?.revision(owner) ?? 0,
    ]);
    return { workspaceRevision, userRevision };
  };

  return {
    unread: async (owner) => (await openUser(owner)).failure,
    async revision(owner) {
      const { workspaceRevision, userRevision } = await revisionsOf(owner);
      return workspaceRevision * userRevisions + userRevision;
    },
    async write(owner, records, options = {}) {
      const [forUser, forWorkspace] = [records.filter(isOfUser), records.filter((record) => !isOfUser(record))];
      const removed = options.removed ?? [];
      const other = forUser.length > 0 ? await user(owner, true) : await userStore(owner);
      await own.write(owner, forWorkspace, { ...options, removed });
      if (forUser.length + removed.length > 0) await other?.write(owner, forUser, { ...options, removed });
    },
    change: async (owner, id, change) => (await holding(owner, id)).change(owner, id, change),
    async get(owner, ids, options) {
      const byId = new Map((await own.get(owner, ids, options)).map((record) => [record.id, record]));
      const missing = ids.filter((id) => !byId.has(id));
      const other = missing.length > 0 ? await userStore(owner) : undefined;
      for (const record of (await other?.get(owner, missing, options)) ?? []) byId.set(record.id, record);
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    },
    async byPrefix(owner, prefix, limit, options) {
      const records = await together(owner, (store) => store.byPrefix(owner, prefix, limit, options));
      return records.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
    inSlot: (owner, slot) => own.inSlot(owner, slot),
    inSlots: (owner, prefix) => own.inSlots(owner, prefix),
    async list(owner, query) {
      const other = query.type === "memory" ? await userStore(owner) : undefined;
      const ofUser = await other?.list(owner, { ...query, offset: 0, limit: query.limit + (query.offset ?? 0) });
      if (!ofUser || ofUser.total === 0) return own.list(owner, query);
      const ofWorkspace = await own.list(owner, { ...query, offset: 0, limit: query.limit + (query.offset ?? 0) });
      const records = [...ofWorkspace.records, ...ofUser.records]
        .sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1))
        .slice(query.offset ?? 0, (query.offset ?? 0) + query.limit);
      return { records, total: ofWorkspace.total + ofUser.total };
    },
    async ids(owner, filter) {
      const other = filter.type === "memory" ? await userStore(owner) : undefined;
      return [...(await own.ids(owner, filter)), ...((await other?.ids(owner, filter)) ?? [])];
    },
    async changedSince(owner, type, revision, limit) {
      const { workspaceRevision, userRevision } = await revisionsOf(owner);
      const after = { workspace: Math.floor(revision / userRevisions), user: revision % userRevisions };
      // A lower revision than was indexed: these are other records, and all of them are returned.
      const since = after.user > userRevision ? 0 : after.user;
      const changed = await own.changedSince(owner, type, after.workspace, limit);
      if (changed.length > 0)
        return changed.map((each) => ({ ...each, revision: each.revision * userRevisions + after.user }));
      const other = type === "memory" ? await userStore(owner) : undefined;
      const more = (await other?.changedSince(owner, type, since, limit)) ?? [];
      return more.map((each) => ({
        ...each,
        revision: Math.max(after.workspace, workspaceRevision) * userRevisions + each.revision,
      }));
    },
    remove: async (owner, id, at) => (await holding(owner, id)).remove(owner, id, at),
    restore: async (owner, id) => (await holding(owner, id)).restore(owner, id),
    async purge(owner, ids, at) {
      const other = await userStore(owner);
      const purged = [await own.purge(owner, ids, at), (await other?.purge(owner, ids, at)) ?? false];
      return purged.includes(true);
    },
    close: () => own.close(),
  };
}

function isUnreadable(error: unknown): error is DossierError {
  return unreadWarning(error) !== undefined || (error instanceof DossierError && error.code === "not-readable");
}

function isOfUser({ type, body }: RecordWrite): boolean {
  return type === "memory" && (body as { scope?: unknown } | null)?.scope === userScope;
}
