import type { ContextReference, NewReference } from "../../library.ts";
import { asReference, type ReferenceRow, referencesOf } from "../../rules/reference-rows.ts";
import { escapeText } from "../../rules/stored-text.ts";
import { lastPlace } from "../../rules/thread-rows.ts";
import type { Queries, TransactionQueries } from "../engine/session/session.ts";
import { type Revisions, saveRevision } from "../records/owner-rows.ts";
import { readSegments } from "./branches.ts";
import { freshIds } from "./ids.ts";
import { needThread } from "./threads.ts";

const columns = "id, kind, target, source, priority, added";

/** Within a transaction that holds the owner's revisions. */
export async function addReference(
  queries: TransactionQueries,
  { library }: Revisions,
  threadId: string,
  { kind, target, source, priority, at }: NewReference,
): Promise<ContextReference> {
  const [thread, [id]] = await Promise.all([needThread(queries, threadId), freshIds(queries, "thread_references", 1)]);
  const [row] = await Promise.all([
    queries.get<ReferenceRow>(
      `INSERT INTO thread_references(owner, thread, id, kind, target, source, priority, added, place)
       VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (owner, thread, kind, target) DO UPDATE SET source = excluded.source, priority = excluded.priority
       RETURNING ${columns}`,
      [thread.id, id, kind, escapeText(target), source, priority, at, lastPlace(thread)],
    ),
    saveRevision(queries, "library", library + 1),
  ]);
  return asReference(row!);
}

/** Within a transaction that holds the owner's revisions. */
export async function removeReference(
  queries: TransactionQueries,
  { library }: Revisions,
  thread: string,
  id: string,
): Promise<boolean> {
  const removed = await queries.run(
    `DELETE FROM thread_references AS r USING threads AS t
     WHERE r.owner = $1 AND r.thread = $2 AND r.id = $3 AND t.owner = r.owner AND t.id = r.thread AND t.deleted IS NULL`,
    [escapeText(thread), escapeText(id)],
  );
  if (removed > 0) await saveRevision(queries, "library", library + 1);
  return removed > 0;
}

export async function readReferences(queries: Queries, thread: string): Promise<ContextReference[]> {
  const segments = await readSegments(queries, thread);
  if (segments.length === 0) return [];
  const rows = await queries.all<ReferenceRow & { thread: string; place: number }>(
    `SELECT ${columns}, thread, place FROM thread_references WHERE owner = $1 AND thread = ANY($2)`,
    [segments.map((segment) => segment.thread)],
  );
  return referencesOf(segments, rows);
}
