import { foldName } from "../../graph.ts";
import type { NewThread, ThreadInfo, ThreadQuery } from "../../library.ts";
import { atMost, escapeText } from "../../rules/stored-text.ts";
import {
  asThread,
  lastPlace,
  livingThread,
  refuseBranchOfNothing,
  type ThreadRow,
  titleColumns,
} from "../../rules/thread-rows.ts";
import type { Queries, TransactionQueries } from "../engine/session/session.ts";
import { conditions } from "../records/filter.ts";
import { type Revisions, saveRevision } from "../records/owner-rows.ts";
import { readPage } from "../records/page.ts";
import { lastVisible, sharedUpTo } from "./branches.ts";
import { freshIds } from "./ids.ts";

const columns = "id, title, parent, branched, first, count, created, changed, deleted";

/** Purged ones have no title and are never found. */
function findThread(queries: Queries, id: string, deleted = false): Promise<ThreadRow | undefined> {
  const state = deleted ? "title IS NOT NULL" : "deleted IS NULL";
  return queries.get<ThreadRow>(`SELECT ${columns} FROM threads WHERE owner = $1 AND id = $2 AND ${state}`, [
    escapeText(id),
  ]);
}

/** Throws `not-found` for an unknown or deleted one. */
export async function needThread(queries: Queries, id: string): Promise<ThreadRow> {
  return livingThread(await findThread(queries, id), id);
}

export async function readThread(queries: Queries, id: string, deleted: boolean): Promise<ThreadInfo | undefined> {
  const row = await findThread(queries, id, deleted);
  return row && asThread(row);
}

export async function listThreads(
  queries: Queries,
  { query = "", deleted, after, limit, offset = 0 }: ThreadQuery,
): Promise<{ threads: ThreadInfo[]; total: number }> {
  const filter = conditions("owner = $1", deleted ? "deleted IS NOT NULL AND title IS NOT NULL" : "deleted IS NULL");
  const { bind } = filter;
  const part = foldName(query);
  if (part !== "") filter.sql.push(`strpos(folded, ${bind(escapeText(part))}) > 0`);
  const { rows, total } = await readPage<ThreadRow>(queries, {
    columns,
    table: "threads",
    condition: filter.sql.join(" AND "),
    further: after
      ? `changed <= ${bind(after.changed)} AND (changed < ${bind(after.changed)} OR id > ${bind(escapeText(after.id))})`
      : undefined,
    order: "changed DESC, id",
    limit: bind(atMost(limit)),
    offset: bind(atMost(offset)),
    values: filter.values,
  });
  return { threads: rows.map(asThread), total };
}

// The rest runs within a transaction that holds the owner's revisions.

export async function createThread(
  queries: TransactionQueries,
  { library }: Revisions,
  thread: NewThread,
): Promise<ThreadInfo> {
  const parent = thread.parent === undefined ? undefined : await needThread(queries, thread.parent);
  refuseBranchOfNothing(thread);
  let shared = 0;
  let branched: string | null = null;
  if (parent && thread.branchedAt === undefined) {
    shared = lastPlace(parent);
    branched = await lastVisible(queries, parent.id);
  } else if (parent) {
    ({ place: shared, id: branched } = await sharedUpTo(queries, parent.id, thread.branchedAt!));
  }
  const { title, folded } = titleColumns(thread.title);
  const id = (await freshIds(queries, "threads", 1))[0]!;
  const [inserted] = await Promise.all([
    queries.get<ThreadRow>(
      `INSERT INTO threads(owner, id, title, folded, parent, branched, first, count, created, changed)
       VALUES($1, $2, $3, $4, $5, $6, $7, 0, $8, $8) RETURNING ${columns}`,
      [id, title, folded, parent?.id ?? null, branched, shared + 1, thread.at],
    ),
    saveRevision(queries, "library", library + 1),
  ]);
  return asThread(inserted!);
}

export async function changeThread(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
  { title, at }: { title?: string; at: number },
): Promise<ThreadInfo> {
  await needThread(queries, id);
  const titled = title === undefined ? { title: null, folded: null } : titleColumns(title);
  const [changed] = await Promise.all([
    queries.get<ThreadRow>(
      `UPDATE threads SET title = coalesce($3, title), folded = coalesce($4, folded), changed = greatest(changed, $5)
       WHERE owner = $1 AND id = $2 RETURNING ${columns}`,
      [escapeText(id), titled.title, titled.folded, at],
    ),
    saveRevision(queries, "library", library + 1),
  ]);
  return asThread(changed!);
}

export async function removeThread(
  queries: TransactionQueries,
  { library }: Revisions,
  id: string,
  at: number,
): Promise<boolean> {
  const row = await findThread(queries, id);
  if (!row) return false;
  await Promise.all([
    renewMessages(queries, row, library),
    queries.run("UPDATE threads SET deleted = $3 WHERE owner = $1 AND id = $2", [row.id, at]),
    saveRevision(queries, "library", library + row.count + 1),
  ]);
  return true;
}

export async function restoreThread(queries: TransactionQueries, { library }: Revisions, id: string): Promise<boolean> {
  const row = await findThread(queries, id, true);
  if (!row || row.deleted === null) return false;
  await Promise.all([
    renewMessages(queries, row, library),
    queries.run("UPDATE threads SET deleted = NULL WHERE owner = $1 AND id = $2", [row.id]),
    saveRevision(queries, "library", library + row.count + 1),
  ]);
  return true;
}

export async function purgeThreads(
  queries: TransactionQueries,
  { library }: Revisions,
  ids: readonly string[],
): Promise<boolean> {
  const rows = await queries.all<ThreadRow>(
    `SELECT ${columns} FROM threads WHERE owner = $1 AND id = ANY($2::text[]) AND title IS NOT NULL ORDER BY array_position($2, id)`,
    [ids.map(escapeText)],
  );
  if (rows.length === 0) return false;
  let revision = library;
  const renewed = rows.map((row) => {
    const before = revision;
    revision += row.count + 1;
    return renewMessages(queries, row, before, ", given = NULL, speaker = NULL, session = NULL, blocks = NULL");
  });
  const purged = rows.map(({ id }) => id);
  await Promise.all([
    ...renewed,
    queries.run("DELETE FROM thread_references WHERE owner = $1 AND thread = ANY($2)", [purged]),
    queries.run(
      "UPDATE threads SET title = NULL, folded = NULL, deleted = coalesce(deleted, changed) WHERE owner = $1 AND id = ANY($2)",
      [purged],
    ),
    saveRevision(queries, "library", revision),
  ]);
  return true;
}

/**
 * A new revision for each of its messages, in order, so that indexes learn of the change; the one after them is the
 * thread's.
 */
function renewMessages(queries: TransactionQueries, row: ThreadRow, before: number, more = ""): Promise<number> {
  return queries.run(`UPDATE messages SET revision = $3 + place${more} WHERE owner = $1 AND thread = $2`, [
    row.id,
    before + 1 - row.first,
  ]);
}
