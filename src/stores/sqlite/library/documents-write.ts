import { hashText } from "../../../text/hash.ts";
import type { DocumentInfo } from "../../library.ts";
import {
  asInfo,
  type DocumentRow,
  livingDocument,
  type PutDocument,
  planPut,
  purgedDocument,
  refuseTakenPath,
} from "../../rules/document-rows.ts";
import { escapedList, escapeText, packContent } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { contentOf, type NumberedDocument, selectDocuments } from "./documents.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

/** Each of these functions runs within a write transaction of the caller. */

export function putDocument(database: Database, owner: number, put: PutDocument): DocumentInfo {
  const existing = at(database, owner, escapeText(put.path));
  const content = existing?.hash === hashText(put.content) ? contentOf(database, existing.number) : undefined;
  const plan = planPut(put, existing, content);
  if (!plan) return asInfo(existing!);
  const id = existing?.id ?? freshIds(database, "documents", owner, 1)[0]!;
  const { row, number } = save(database, owner, { ...plan.row, id }, existing?.number);
  if (plan.written) {
    database.run("INSERT OR REPLACE INTO contents(document, content) VALUES(?, ?)", [number, packContent(put.content)]);
  }
  return asInfo(row);
}

export function moveDocument(
  database: Database,
  owner: number | undefined,
  id: string,
  to: string,
  changed: number,
): DocumentInfo {
  const document = livingDocument(owner === undefined ? undefined : living(database, owner, id), id);
  const path = escapeText(to);
  if (document.path === path) return asInfo(document);
  refuseTakenPath(at(database, owner!, path));
  return asInfo(save(database, owner!, { ...document, path, changed }, document.number).row);
}

export function removeDocument(database: Database, owner: number, id: string, deleted: number): boolean {
  const existing = living(database, owner, id);
  if (existing) save(database, owner, { ...existing, deleted }, existing.number);
  return existing !== undefined;
}

export function restoreDocument(database: Database, owner: number, id: string): boolean {
  const existing = selectDocuments(database, owner, "id = ? AND path IS NOT NULL AND deleted IS NOT NULL", [
    escapeText(id),
  ])[0];
  if (!existing) return false;
  refuseTakenPath(at(database, owner, existing.path!));
  save(database, owner, { ...existing, deleted: null }, existing.number);
  return true;
}

export function purgeDocument(database: Database, owner: number, id: string): boolean {
  const existing = selectDocuments(database, owner, "id = ? AND path IS NOT NULL", [escapeText(id)])[0];
  if (!existing) return false;
  save(database, owner, purgedDocument(existing), existing.number);
  database.run("DELETE FROM contents WHERE document = ?", [existing.number]);
  return true;
}

export function touchDocuments(database: Database, owner: number, ids: string[], at: number): void {
  database.run(
    `UPDATE documents SET accessed = max(coalesce(accessed, ?), ?)
     WHERE owner = ? AND id IN (SELECT value FROM json_each(?)) AND deleted IS NULL`,
    [at, at, owner, escapedList(ids)],
  );
}

function at(database: Database, owner: number, path: string): NumberedDocument | undefined {
  return selectDocuments(database, owner, "path = ? AND deleted IS NULL", [path])[0];
}

function living(database: Database, owner: number, id: string): NumberedDocument | undefined {
  return selectDocuments(database, owner, "id = ? AND deleted IS NULL", [escapeText(id)])[0];
}

/** Writes a document at the next revision: a new document, or the one with this number. */
function save(
  database: Database,
  owner: number,
  changed: Omit<DocumentRow, "revision">,
  number: number | undefined,
): { row: DocumentRow; number: number } {
  const row = { ...changed, revision: nextRevision(database, owner, "library_revision") };
  const { path, type, size, hash, version, accessed, deleted, revision } = row;
  const values = [path, type, size, hash, version, row.changed, accessed, deleted, revision];
  const sql =
    number === undefined
      ? `INSERT INTO documents(path, type, size, hash, version, changed, accessed, deleted, revision, owner, id, created)
         VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      : `UPDATE documents SET path = ?, type = ?, size = ?, hash = ?, version = ?, changed = ?, accessed = ?, deleted = ?, revision = ?
         WHERE number = ?`;
  const more = number === undefined ? [owner, row.id, row.created] : [number];
  return { row, ...database.get<{ number: number }>(`${sql} RETURNING number`, [...values, ...more])! };
}
