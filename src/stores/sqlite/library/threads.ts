import { DossierError } from "../../../errors.ts";
import { foldName } from "../../graph.ts";
import type { NewThread, ThreadInfo, ThreadQuery } from "../../library.ts";
import { atMost, given, kept } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { lastShared, sharedUpTo } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

export type ThreadRow = {
  number: number;
  id: string;
  title: string | null;
  parent: string | null;
  branched: string | null;
  first: number;
  count: number;
  created: number;
  changed: number;
  deleted: number | null;
};
const columns = `threads.number AS number, threads.id AS id, threads.title AS title, parents.id AS parent,
  threads.branched AS branched, threads.first AS first, threads.count AS count,
  threads.created AS created, threads.changed AS changed, threads.deleted AS deleted`;

function select(database: Database, owner: number, condition: string, values: SqlValue[]): ThreadRow[] {
  return database.all<ThreadRow>(
    `SELECT ${columns} FROM threads LEFT JOIN threads AS parents ON parents.number = threads.parent
     WHERE threads.owner = ? AND ${condition}`,
    [owner, ...values],
  );
}

function asThread(row: ThreadRow): ThreadInfo {
  return {
    id: row.id,
    title: given(row.title ?? ""),
    ...(row.parent !== null && { parent: row.parent }),
    ...(row.branched !== null && { branchedAt: row.branched }),
    created: row.created,
    changed: row.changed,
    messages: row.first + row.count - 1,
    ...(row.deleted !== null && { deleted: row.deleted }),
  };
}

/** Purged ones have no title and are never found. */
export function findThread(database: Database, owner: number, id: string, deleted = false): ThreadRow | undefined {
  const condition = `threads.id = ? AND threads.${deleted ? "title IS NOT NULL" : "deleted IS NULL"}`;
  return select(database, owner, condition, [kept(id)])[0];
}

/** Throws `not-found` for an unknown or deleted one. */
export function livingThread(database: Database, owner: number | undefined, id: string): ThreadRow {
  const row = owner === undefined ? undefined : findThread(database, owner, id);
  if (!row) throw new DossierError("not-found", `There is no thread ${id}.`);
  return row;
}

export function readThread(database: Database, owner: number, id: string, deleted: boolean): ThreadInfo | undefined {
  const row = findThread(database, owner, id, deleted);
  return row && asThread(row);
}

export function listThreads(
  database: Database,
  owner: number,
  { query = "", deleted, after, limit, offset = 0 }: ThreadQuery,
): { threads: ThreadInfo[]; total: number } {
  const parts = [deleted ? "threads.deleted IS NOT NULL AND threads.title IS NOT NULL" : "threads.deleted IS NULL"];
  const part = foldName(query);
  if (part !== "") parts.push("instr(threads.folded, ?) > 0");
  const values = part === "" ? [] : [kept(part)];
  const condition = parts.join(" AND ");
  const { total } = database.get<{ total: number }>(
    `SELECT count(*) AS total FROM threads WHERE owner = ? AND ${condition}`,
    [owner, ...values],
  )!;
  // In two parts, so that the first is found in the index.
  const further = after ? " AND threads.changed <= ? AND (threads.changed < ? OR threads.id > ?)" : "";
  const place = after ? [after.changed, after.changed, kept(after.id)] : [];
  const page = `${condition}${further} ORDER BY threads.changed DESC, threads.id LIMIT ? OFFSET ?`;
  const rows = select(database, owner, page, [...values, ...place, atMost(limit), atMost(offset)]);
  return { threads: rows.map(asThread), total };
}

// The rest runs within a write transaction of the caller.

export function createThread(database: Database, owner: number, thread: NewThread): ThreadInfo {
  const parent = thread.parent === undefined ? undefined : livingThread(database, owner, thread.parent);
  let shared = 0;
  let branched: string | null = null;
  if (parent) {
    const last =
      thread.branchedAt === undefined
        ? lastShared(database, owner, parent)
        : sharedUpTo(database, owner, parent, thread.branchedAt);
    shared = last.place;
    branched = last.id;
  } else if (thread.branchedAt !== undefined) {
    throw new DossierError("bad-input", "A thread that branches off at a message needs the thread it branches off.");
  }
  const id = freshIds(database, "threads", owner, 1)[0]!;
  nextRevision(database, owner, "library_revision");
  database.run(
    `INSERT INTO threads(owner, id, title, folded, parent, branched, first, count, created, changed)
     VALUES(?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    [
      owner,
      id,
      kept(thread.title),
      kept(foldName(thread.title)),
      parent?.number ?? null,
      branched,
      shared + 1,
      thread.at,
      thread.at,
    ],
  );
  return readThread(database, owner, id, false)!;
}

export function changeThread(
  database: Database,
  owner: number | undefined,
  id: string,
  { title, at }: { title?: string; at: number },
): ThreadInfo {
  const row = livingThread(database, owner, id);
  nextRevision(database, owner!, "library_revision");
  const named = title === undefined ? [row.title, null] : [kept(title), kept(foldName(title))];
  database.run(
    "UPDATE threads SET title = ?, folded = coalesce(?, folded), changed = max(changed, ?) WHERE number = ?",
    [...named, at, row.number],
  );
  return readThread(database, owner!, id, false)!;
}

export function removeThread(database: Database, owner: number, id: string, at: number): boolean {
  const row = findThread(database, owner, id);
  if (!row) return false;
  renewMessages(database, owner, row, "");
  database.run("UPDATE threads SET deleted = ? WHERE number = ?", [at, row.number]);
  return true;
}

export function restoreThread(database: Database, owner: number, id: string): boolean {
  const row = findThread(database, owner, id, true);
  if (!row || row.deleted === null) return false;
  renewMessages(database, owner, row, "");
  database.run("UPDATE threads SET deleted = NULL WHERE number = ?", [row.number]);
  return true;
}

export function purgeThread(database: Database, owner: number, id: string): boolean {
  const row = findThread(database, owner, id, true);
  if (!row) return false;
  renewMessages(database, owner, row, ", given = NULL, speaker = NULL, session = NULL, blocks = NULL");
  database.run("DELETE FROM thread_references WHERE owner = ? AND thread = ?", [owner, row.number]);
  database.run(
    "UPDATE threads SET title = NULL, folded = NULL, deleted = coalesce(deleted, changed) WHERE number = ?",
    [row.number],
  );
  return true;
}

/** A new revision for each of its messages, in their order, so that indexes learn what became of them; and one for the thread. */
function renewMessages(database: Database, owner: number, row: ThreadRow, more: string): void {
  const revision = nextRevision(database, owner, "library_revision", row.count + 1);
  database.run(`UPDATE messages SET revision = ? + place${more} WHERE owner = ? AND thread = ?`, [
    revision - row.first,
    owner,
    row.number,
  ]);
}
