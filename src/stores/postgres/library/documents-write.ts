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
import { escapeText, packContent } from "../../rules/stored-text.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import { type Revisions, saveRevision } from "../records/owner-rows.ts";
import { contentFrom, selectDocuments } from "./documents.ts";
import { freshIds } from "./ids.ts";

/** Each of these runs within a transaction that holds the owner's revisions. */

export async function putDocument(
  queries: TransactionQueries,
  { library }: Revisions,
  put: PutDocument,
): Promise<DocumentInfo> {
  const [existing] = await documentsAt(queries, put.path);
  const plan = planPut(put, existing, existing && (await sameContent(queries, existing, put.content)));
  if (!plan) return asInfo(existing!);
  const id = existing?.id ?? (await freshIds(queries, "documents", 1))[0]!;
  const row = { ...plan.row, id, revision: library + 1 };
  await saveDocuments(queries, [row], plan.written ? put.content : undefined);
  return asInfo(row);
}

/** The stored content of a document, if its hash is that of `content`. */
async function sameContent(
  queries: TransactionQueries,
  { id, hash }: DocumentRow,
  content: string,
): Promise<string | undefined> {
  if (hash !== hashText(content)) return undefined;
  const sql = "SELECT content, escaped FROM contents WHERE owner = $1 AND document = $2";
  const row = await queries.get<{ content: Uint8Array; escaped: boolean }>(sql, [id]);
  return row && contentFrom(row);
}

export async function moveDocument(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
  to: string,
  changed: number,
): Promise<DocumentInfo> {
  const [[living], [holder]] = await Promise.all([livingDocuments(queries, id), documentsAt(queries, to)]);
  const document = livingDocument(living, id);
  const path = escapeText(to);
  if (document.path === path) return asInfo(document);
  refuseTakenPath(holder);
  const row = { ...document, path, changed, revision: library + 1 };
  await saveDocuments(queries, [row]);
  return asInfo(row);
}

export async function removeDocument(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
  deleted: number,
): Promise<boolean> {
  const [existing] = await livingDocuments(queries, id);
  if (existing) await saveDocuments(queries, [{ ...existing, deleted, revision: library + 1 }]);
  return existing !== undefined;
}

export async function restoreDocument(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
): Promise<boolean> {
  const deleted = "id = $2 AND path IS NOT NULL AND deleted IS NOT NULL";
  const [existing] = await selectDocuments(queries, deleted, [escapeText(id)]);
  if (!existing) return false;
  const [holder] = await selectDocuments(queries, "path = $2 AND deleted IS NULL", [existing.path]);
  refuseTakenPath(holder);
  await saveDocuments(queries, [{ ...existing, deleted: null, revision: library + 1 }]);
  return true;
}

export async function purgeDocuments(
  queries: TransactionQueries,
  { library }: Revisions,
  ids: readonly string[],
): Promise<boolean> {
  const order = "ORDER BY array_position($2, id)";
  const existing = await selectDocuments(queries, `id = ANY($2::text[]) AND path IS NOT NULL ${order}`, [
    ids.map(escapeText),
  ]);
  if (existing.length === 0) return false;
  const rows = existing.map((row, i) => ({ ...purgedDocument(row), revision: library + i + 1 }));
  const purged = rows.map(({ id }) => id);
  await Promise.all([
    saveDocuments(queries, rows),
    queries.run("DELETE FROM contents WHERE owner = $1 AND document = ANY($2)", [purged]),
  ]);
  return true;
}

export async function touchDocuments(queries: TransactionQueries, ids: string[], at: number): Promise<void> {
  await queries.run(
    `UPDATE documents SET accessed = greatest(accessed, $3)
     WHERE owner = $1 AND id = ANY($2) AND deleted IS NULL AND accessed IS DISTINCT FROM greatest(accessed, $3)`,
    [ids.map(escapeText), at],
  );
}

const documentsAt = (queries: TransactionQueries, path: string): Promise<DocumentRow[]> =>
  selectDocuments(queries, "path = $2 AND deleted IS NULL", [escapeText(path)]);

const livingDocuments = (queries: TransactionQueries, id: string): Promise<DocumentRow[]> =>
  selectDocuments(queries, "id = $2 AND deleted IS NULL", [escapeText(id)]);

/** Writes documents, the content of the only one where it is given, and the revision of the last. */
async function saveDocuments(queries: TransactionQueries, rows: DocumentRow[], content?: string): Promise<void> {
  await Promise.all([
    queries.run(
      `INSERT INTO documents(owner, id, path, type, size, hash, version, created, changed, accessed, deleted, revision)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::double precision[],
         $9::double precision[], $10::double precision[], $11::double precision[], $12::bigint[])
       ON CONFLICT (owner, id) DO UPDATE SET path = excluded.path, type = excluded.type, size = excluded.size, hash = excluded.hash,
         version = excluded.version, changed = excluded.changed, accessed = excluded.accessed, deleted = excluded.deleted,
         revision = excluded.revision`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.path),
        rows.map((row) => row.type),
        rows.map((row) => row.size),
        rows.map((row) => row.hash),
        rows.map((row) => row.version),
        rows.map((row) => row.created),
        rows.map((row) => row.changed),
        rows.map((row) => row.accessed),
        rows.map((row) => row.deleted),
        rows.map((row) => row.revision),
      ],
    ),
    ...(content === undefined ? [] : [saveContent(queries, rows[0]!.id, content)]),
    saveRevision(queries, "library", rows.at(-1)!.revision),
  ]);
}

function saveContent(queries: TransactionQueries, id: string, content: string): Promise<number> {
  const packed = packContent(content);
  const escaped = typeof packed === "string";
  return queries.run(
    `INSERT INTO contents(owner, document, content, escaped) VALUES($1, $2, $3, $4)
     ON CONFLICT (owner, document) DO UPDATE SET content = excluded.content, escaped = excluded.escaped`,
    [id, escaped ? Buffer.from(packed, "utf8") : packed, escaped],
  );
}
