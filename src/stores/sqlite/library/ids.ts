import { drawIds, type LibraryTable, type RandomBytes } from "../../rules/ids.ts";
import type { Database } from "../engine/driver.ts";

/** This many unused ids. Requires a write transaction, so that no other process takes one meanwhile. */
export function freshIds(
  database: Database,
  table: LibraryTable,
  owner: number,
  count: number,
  random?: RandomBytes,
): string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    const candidates = drawIds(table, count - ids.size, random);
    const taken = database.all<{ id: string }>(
      `SELECT id FROM ${table} WHERE owner = ? AND id IN (SELECT value FROM json_each(?))`,
      [owner, JSON.stringify([...candidates])],
    );
    for (const { id } of taken) candidates.delete(id);
    for (const id of candidates) ids.add(id);
  }
  return [...ids];
}
