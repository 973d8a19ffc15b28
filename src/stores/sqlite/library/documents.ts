import type { DocumentChange, DocumentInfo, DocumentQuery, StoredDocument } from "../../library.ts";
import { asInfo, type DocumentRow, pageBytes, pageWithin } from "../../rules/document-rows.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapedList, escapeText, unpackContent } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";

export type NumberedDocument = DocumentRow & { number: number };
const columns = "number, id, path, type, size, hash, version, created, changed, accessed, deleted, revision";

/** The owner's documents that meet a condition, without their contents. */
export function selectDocuments(
  database: Database,
  owner: number,
  condition: string,
  values: SqlValue[],
): NumberedDocument[] {
  return database.all<NumberedDocument>(`SELECT ${columns} FROM documents WHERE owner = ? AND ${condition}`, [
    owner,
    ...values,
  ]);
}

function findDocument(
  database: Database,
  owner: number,
  idOrPath: string,
  deleted: boolean,
): NumberedDocument | undefined {
  const text = escapeText(idOrPath);
  const one = (condition: string) => selectDocuments(database, owner, `${condition} LIMIT 1`, [text])[0];
  return (
    one(`id = ? AND ${deleted ? "path IS NOT NULL" : "deleted IS NULL"}`) ??
    one("path = ? AND deleted IS NULL") ??
    (deleted ? one("path = ? AND deleted IS NOT NULL ORDER BY deleted DESC, id") : undefined)
  );
}

export function readDocument(
  database: Database,
  owner: number,
  idOrPath: string,
  deleted: boolean,
): StoredDocument | undefined {
  const row = findDocument(database, owner, idOrPath, deleted);
  return row && { ...asInfo(row), content: contentOf(database, row.number) };
}

export function contentOf(database: Database, number: number): string {
  const row = database.get<{ content: Uint8Array | string }>("SELECT content FROM contents WHERE document = ?", [
    number,
  ])!;
  return unpackContent(row.content);
}

export function documentInfos(database: Database, owner: number, ids: string[]): DocumentInfo[] {
  const rows = selectDocuments(database, owner, "id IN (SELECT value FROM json_each(?)) AND deleted IS NULL", [
    escapedList(ids),
  ]);
  return inOrder(ids, rows).map(asInfo);
}

export function readContents(database: Database, owner: number, ids: string[]): Map<string, string> {
  const rows = database.all<{ id: string; content: Uint8Array | string }>(
    `SELECT documents.id AS id, content FROM documents JOIN contents ON contents.document = documents.number
     WHERE owner = ? AND documents.id IN (SELECT value FROM json_each(?)) AND deleted IS NULL`,
    [owner, escapedList(ids)],
  );
  return new Map(rows.map(({ id, content }) => [id, unpackContent(content)]));
}

export function listDocuments(
  database: Database,
  owner: number,
  { under, order = "path", opened, deleted, after, limit, offset = 0 }: DocumentQuery,
): { documents: DocumentInfo[]; total: number } {
  const parts = [deleted ? "deleted IS NOT NULL AND path IS NOT NULL" : "deleted IS NULL"];
  const values: SqlValue[] = [];
  if (opened) parts.push("accessed IS NOT NULL");
  if (under) {
    // "0" follows "/", so these are exactly the paths that begin with the folder and a slash.
    parts.push("path >= ? AND path < ?");
    values.push(`${escapeText(under)}/`, `${escapeText(under)}0`);
  }
  const condition = parts.join(" AND ");
  const { total } = database.get<{ total: number }>(
    `SELECT count(*) AS total FROM documents WHERE owner = ? AND ${condition}`,
    [owner, ...values],
  )!;
  // A folder is found by path and then sorted; the unary + rules out other indexes.
  const sorted = order === "path" ? "path, id" : `${under ? "+" : ""}${order} DESC, id`;
  const further = after && placeAfter(order, after);
  const page = `${condition}${further ? ` AND ${further.sql}` : ""} ORDER BY ${sorted} LIMIT ? OFFSET ?`;
  const rows = selectDocuments(database, owner, page, [
    ...values,
    ...(further?.values ?? []),
    atMost(limit),
    atMost(offset),
  ]);
  return { documents: rows.map(asInfo), total };
}

/** The condition for a cursor. Documents never opened come last. */
function placeAfter(
  order: NonNullable<DocumentQuery["order"]>,
  { by, id }: NonNullable<DocumentQuery["after"]>,
): { sql: string; values: SqlValue[] } {
  if (order === "path") return { sql: "(path, id) > (?, ?)", values: [escapeText(String(by)), escapeText(id)] };
  if (by === null) return { sql: `${order} IS NULL AND id > ?`, values: [escapeText(id)] };
  const values = [by, by, escapeText(id)];
  if (order === "changed") return { sql: "changed <= ? AND (changed < ? OR id > ?)", values };
  return { sql: "(accessed <= ? AND (accessed < ? OR id > ?) OR accessed IS NULL)", values };
}

export function documentsSince(
  database: Database,
  owner: number,
  revision: number,
  limit: number,
  { contents = true, bytes = pageBytes }: { contents?: boolean; bytes?: number } = {},
): DocumentChange[] {
  const rows = selectDocuments(database, owner, "revision > ? ORDER BY revision LIMIT ?", [revision, atMost(limit)]);
  if (!contents) return rows.map((row) => ({ revision: row.revision, info: asInfo(row) }));
  const page = pageWithin(rows, bytes);
  const living = page.filter((row) => row.deleted === null).map((row) => row.id);
  const contentsById = readContents(database, owner, living);
  return page.map((row) => ({
    revision: row.revision,
    info: asInfo(row),
    ...(row.deleted === null && { content: contentsById.get(row.id)! }),
  }));
}
