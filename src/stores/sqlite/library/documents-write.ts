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
import { kept, keptList, packContent } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { contentOf, type NumberedDocument, selectDocuments } from "./documents.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

/** Each of these runs within a write transaction of the caller. */

export function putDocument(database: Database, owner: number, put: PutDocument): DocumentInfo {
  const known = at(database, owner, kept(put.path));
  const content = known?.hash === hashText(put.content) ? contentOf(database, known.number) : undefined;
  const plan = planPut(put, known, content);
  if (!plan) return asInfo(known!);
  const id = known?.id ?? freshIds(database, "documents", owner, 1)[0]!;
  const { row, number } = save(database, owner, { ...plan.row, id }, known?.number);
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
  const known = livingDocument(owner === undefined ? undefined : living(database, owner, id), id);
  const path = kept(to);
  if (known.path === path) return asInfo(known);
  refuseTakenPath(at(database, owner!, path));
  return asInfo(save(database, owner!, { ...known, path, changed }, known.number).row);
}

export function removeDocument(database: Database, owner: number, id: string, deleted: number): boolean {
  const known = living(database, owner, id);
  if (known) save(database, owner, { ...known, deleted }, known.number);
  return known !== undefined;
}

export function restoreDocument(database: Database, owner: number, id: string): boolean {
  const known = selectDocuments(database, owner, "id = ? AND path IS NOT NULL AND deleted IS NOT NULL", [kept(id)])[0];
  if (!known) return false;
  refuseTakenPath(at(database, owner, known.path!));
  save(database, owner, { ...known, deleted: null }, known.number);
  return true;
}

export function purgeDocument(database: Database, owner: number, id: string): boolean {
  const known = selectDocuments(database, owner, "id = ? AND path IS NOT NULL", [kept(id)])[0];
  if (!known) return false;
  save(database, owner, purgedDocument(known), known.number);
  database.run("DELETE FROM contents WHERE document = ?", [known.number]);
  return true;
}

export function touchDocuments(database: Database, owner: number, ids: string[], at: number): void {
  database.run(
    `UPDATE documents SET accessed = max(coalesce(accessed, ?), ?)
     WHERE owner = ? AND id IN (SELECT value FROM json_each(?)) AND deleted IS NULL`,
    [at, at, owner, keptList(ids)],
  );
}

function at(database: Database, owner: number, path: string): NumberedDocument | undefined {
  return selectDocuments(database, owner, "path = ? AND deleted IS NULL", [path])[0];
}

function living(database: Database, owner: number, id: string): NumberedDocument | undefined {
  return selectDocuments(database, owner, "id = ? AND deleted IS NULL", [kept(id)])[0];
}

/** Writes a document at the next revision: a new one, or the one that has this number. */
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
