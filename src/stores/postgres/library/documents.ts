import type { DocumentChange, DocumentInfo, DocumentQuery, StoredDocument } from "../../library.ts";
import { asInfo, type DocumentRow, pageBytes, pageWithin } from "../../rules/document-rows.ts";
import { inOrder } from "../../rules/record-rows.ts";
import { atMost, escapeText, unpackContent } from "../../rules/stored-text.ts";
import type { Queries } from "../engine/session/session.ts";
import { conditions, type OwnedConditions } from "../records/filter.ts";
import { readPage } from "../records/page.ts";

const columns = "id, path, type, size, hash, version, created, changed, accessed, deleted, revision";

/** The owner's documents that meet a condition, without their contents; its values are $2 and so on. */
export function selectDocuments(queries: Queries, condition: string, values: unknown[]): Promise<DocumentRow[]> {
  return queries.all<DocumentRow>(`SELECT ${columns} FROM documents WHERE owner = $1 AND ${condition}`, values);
}

type ContentRow = { content: Uint8Array; escaped: boolean };

export function contentFrom({ content, escaped }: ContentRow): string {
  return unpackContent(escaped ? Buffer.from(content).toString("utf8") : content);
}

export async function readDocument(
  queries: Queries,
  idOrPath: string,
  deleted: boolean,
): Promise<StoredDocument | undefined> {
  // By id. Without one, the document at the path, then the last one deleted there.
  const state = deleted ? "d.path IS NOT NULL" : "d.deleted IS NULL";
  const row = await queries.get<DocumentRow & ContentRow>(
    `SELECT ${columns}, content, escaped FROM documents AS d JOIN contents AS c ON c.owner = d.owner AND c.document = d.id
     WHERE d.owner = $1 AND (d.id = $2 OR d.path = $2) AND ${state}
     ORDER BY d.id = $2 DESC, d.deleted DESC NULLS FIRST, d.id LIMIT 1`,
    [escapeText(idOrPath)],
  );
  return row && { ...asInfo(row), content: contentFrom(row) };
}

export async function documentInfos(queries: Queries, ids: string[]): Promise<DocumentInfo[]> {
  const rows = await selectDocuments(queries, "id = ANY($2) AND deleted IS NULL", [ids.map(escapeText)]);
  return inOrder(ids, rows).map(asInfo);
}

export async function readContents(queries: Queries, ids: string[]): Promise<Map<string, string>> {
  const rows = await queries.all<ContentRow & { id: string }>(
    `SELECT d.id, content, escaped FROM documents AS d JOIN contents AS c ON c.owner = d.owner AND c.document = d.id
     WHERE d.owner = $1 AND d.id = ANY($2) AND d.deleted IS NULL`,
    [ids.map(escapeText)],
  );
  return new Map(rows.map((row) => [row.id, contentFrom(row)]));
}

export async function listDocuments(
  queries: Queries,
  { under, order = "path", opened, deleted, after, limit, offset = 0 }: DocumentQuery,
): Promise<{ documents: DocumentInfo[]; total: number }> {
  const filter = conditions("owner = $1", deleted ? "deleted IS NOT NULL AND path IS NOT NULL" : "deleted IS NULL");
  if (opened) filter.sql.push("accessed IS NOT NULL");
  if (under) {
    // "0" follows "/", so these are exactly the paths that begin with the folder and a slash.
    filter.sql.push(
      `path >= ${filter.bind(`${escapeText(under)}/`)} AND path < ${filter.bind(`${escapeText(under)}0`)}`,
    );
  }
  const { rows, total } = await readPage<DocumentRow>(queries, {
    columns,
    table: "documents",
    condition: filter.sql.join(" AND "),
    further: after && placeAfter(filter, order, after),
    order: order === "path" ? "path, id" : `${order} DESC NULLS LAST, id`,
    limit: filter.bind(atMost(limit)),
    offset: filter.bind(atMost(offset)),
    values: filter.values,
  });
  return { documents: rows.map(asInfo), total };
}

/** The condition for a cursor. Documents never opened come last. */
function placeAfter(
  { bind }: OwnedConditions,
  order: NonNullable<DocumentQuery["order"]>,
  { by, id }: NonNullable<DocumentQuery["after"]>,
): string {
  if (order === "path") return `(path, id) > (${bind(escapeText(String(by)))}, ${bind(escapeText(id))})`;
  if (by === null) return `${order} IS NULL AND id > ${bind(escapeText(id))}`;
  const beyond = `${order} <= ${bind(by)} AND (${order} < ${bind(by)} OR id > ${bind(escapeText(id))})`;
  return order === "changed" ? beyond : `(${beyond} OR accessed IS NULL)`;
}

export async function documentsSince(
  queries: Queries,
  revision: number,
  limit: number,
  { contents = true, bytes = pageBytes }: { contents?: boolean; bytes?: number } = {},
): Promise<DocumentChange[]> {
  const changed = "revision > $2 ORDER BY revision LIMIT $3";
  const rows = await selectDocuments(queries, changed, [revision, atMost(limit)]);
  if (!contents) return rows.map((row) => ({ revision: row.revision, info: asInfo(row) }));
  const page = pageWithin(rows, bytes);
  const living = page.filter((row) => row.deleted === null).map((row) => row.id);
  const contentsById = await readContents(queries, living);
  return page.map((row) => {
    const content = contentsById.get(row.id);
    return { revision: row.revision, info: asInfo(row), ...(content !== undefined && { content }) };
  });
}
