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
import type { Database, SqlValue } from "../engine/driver.ts";
import { lastVisible, sharedUpTo } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

type NumberedThread = ThreadRow & { number: number };
const columns = `threads.number AS number, threads.id AS id, threads.title AS title, parents.id AS parent,
  threads.branched AS branched, threads.first AS first, threads.count AS count,
  threads.created AS created, threads.changed AS changed, threads.deleted AS deleted`;

function select(database: Database, owner: number, condition: string, values: SqlValue[]): NumberedThread[] {
  return database.all<NumberedThread>(
    `SELECT ${columns} FROM threads LEFT JOIN threads AS parents ON parents.number = threads.parent
     WHERE threads.owner = ? AND ${condition}`,
    [owner, ...values],
  );
}

/** Finds a thread. Purged threads have no title and are never found. */
export function findThread(database: Database, owner: number, id: string, deleted = false): NumberedThread | undefined {
  const condition = `threads.id = ? AND threads.${deleted ? "title IS NOT NULL" : "deleted IS NULL"}`;
  return select(database, owner, condition, [escapeText(id)])[0];
}

/** Finds a thread; throws `not-found` if it is unknown or deleted. */
export function needThread(database: Database, owner: number | undefined, id: string): NumberedThread {
  return livingThread(owner === undefined ? undefined : findThread(database, owner, id), id);
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
  const values = part === "" ? [] : [escapeText(part)];
  const condition = parts.join(" AND ");
  const { total } = database.get<{ total: number }>(
    `SELECT count(*) AS total FROM threads WHERE owner = ? AND ${condition}`,
    [owner, ...values],
  )!;
  // The condition has two parts, so that the index finds the first.
  const further = after ? " AND threads.changed <= ? AND (threads.changed < ? OR threads.id > ?)" : "";
  const place = after ? [after.changed, after.changed, escapeText(after.id)] : [];
  const page = `${condition}${further} ORDER BY threads.changed DESC, threads.id LIMIT ? OFFSET ?`;
  const rows = select(database, owner, page, [...values, ...place, atMost(limit), atMost(offset)]);
  return { threads: rows.map(asThread), total };
}

// The functions below run within a write transaction of the caller.

export function createThread(database: Database, owner: number, thread: NewThread): ThreadInfo {
  const parent = thread.parent === undefined ? undefined : needThread(database, owner, thread.parent);
  refuseBranchOfNothing(thread);
  let shared = 0;
  let branched: string | null = null;
  if (parent && thread.branchedAt === undefined) {
    shared = lastPlace(parent);
    branched = lastVisible(database, owner, parent.number);
  } else if (parent) {
    ({ place: shared, id: branched } = sharedUpTo(database, owner, parent, thread.branchedAt!));
  }
  const { title, folded } = titleColumns(thread.title);
  const id = freshIds(database, "threads", owner, 1)[0]!;
  nextRevision(database, owner, "library_revision");
  database.run(
    `INSERT INTO threads(owner, id, title, folded, parent, branched, first, count, created, changed)
     VALUES(?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    [owner, id, title, folded, parent?.number ?? null, branched, shared + 1, thread.at, thread.at],
  );
  return readThread(database, owner, id, false)!;
}

export function changeThread(
  database: Database,
  owner: number | undefined,
  id: string,
  { title, at }: { title?: string; at: number },
): ThreadInfo {
  const row = needThread(database, owner, id);
  nextRevision(database, owner!, "library_revision");
  const titled = title === undefined ? { title: row.title, folded: null } : titleColumns(title);
  database.run(
    "UPDATE threads SET title = ?, folded = coalesce(?, folded), changed = max(changed, ?) WHERE number = ?",
    [titled.title, titled.folded, at, row.number],
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

/**
 * Assigns a new revision to each message of a thread, in order, so that indexes notice the change; and one to the
 * thread.
 */
function renewMessages(database: Database, owner: number, row: NumberedThread, more: string): void {
  const revision = nextRevision(database, owner, "library_revision", row.count + 1);
  database.run(`UPDATE messages SET revision = ? + place${more} WHERE owner = ? AND thread = ?`, [
    revision - row.first,
    owner,
    row.number,
  ]);
}
