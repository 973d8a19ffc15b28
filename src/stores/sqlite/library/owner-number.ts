import { escapeText } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { ownerNumber } from "../records/read.ts";
import { ensureOwner } from "../records/write.ts";

/** An owner who has never written has no number and no data. */
export const findOwner = (database: Database, name: string): number | undefined =>
  ownerNumber(database, escapeText(name));

/** Requires a write transaction. */
export const makeOwner = (database: Database, name: string): number => ensureOwner(database, escapeText(name));

export type Counter = "library_revision" | "usage_revision";

export function revisionOf(database: Database, owner: string, counter: Counter): number {
  const row = database.get<{ revision: number }>(`SELECT ${counter} AS revision FROM owners WHERE name = ?`, [
    escapeText(owner),
  ]);
  return row?.revision ?? 0;
}

/** The first of a range of revisions, one for each change. Requires a write transaction. */
export function nextRevision(database: Database, owner: number, counter: Counter, count = 1): number {
  const sql = `UPDATE owners SET ${counter} = ${counter} + ? WHERE id = ? RETURNING ${counter} AS revision`;
  return database.get<{ revision: number }>(sql, [count, owner])!.revision - count + 1;
}
