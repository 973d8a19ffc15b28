import { DossierError } from "../../../errors.ts";
import { hashText } from "../../../text/hash.ts";
import type { DocumentInfo } from "../../library.ts";
import { kept, keptList, packContent } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { asInfo, contentOf, type DocumentRow, findDocument, selectDocuments } from "./documents.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

/** Each of these runs within a write transaction of the caller. */

export type PutDocument = { path: string; content: string; type?: string; at: number; ifHash?: string };

export function putDocument(database: Database, owner: number, put: PutDocument): DocumentInfo {
  const path = kept(put.path);
  const known = at(database, owner, path);
  refuseChanged(put, known?.hash);
  const type = put.type === undefined ? (known?.type ?? null) : kept(put.type);
  const hash = hashText(put.content);
  const same = known?.hash === hash && contentOf(database, known.number) === put.content;
  if (same && known.type === type) return asInfo(known);
  const id = known?.id ?? freshIds(database, "documents", owner, 1)[0]!;
  const revision = nextRevision(database, owner, "library_revision");
  const values = [type, Buffer.byteLength(put.content), hash, put.at, revision];
  const { number } = known
    ? database.get<{ number: number }>(
        `UPDATE documents SET type = ?, size = ?, hash = ?, changed = ?, revision = ?, version = version + 1
         WHERE number = ? RETURNING number`,
        [...values, known.number],
      )!
    : database.get<{ number: number }>(
        `INSERT INTO documents(type, size, hash, changed, revision, owner, id, path, version, created)
         VALUES(?, ?, ?, ?, ?, ?, ?, ?, 1, ?) RETURNING number`,
        [...values, owner, id, path, put.at],
      )!;
  if (!same) {
    database.run("INSERT OR REPLACE INTO contents(document, content) VALUES(?, ?)", [number, packContent(put.content)]);
  }
  return infoOf(database, owner, id);
}

function refuseChanged({ path, ifHash }: PutDocument, hash: string | undefined): void {
  if (ifHash === undefined || ifHash === (hash ?? "none") || (ifHash === "any" && hash !== undefined)) return;
  const state = hash === undefined ? "is not there" : ifHash === "none" ? "is there already" : "was changed meanwhile";
  throw new DossierError("changed-meanwhile", `The document ${path} ${state}.`);
}

export function moveDocument(
  database: Database,
  owner: number | undefined,
  id: string,
  to: string,
  at: number,
): DocumentInfo {
  const known = owner === undefined ? undefined : living(database, owner, id);
  if (owner === undefined || !known) throw new DossierError("not-found", `There is no document ${id}.`);
  const path = kept(to);
  if (known.path === path) return asInfo(known);
  refuseTaken(database, owner, path);
  update(database, owner, known, "path = ?, changed = ?", [path, at]);
  return infoOf(database, owner, known.id);
}

export function removeDocument(database: Database, owner: number, id: string, at: number): boolean {
  const known = living(database, owner, id);
  if (known) update(database, owner, known, "deleted = ?", [at]);
  return known !== undefined;
}

export function restoreDocument(database: Database, owner: number, id: string): boolean {
  const known = selectDocuments(database, owner, "id = ? AND path IS NOT NULL AND deleted IS NOT NULL", [kept(id)])[0];
  if (!known) return false;
  refuseTaken(database, owner, known.path!);
  update(database, owner, known, "deleted = NULL", []);
  return true;
}

export function purgeDocument(database: Database, owner: number, id: string): boolean {
  const known = selectDocuments(database, owner, "id = ? AND path IS NOT NULL", [kept(id)])[0];
  if (!known) return false;
  const gone = "path = NULL, type = NULL, size = 0, hash = '', accessed = NULL, deleted = coalesce(deleted, changed)";
  update(database, owner, known, gone, []);
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

function at(database: Database, owner: number, path: string): DocumentRow | undefined {
  return selectDocuments(database, owner, "path = ? AND deleted IS NULL", [path])[0];
}

function living(database: Database, owner: number, id: string): DocumentRow | undefined {
  return selectDocuments(database, owner, "id = ? AND deleted IS NULL", [kept(id)])[0];
}

function infoOf(database: Database, owner: number, id: string): DocumentInfo {
  return asInfo(findDocument(database, owner, id, false)!);
}

function update(database: Database, owner: number, { number }: DocumentRow, set: string, values: SqlValue[]): void {
  const revision = nextRevision(database, owner, "library_revision");
  database.run(`UPDATE documents SET ${set}, revision = ? WHERE number = ?`, [...values, revision, number]);
}

function refuseTaken(database: Database, owner: number, path: string): void {
  const holder = at(database, owner, path);
  if (holder) throw new DossierError("conflict", `Another document, ${holder.id}, is at ${asInfo(holder).path}.`);
}
