import type { DocumentRow } from "./rules/document-rows.ts";
import type { KeyRow } from "./rules/key-rows.ts";
import type { MessageRow } from "./rules/message-rows.ts";
import type { RecordRow } from "./rules/record-rows.ts";
import type { ReferenceRow } from "./rules/reference-rows.ts";
import type { ThreadRow } from "./rules/thread-rows.ts";

/**
 * Everything of a workspace that cannot be made again, as rows that are the same in every engine: what moves from one store to another, and what
 * they are compared by. Texts are as engines keep them (rules/stored-text.ts). The index is not among it: it is made from this and from the files.
 */
export type Transfer = {
  /** Where it is, for people. */
  readonly shown: string;
  /** Who ever wrote something, in the order of names. */
  owners(): Promise<string[]>;
  revisions(owner: string): Promise<TransferRevisions>;
  /** Rows of a part in its order, after one; an empty page is the end. */
  page<Part extends TransferPart>(
    owner: string,
    part: Part,
    after: TransferRows[Part] | undefined,
    limit: number,
  ): Promise<TransferRows[Part][]>;
  /** Those of these rows that are there, in no order. */
  byId<Part extends TransferPart>(owner: string, part: Part, ids: string[]): Promise<TransferRows[Part][]>;
  /** Writes rows in one transaction; one that is there is replaced. What others hold of what is unique, a slot or a path, they give up. */
  write<Part extends TransferPart>(owner: string, part: Part, rows: TransferRows[Part][]): Promise<void>;
  /** Removes rows that leave nothing behind. */
  remove(owner: string, part: "references" | "usage", ids: string[]): Promise<void>;
  /** None of the counters falls. */
  saveRevisions(owner: string, revisions: TransferRevisions): Promise<void>;
  /** Keys belong to the workspace: of all owners, in the order in which they were made. */
  keys(): Promise<KeyRow[]>;
  writeKeys(keys: KeyRow[]): Promise<void>;
  close(): Promise<void>;
};

/** In the order in which they are written: what is pointed at comes first. */
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

/** The highest revision of each kind that was given. */
export type TransferRevisions = { records: number; library: number; usage: number };

/** As much content is read and written at once. */
export const transferBytes = 8 * 1024 * 1024;
