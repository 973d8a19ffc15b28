/**
 * What users and agents wrote down. Records cannot be made again from anything else, so they live in a database of their own
 * (`memory.db`) that rebuilding the index never touches; the index follows them by their revision.
 * The owner is an argument of every call, as in every store.
 */
export type RecordStore = {
  /** Grows by one with every record of this owner that is written, deleted, restored or purged, from any process. */
  revision(owner: string): Promise<number>;

  /**
   * Writes all of these or none. Throws `conflict` when another record holds a slot. An id that exists is replaced. Those of `removed` are
   * marked as deleted in the same transaction, before anything is written; one that does not exist is passed over.
   */
  write(owner: string, records: RecordWrite[], options?: { removed?: string[]; at?: number }): Promise<void>;
  /**
   * Reads one record and writes what `change` makes of it, with nobody between. Throws `not-found` for an id that does not exist or was
   * deleted. What `change` throws is thrown on, and nothing is written.
   */
  change(owner: string, id: string, change: (record: StoredRecord) => RecordWrite): Promise<StoredRecord>;

  /** Records by id, deleted ones only when asked for; unknown ids are absent. */
  get(owner: string, ids: string[], options?: { deleted?: boolean }): Promise<StoredRecord[]>;
  /** Records whose id starts with the prefix, in the order of their ids, deleted ones only when asked for; at most `limit`. */
  byPrefix(owner: string, prefix: string, limit: number, options?: { deleted?: boolean }): Promise<StoredRecord[]>;
  /** The record that holds a slot. */
  inSlot(owner: string, slot: string): Promise<StoredRecord | undefined>;
  /** The records that hold slots which begin with this, in the order of these. */
  inSlots(owner: string, prefix: string): Promise<StoredRecord[]>;
  list(owner: string, query: RecordQuery): Promise<RecordPage>;
  /** The ids of all that `list` would count, in its order, without their bodies. */
  ids(owner: string, query: RecordFilter): Promise<string[]>;
  /**
   * Changes after a revision in their order, deletions included: what an index has to catch up with. No two records have the same
   * revision, so the last one's is where the next page begins. The body of a purged one is null.
   */
  changedSince(owner: string, type: KeptType, revision: number, limit: number): Promise<StoredRecord[]>;

  /** Marks as deleted; the body stays until `purge`, so that it can be taken back. False when there is no such record. */
  remove(owner: string, id: string, at?: number): Promise<boolean>;
  /** Takes a deletion back. False when there is nothing to restore; throws `conflict` when another record holds its slot now. */
  restore(owner: string, id: string): Promise<boolean>;
  /**
   * Deletes for good, deleted before or not: no byte of the body stays on disk, only the id and revision, so that indexes learn of it.
   * The whole database is written anew for this, so purge many in one call. False when none of them exists.
   */
  purge(owner: string, ids: string | readonly string[], at?: number): Promise<boolean>;

  close(): Promise<void>;
};

export const recordTypes = ["memory", "experience", "value"] as const;
export type RecordType = (typeof recordTypes)[number];
/** A draft waits to be accepted or dropped: it is kept with the records, but nobody finds it who does not ask for drafts. */
export const keptTypes = [...recordTypes, "draft"] as const;
export type KeptType = (typeof keptTypes)[number];

/** A record as its writer knows it. `body` is plain JSON. */
export type RecordWrite = {
  id: string;
  type: KeptType;
  /** Milliseconds since 1970. */
  created: number;
  changed: number;
  /** At most one record of an owner holds a slot: the active experience of a session holds `active:<session>`. */
  slot?: string;
  body: unknown;
};

export type StoredRecord = RecordWrite & {
  /** The owner's revision when it was last written. */
  revision: number;
  /** When it was deleted. */
  deleted?: number;
};

export type RecordFilter = {
  type: KeptType;
  /** Values of the body by dotted path, each among the given: `{"outcome.status": ["falsified"]}`. A list in the body matches by any element. */
  where?: Record<string, (string | number | boolean)[]>;
  /** The same, but a list in the body must have all of the given; in place of one there may be several of which any will do. */
  whereAll?: Record<string, (string | number | boolean | (string | number | boolean)[])[]>;
  /** Smallest value of a number in the body by dotted path. */
  atLeast?: Record<string, number>;
  /** Dotted paths at which the body has nothing, or no number up to the given one. */
  without?: { path: string; upTo?: number }[];
  /** Created from (inclusive) and until (exclusive), milliseconds. */
  since?: number;
  until?: number;
  /** Only deleted ones; otherwise none of them. */
  deleted?: boolean;
};

/** Newest first by `created`, ties by id. `after`: only what comes after this place. */
export type RecordQuery = RecordFilter & { limit: number; offset?: number; after?: { created: number; id: string } };

export type RecordPage = { records: StoredRecord[]; total: number };
