import type { ContextReference, NewReference } from "../../library.ts";
import { asReference, type ReferenceRow, referencesOf } from "../../rules/reference-rows.ts";
import { escapeText } from "../../rules/stored-text.ts";
import { lastPlace } from "../../rules/thread-rows.ts";
import type { Database } from "../engine/driver.ts";
import { readSegments } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";
import { findThread, needThread } from "./threads.ts";

const columns = "id, kind, target, source, priority, added";

/** Requires a write transaction of the caller. */
export function addReference(
  database: Database,
  owner: number | undefined,
  threadId: string,
  { kind, target, source, priority, at }: NewReference,
): ContextReference {
  const thread = needThread(database, owner, threadId);
  nextRevision(database, owner!, "library_revision");
  const row = database.get<ReferenceRow>(
    `INSERT INTO thread_references(owner, thread, id, kind, target, source, priority, added, place)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(owner, thread, kind, target) DO UPDATE SET source = excluded.source, priority = excluded.priority
     RETURNING ${columns}`,
    [
      owner!,
      thread.number,
      freshIds(database, "thread_references", owner!, 1)[0]!,
      kind,
      escapeText(target),
      source,
      priority,
      at,
      lastPlace(thread),
    ],
  )!;
  return asReference(row);
}

/** Requires a write transaction of the caller. */
export function removeReference(database: Database, owner: number, threadId: string, id: string): boolean {
  const thread = findThread(database, owner, threadId);
  if (!thread) return false;
  const removed = database.get(
    "DELETE FROM thread_references WHERE owner = ? AND id = ? AND thread = ? RETURNING number",
    [owner, escapeText(id), thread.number],
  );
  if (removed) nextRevision(database, owner, "library_revision");
  return removed !== undefined;
}

export function readReferences(database: Database, owner: number, threadId: string): ContextReference[] {
  const thread = findThread(database, owner, threadId);
  if (!thread) return [];
  const segments = readSegments(database, owner, thread.number);
  const rows = database.all<ReferenceRow & { thread: number; place: number }>(
    `SELECT ${columns}, thread, place FROM thread_references WHERE owner = ? AND thread IN (SELECT value FROM json_each(?))`,
    [owner, JSON.stringify(segments.map((segment) => segment.thread))],
  );
  return referencesOf(segments, rows);
}
