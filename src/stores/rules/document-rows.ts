import { DossierError } from "../../errors.ts";
import { hashText } from "../../text/hash.ts";
import type { DocumentInfo } from "../library.ts";
import { escapeText, unescapeText } from "./stored-text.ts";

/** A document as engines store it, without its content. A purged one has no path. */
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
    path: unescapeText(row.path ?? ""),
    ...(row.type !== null && { type: unescapeText(row.type) }),
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
 * The row at a path after a put. Undefined when nothing changes. `existing`: the current row. `content`: its content
 * where the hashes are equal. `written`: whether content is written.
 */
export function planPut(
  put: PutDocument,
  existing: DocumentRow | undefined,
  content: string | undefined,
): { row: Omit<DocumentRow, "id" | "revision">; written: boolean } | undefined {
  refuseChanged(put, existing?.hash);
  const type = put.type === undefined ? (existing?.type ?? null) : escapeText(put.type);
  const same = content === put.content;
  if (existing && same && existing.type === type) return undefined;
  const row = {
    path: escapeText(put.path),
    type,
    size: Buffer.byteLength(put.content),
    hash: hashText(put.content),
    version: (existing?.version ?? 0) + 1,
    created: existing?.created ?? put.at,
    changed: put.at,
    accessed: existing?.accessed ?? null,
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

/** `holder`: the document at the path that another one needs. */
export function refuseTakenPath(holder: DocumentRow | undefined): void {
  if (holder) throw new DossierError("conflict", `Another document, ${holder.id}, is at ${asInfo(holder).path}.`);
}

/** Only the id and the revision stay, so that indexes learn of it. */
export function purgedDocument<Row extends DocumentRow>(row: Row): Row {
  const deleted = row.deleted ?? row.changed;
  return { ...row, path: null, type: null, size: 0, hash: "", accessed: null, deleted };
}

/** Limit of bytes per page: 500 documents of 5 MB would exceed a process's memory. */
export const pageBytes = 64 * 1024 * 1024;

/** The first rows whose contents fit into `bytes`; at least one. */
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
