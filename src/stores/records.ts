import type { DossierError } from "../errors.ts";

/**
 * Records of users and agents. They cannot be rebuilt from anything else, so they live in a database of their own
 * (`memory.db`) that rebuilding the index never touches; the index follows them by their revision. The owner is an
 * argument of every call, as in every store.
 */
export type RecordStore = {
  /** Grows by one with every record of this owner that is written, deleted, restored or purged, from any process. */
  revision(owner: string): Promise<number>;

  /**
   * Writes all of these or none. Throws `conflict` when another record holds a slot. An existing id is replaced. Those
   * in `removed` are marked as deleted in the same transaction, before anything is written; unknown ones are ignored.
   */
  write(owner: string, records: RecordWrite[], options?: { removed?: string[]; at?: number }): Promise<void>;
  /**
   * Reads one record and writes the result of `change`, atomically. Throws `not-found` for an unknown or deleted id. An
   * error of `change` is rethrown, and nothing is written.
   */
  change(owner: string, id: string, change: (record: StoredRecord) => RecordWrite): Promise<StoredRecord>;

  /** Records by id, deleted ones only when asked for; unknown ids are absent. */
  get(owner: string, ids: string[], options?: { deleted?: boolean }): Promise<StoredRecord[]>;
  /** Records whose id starts with the prefix, ordered by id, deleted ones only when asked for; at most `limit`. */
  byPrefix(owner: string, prefix: string, limit: number, options?: { deleted?: boolean }): Promise<StoredRecord[]>;
  /** The record that holds a slot. */
  inSlot(owner: string, slot: string): Promise<StoredRecord | undefined>;
  /** The records whose slots begin with this, ordered by slot. */
  inSlots(owner: string, prefix: string): Promise<StoredRecord[]>;
  list(owner: string, query: RecordQuery): Promise<RecordPage>;
  /** The ids of all that `list` would count, in its order, without their bodies. */
  ids(owner: string, query: RecordFilter): Promise<string[]>;
  /**
   * Changes after a revision in order, deletions included, for an index to catch up. No two records have the same
   * revision, so the last one's starts the next page. The body of a purged one is null.
   */
  changedSince(owner: string, type: KeptType, revision: number, limit: number): Promise<StoredRecord[]>;

  /** Marks as deleted; the body stays until `purge`, so that it can be restored. False when there is no such record. */
  remove(owner: string, id: string, at?: number): Promise<boolean>;
  /**
   * Undoes a deletion. False when there is nothing to restore; throws `conflict` when another record holds its slot
   * now.
   */
  restore(owner: string, id: string): Promise<boolean>;
  /**
   * Deletes permanently, deleted before or not: no byte of the body stays on disk, only the id and revision, so that
   * indexes learn of it. This rewrites the whole database, so purge many in one call. False when none of them exists.
   */
  purge(owner: string, ids: string | readonly string[], at?: number): Promise<boolean>;

  /** Why a part of the owner's records cannot be read, while the rest can; absent in a store that has no parts. */
  unread?(owner: string): Promise<DossierError | undefined>;

  close(): Promise<void>;
};

export const recordTypes = ["memory", "experience", "value"] as const;
export type RecordType = (typeof recordTypes)[number];
/**
 * A draft waits to be accepted or dropped: it is stored with the records, but found only by those who ask for drafts.
 */
export const keptTypes = [...recordTypes, "draft"] as const;
export type KeptType = (typeof keptTypes)[number];

/** A record as its writer gives it. `body` is plain JSON. */
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
  /**
   * Accepted values of the body by dotted path: `{"outcome.status": ["falsified"]}`. A list in the body matches by any
   * element.
   */
  where?: Record<string, (string | number | boolean)[]>;
  /** The same, but a list in the body must have all of these; an inner list means any of its values. */
  whereAll?: Record<string, (string | number | boolean | (string | number | boolean)[])[]>;
  /** Smallest value of a number in the body by dotted path. */
  atLeast?: Record<string, number>;
  /** Dotted paths at which the body must have nothing, or no number up to the given one. */
  without?: { path: string; upTo?: number }[];
  /** Created from (inclusive) and until (exclusive), milliseconds. */
  since?: number;
  until?: number;
  /** Only deleted ones; otherwise none of them. */
  deleted?: boolean;
};

/** Newest first by `created`, ties by id. `after`: only what comes after this position. */
export type RecordQuery = RecordFilter & { limit: number; offset?: number; after?: { created: number; id: string } };

export type RecordPage = { records: StoredRecord[]; total: number };
