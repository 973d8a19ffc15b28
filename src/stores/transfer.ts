import type { DocumentRow } from "./rules/document-rows.ts";
import type { KeyRow } from "./rules/key-rows.ts";
import type { MessageRow } from "./rules/message-rows.ts";
import type { RecordRow } from "./rules/record-rows.ts";
import type { ReferenceRow } from "./rules/reference-rows.ts";
import type { ThreadRow } from "./rules/thread-rows.ts";

/**
 * Everything of a workspace that cannot be rebuilt, as rows that are the same in every engine: for moving from one
 * store to another, and for comparing them. Texts are as engines store them (rules/stored-text.ts). The index is not
 * included: it is built from this and from the files.
 */
export type Transfer = {
  /** Its address, for messages. */
  readonly shown: string;
  /** Everyone who ever wrote something, ordered by name. */
  owners(): Promise<string[]>;
  revisions(owner: string): Promise<TransferRevisions>;
  /** Rows of a part in order, after a given one; an empty page is the end. */
  page<Part extends TransferPart>(
    owner: string,
    part: Part,
    after: TransferRows[Part] | undefined,
    limit: number,
  ): Promise<TransferRows[Part][]>;
  /** The existing rows with these ids, in no order. */
  byId<Part extends TransferPart>(owner: string, part: Part, ids: string[]): Promise<TransferRows[Part][]>;
  /**
   * Writes rows in one transaction; existing ones are replaced. Other rows give up a unique slot or path that these
   * need.
   */
  write<Part extends TransferPart>(owner: string, part: Part, rows: TransferRows[Part][]): Promise<void>;
  /** Removes rows without a trace. */
  remove(owner: string, part: "references" | "usage", ids: string[]): Promise<void>;
  /** No counter ever decreases. */
  saveRevisions(owner: string, revisions: TransferRevisions): Promise<void>;
  /** API keys belong to the workspace: of all owners, in the order of their creation. */
  keys(): Promise<KeyRow[]>;
  writeKeys(keys: KeyRow[]): Promise<void>;
  close(): Promise<void>;
};

/** In writing order: rows that others refer to come first. */
export const transferParts = ["records", "documents", "threads", "messages", "references", "usage"] as const;
export type TransferPart = (typeof transferParts)[number];

export type TransferRows = {
  records: RecordRow;
  /** `content` is null for a purged one. */
  documents: DocumentRow & { content: string | null };
  threads: ThreadRow;
  messages: MessageRow & { revision: number };
  references: ReferenceRow & { thread: string; place: number };
  /** In the order in which they came, `number` from 1. */
  usage: { id: string; item: string; kind: string; context: string | null; at: number; number: number };
};

/** The highest revision of each kind. */
export type TransferRevisions = { records: number; library: number; usage: number };

/** Bytes of content that are read and written at once. */
export const transferBytes = 8 * 1024 * 1024;
