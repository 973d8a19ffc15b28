/**
 * The data that an application stores for its users: documents, threads with their messages, usage. It cannot be
 * rebuilt from anything else, so it lives beside the records in `memory.db`, and the index follows it by its revision.
 * The owner is an argument of every call. Every id belongs to one owner: what another owner has counts as absent.
 */
export type LibraryStore = {
  /**
   * Grows with every change of a document, a message, a thread or a reference of this owner, from any process: an index
   * follows it and caches are keyed by it. Every written, moved, deleted, restored or purged document or message gets
   * one of its own, from the same counter.
   */
  revision(owner: string): Promise<number>;

  // Documents: texts under a path, which is relative, with `/`, normalised by the caller.
  /**
   * Writes the document at a path: a new one, or a new version of the existing one, which keeps its type when none is
   * given. The same content and type again changes nothing. A deleted document does not hold its path. `ifHash` throws
   * `changed-meanwhile`: a hash unless the document has it, `any` unless one exists, `none` if one exists.
   */
  putDocument(
    owner: string,
    put: { path: string; content: string; type?: string; at: number; ifHash?: string },
  ): Promise<DocumentInfo>;
  /**
   * By id or by exact path; deleted ones only when asked for, and of several at one path the existing one, else the
   * last deleted.
   */
  document(owner: string, idOrPath: string, options?: { deleted?: boolean }): Promise<StoredDocument | undefined>;
  /** By id, in that order, once each, without the content; unknown and deleted ones are absent. */
  documentInfos(owner: string, ids: string[]): Promise<DocumentInfo[]>;
  /** The content of these documents by id; unknown and deleted ones are absent. */
  contents(owner: string, ids: string[]): Promise<Map<string, string>>;
  documents(owner: string, query: DocumentQuery): Promise<{ documents: DocumentInfo[]; total: number }>;
  /**
   * Throws `not-found`; throws `conflict` when another document has the path. The id stays. Moving to the same path
   * changes nothing.
   */
  moveDocument(owner: string, id: string, path: string, at: number): Promise<DocumentInfo>;
  /** Marks as deleted; false when there is no such document. */
  removeDocument(owner: string, id: string, at: number): Promise<boolean>;
  /**
   * Undoes a deletion. False when there is nothing to restore. Throws `conflict` when another document has its path
   * now.
   */
  restoreDocument(owner: string, id: string): Promise<boolean>;
  /**
   * Deletes permanently, deleted before or not: no byte of the content or the path stays on disk. This rewrites the
   * whole database, so purge many in one call. False when none of them exists.
   */
  purgeDocument(owner: string, ids: string | readonly string[]): Promise<boolean>;
  /**
   * Sets when these were last opened; an earlier time changes nothing. The revision stays: nothing needs to be indexed
   * for it.
   */
  touchDocuments(owner: string, ids: string[], at: number): Promise<void>;
  /**
   * Changes after a revision in order, deletions included, for an index to catch up. Each document once, at its last
   * change. No two have the same revision, so the last one's starts the next page. A page ends before `limit` when its
   * contents reach `bytes` (64 MB): only an empty page is the end. `contents: false` leaves them out. Then only `limit`
   * ends a page.
   */
  documentsSince(
    owner: string,
    revision: number,
    limit: number,
    options?: { contents?: boolean; bytes?: number },
  ): Promise<DocumentChange[]>;

  // Threads and their messages.
  /**
   * Throws `not-found` for a parent that does not exist or was deleted, and for a message that the parent does not
   * have.
   */
  createThread(owner: string, thread: NewThread): Promise<ThreadInfo>;
  /** Throws `not-found`. */
  changeThread(owner: string, id: string, change: { title?: string; at: number }): Promise<ThreadInfo>;
  thread(owner: string, id: string, options?: { deleted?: boolean }): Promise<ThreadInfo | undefined>;
  /** Newest activity first; `query` is part of a title, ignoring case. */
  threads(owner: string, query: ThreadQuery): Promise<{ threads: ThreadInfo[]; total: number }>;
  /**
   * With all its messages, also where branches share them; the branches stay, with their own messages. False when the
   * thread does not exist.
   */
  removeThread(owner: string, id: string, at: number): Promise<boolean>;
  /** Undoes a deletion, with all messages; false when there is nothing to restore. */
  restoreThread(owner: string, id: string): Promise<boolean>;
  /**
   * Deletes permanently, as `purgeDocument`: no byte of messages, references and title stays on disk. Branches stay.
   */
  purgeThread(owner: string, ids: string | readonly string[]): Promise<boolean>;
  /**
   * Appends in this order, all or none. Throws `not-found` for an unknown or deleted thread. An existing id in the
   * thread (given by the application, or a `msg-…`) is replaced in place. The same again changes nothing. Returns one
   * stored message for each.
   */
  addMessages(owner: string, thread: string, messages: NewMessage[]): Promise<StoredMessage[]>;
  /**
   * Messages of a thread in order; for a branch also those of its parents up to the branching point, except deleted
   * parents. None for an unknown or deleted thread.
   */
  messages(owner: string, thread: string, range: MessageRange): Promise<StoredMessage[]>;
  /** By id, in that order, once each; unknown and deleted ones are absent. */
  messagesById(owner: string, ids: string[]): Promise<StoredMessage[]>;
  /** As `documentsSince`; only `limit` ends a page. */
  messagesSince(owner: string, revision: number, limit: number): Promise<MessageChange[]>;

  // References: what belongs into every context of a thread.
  /**
   * The same target again replaces its priority and source; id and time stay. Throws `not-found` for an unknown or
   * deleted thread.
   */
  addReference(owner: string, thread: string, reference: NewReference): Promise<ContextReference>;
  /** Only the thread's own; inherited ones are removed where they were added. */
  removeReference(owner: string, thread: string, id: string): Promise<boolean>;
  /**
   * Highest priority first, then in the order they were added. Those of a branch's parents come as `inherited`: those
   * added while the parent had no more messages than are shared. Of the same target the nearest counts.
   */
  references(owner: string, thread: string): Promise<ContextReference[]>;

  // Usage: what proved useful.
  /** Grows with every usage event and undo; caches of rankings are keyed by it. */
  usageRevision(owner: string): Promise<number>;
  recordUsage(owner: string, events: NewUsage[]): Promise<UsageEvent[]>;
  /** Removes events without a trace; returns how many there were. */
  undoUsage(owner: string, ids: string[]): Promise<number>;
  /** Events of these items, newest first, at most `limit` for each; items without any are absent. */
  usage(owner: string, items: string[], limit?: number): Promise<Map<string, UsageEvent[]>>;

  /**
   * Counts of this owner's data, deleted ones excluded, for status and statistics; a message counts once, in its own
   * thread.
   */
  counts(owner: string): Promise<{ documents: number; threads: number; messages: number; usage: number }>;
  close(): Promise<void>;
};

export type DocumentInfo = {
  /** `doc-` and 64 random bits in base 36: it survives moves and new versions. */
  id: string;
  path: string;
  /** Media type or language as given: `text/markdown`. */
  type?: string;
  /** Bytes of UTF-8. */
  size: number;
  hash: string;
  version: number;
  created: number;
  changed: number;
  /** When it was last opened; absent when it never was. */
  accessed?: number;
  deleted?: number;
};
export type StoredDocument = DocumentInfo & { content: string };
/**
 * `content`: absent for a deleted or purged document, and where it is not requested; a purged one has only its id, and
 * the path is empty.
 */
export type DocumentChange = { revision: number; info: DocumentInfo; content?: string };

export type DocumentQuery = {
  /** Only paths below this folder, without a final slash. */
  under?: string;
  /** By path (default); or newest first, those never opened last. Ties by id. */
  order?: "path" | "changed" | "accessed";
  /** Only those that were ever opened. */
  opened?: boolean;
  /** Only deleted ones; otherwise none of them. */
  deleted?: boolean;
  /** Cursor: only what comes after this position, given by the sort key and id of the last one. */
  after?: { by: string | number | null; id: string };
  limit: number;
  offset?: number;
};

export type NewThread = {
  title: string;
  /** `thr-…` of the thread it branches off. */
  parent?: string;
  /** The last message shared with its parent, by its id or the application's; all existing ones when absent. */
  branchedAt?: string;
  at: number;
};
export type ThreadInfo = {
  id: string;
  title: string;
  parent?: string;
  branchedAt?: string;
  created: number;
  /** Last message or change. */
  changed: number;
  /** The number of its last message: the count, including those shared with its parents. */
  messages: number;
  deleted?: number;
};
/** `deleted`: only deleted ones. Without it, none of them. `after`: only what comes after this position. */
export type ThreadQuery = {
  query?: string;
  deleted?: boolean;
  after?: { changed: number; id: string };
  limit: number;
  offset?: number;
};

export const roles = ["user", "assistant", "system", "tool"] as const;
export type SpeakerRole = (typeof roles)[number];

/** The parts of a message. Other kinds from an application are stored as `other`. */
export type MessageBlock =
  | { type: "text"; text: string }
  | { type: "tool_call"; id?: string; name: string; input: unknown }
  | { type: "tool_result"; id?: string; text: string; error?: boolean }
  | { type: "image"; description?: string }
  | { type: "other"; value: unknown };

export type NewMessage = {
  /** The application's own id, where it has one; unique in its thread. */
  id?: string;
  role: SpeakerRole;
  /** The speaker, where there are several people. */
  speaker?: string;
  blocks: MessageBlock[];
  at: number;
  /** Part of a long conversation: a day, a visit. */
  session?: string;
};
export type StoredMessage = NewMessage & {
  /** `msg-` and 64 bits in base 36. */
  id: string;
  /** The id that the application gave. */
  given?: string;
  thread: string;
  /** Its position in the thread, from 1; in a branch it continues after the shared ones. */
  number: number;
};
/** For a deleted one only id, thread and number count: it has no blocks. */
export type MessageChange = { revision: number; message: StoredMessage; deleted: boolean };
/** `last`: the newest so many, oldest first; otherwise from a number (inclusive) on. */
export type MessageRange = { last: number } | { from: number; limit: number };

export const referenceSources = ["user-added", "agent-added", "inherited"] as const;
export type ReferenceSource = (typeof referenceSources)[number];
/** `target`: id of a document, a thread or any item; or a folder of documents. */
export type NewReference = {
  kind: "document" | "folder" | "thread" | "item";
  target: string;
  source: Exclude<ReferenceSource, "inherited">;
  /** 0..1, higher comes first. */
  priority: number;
  at: number;
};
export type ContextReference = Omit<NewReference, "source" | "at"> & {
  id: string;
  source: ReferenceSource;
  added: number;
};

/** `cited`: a reply cited it. `useful` and `not-useful`: explicit feedback. */
export const usageKinds = ["cited", "useful", "not-useful"] as const;
export type UsageKind = (typeof usageKinds)[number];
export type NewUsage = {
  item: string;
  kind: UsageKind;
  /** The context it was given in. */
  context?: string;
  at: number;
};
export type UsageEvent = NewUsage & { id: string };
