import { drawIds, type LibraryTable, type RandomBytes } from "../../rules/ids.ts";
import type { Database } from "../engine/driver.ts";

/** As many ids that the owner has not. Within a write transaction, so that nobody takes one meanwhile. */
export function freshIds(
  database: Database,
  table: LibraryTable,
  owner: number,
  count: number,
  random?: RandomBytes,
): string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    const drawn = drawIds(table, count - ids.size, random);
    const taken = database.all<{ id: string }>(
      `SELECT id FROM ${table} WHERE owner = ? AND id IN (SELECT value FROM json_each(?))`,
      [owner, JSON.stringify([...drawn])],
    );
    for (const { id } of taken) drawn.delete(id);
    for (const id of drawn) ids.add(id);
  }
  return [...ids];
}
