import { DossierError } from "../../errors.ts";
import { hashText } from "../../text/hash.ts";
import type { DocumentInfo } from "../library.ts";
import { given, kept } from "./stored-text.ts";

/** A document as engines keep it, without its content. A purged one has no path. */
export type DocumentRow = {
  id: string;
  path: string | null;
  type: string | null;
  size: number;
  hash: string;
  version: number;
  created: number;
  changed: number;
  accessed: number | null;
  deleted: number | null;
  revision: number;
};

export function asInfo(row: DocumentRow): DocumentInfo {
  return {
    id: row.id,
    path: given(row.path ?? ""),
    ...(row.type !== null && { type: given(row.type) }),
    size: row.size,
    hash: row.hash,
    version: row.version,
    created: row.created,
    changed: row.changed,
    ...(row.accessed !== null && { accessed: row.accessed }),
    ...(row.deleted !== null && { deleted: row.deleted }),
  };
}

export type PutDocument = { path: string; content: string; type?: string; at: number; ifHash?: string };

/**
 * What is at a path afterwards; nothing when that is what is there. `known` is there now, `content` what it says where its hash is that of
 * what is put. `written`: whether the content has to be written too.
 */
export function planPut(
  put: PutDocument,
  known: DocumentRow | undefined,
  content: string | undefined,
): { row: Omit<DocumentRow, "id" | "revision">; written: boolean } | undefined {
  refuseChanged(put, known?.hash);
  const type = put.type === undefined ? (known?.type ?? null) : kept(put.type);
  const same = content === put.content;
  if (known && same && known.type === type) return undefined;
  const row = {
    path: kept(put.path),
    type,
    size: Buffer.byteLength(put.content),
    hash: hashText(put.content),
    version: (known?.version ?? 0) + 1,
    created: known?.created ?? put.at,
    changed: put.at,
    accessed: known?.accessed ?? null,
    deleted: null,
  };
  return { row, written: !same };
}

function refuseChanged({ path, ifHash }: PutDocument, hash: string | undefined): void {
  if (ifHash === undefined || ifHash === (hash ?? "none") || (ifHash === "any" && hash !== undefined)) return;
  const state = hash === undefined ? "is not there" : ifHash === "none" ? "is there already" : "was changed meanwhile";
  throw new DossierError("changed-meanwhile", `The document ${path} ${state}.`);
}

/** Throws unless there is a document to move. */
export function livingDocument<Row extends DocumentRow>(row: Row | undefined, id: string): Row {
  if (!row) throw new DossierError("not-found", `There is no document ${id}.`);
  return row;
}

/** `holder` is at the path that another wants to have. */
export function refuseTakenPath(holder: DocumentRow | undefined): void {
  if (holder) throw new DossierError("conflict", `Another document, ${holder.id}, is at ${asInfo(holder).path}.`);
}

/** Only the id and the revision stay, so that indexes learn of it. */
export function purgedDocument<Row extends DocumentRow>(row: Row): Row {
  const deleted = row.deleted ?? row.changed;
  return { ...row, path: null, type: null, size: 0, hash: "", accessed: null, deleted };
}

/** As much is read at once: 500 documents of 5 MB would be more than a process has. */
export const pageBytes = 64 * 1024 * 1024;

/** The first of these, as far as their contents are no larger than `bytes`; at least one. */
export function pageWithin<Row extends DocumentRow>(rows: readonly Row[], bytes: number): Row[] {
  const page: Row[] = [];
  let size = 0;
  for (const row of rows) {
    if (row.deleted === null) size += row.size;
    if (page.length > 0 && size > bytes) break;
    page.push(row);
  }
  return page;
}
