import { drawIds, type LibraryTable } from "../../rules/ids.ts";
import type { TransactionQueries } from "../engine/session/session.ts";

/** This many unused ids. Within a transaction that holds the owner's revisions, so that nobody takes one meanwhile. */
export async function freshIds(queries: TransactionQueries, table: LibraryTable, count: number): Promise<string[]> {
  const ids = new Set<string>();
  while (ids.size < count) {
    const candidates = drawIds(table, count - ids.size);
    const sql = `SELECT id FROM ${table} WHERE owner = $1 AND id = ANY($2)`;
    for (const { id } of await queries.all<{ id: string }>(sql, [[...candidates]])) candidates.delete(id);
    for (const id of candidates) ids.add(id);
  }
  return [...ids];
}
