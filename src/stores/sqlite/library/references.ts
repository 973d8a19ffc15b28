import type { ContextReference, NewReference, ReferenceSource } from "../../library.ts";
import { given, kept } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { segmentsOf } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";
import { findThread, livingThread } from "./threads.ts";

type ReferenceRow = {
  id: string;
  kind: NewReference["kind"];
  target: string;
  source: ReferenceSource;
  priority: number;
  added: number;
};
const columns = "id, kind, target, source, priority, added";

const asReference = (row: ReferenceRow): ContextReference => ({ ...row, target: given(row.target) });

/** Within a write transaction of the caller. */
export function addReference(
  database: Database,
  owner: number | undefined,
  threadId: string,
  { kind, target, source, priority, at }: NewReference,
): ContextReference {
  const thread = livingThread(database, owner, threadId);
  nextRevision(database, owner!, "library_revision");
  // `place` is how far the thread was: a branch that begins before does not inherit it.
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
      kept(target),
      source,
      priority,
      at,
      thread.first + thread.count - 1,
    ],
  )!;
  return asReference(row);
}

/** Within a write transaction of the caller. */
export function removeReference(database: Database, owner: number, threadId: string, id: string): boolean {
  const thread = findThread(database, owner, threadId);
  if (!thread) return false;
  const gone = database.get(
    "DELETE FROM thread_references WHERE owner = ? AND id = ? AND thread = ? RETURNING number",
    [owner, kept(id), thread.number],
  );
  if (gone) nextRevision(database, owner, "library_revision");
  return gone !== undefined;
}

export function readReferences(database: Database, owner: number, threadId: string): ContextReference[] {
  const thread = findThread(database, owner, threadId);
  if (!thread) return [];
  const found = new Map<string, ContextReference>();
  let shared = Number.MAX_SAFE_INTEGER;
  for (const segment of segmentsOf(database, owner, thread.number)) {
    if (!segment.deleted) {
      const rows = database.all<ReferenceRow>(
        `SELECT ${columns} FROM thread_references WHERE owner = ? AND thread = ? AND place <= ?`,
        [owner, segment.thread, shared],
      );
      for (const row of rows) {
        const key = JSON.stringify([row.kind, row.target]);
        const inherited = segment.thread === thread.number ? {} : { source: "inherited" as const };
        // What the branch or a nearer parent says of the same target counts.
        if (!found.has(key)) found.set(key, { ...asReference(row), ...inherited });
      }
    }
    shared = Math.min(shared, segment.first - 1);
  }
  return [...found.values()].sort((a, b) => b.priority - a.priority || a.added - b.added || (a.id < b.id ? -1 : 1));
}
