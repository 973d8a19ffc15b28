import { hashTerm } from "../../../text/hash.ts";
import { foldName } from "../../graph.ts";
import { linkCodes } from "../../links/link-codes.ts";
import type { Database, SqlValue } from "../engine/driver.ts";

/** Relations as they are stored: a child says who its parent is, so both directions of that are one. */
export const relationCodes = { child: linkCodes.child, reference: linkCodes.reference, field: linkCodes.field };

/**
 * Keys, origins and sheets come back exactly as they were: a new reading is compared with them. NUL and lone surrogates do not survive in
 * SQLite's text, so what has one is stored as JSON, and so is what could be taken for that.
 */
export function exactly(text: string): string {
  return /^"|[\0\ud800-\udfff]/u.test(text) ? JSON.stringify(text) : text;
}

export function original(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}

/** The beginning of an item id as a number: numbers are in the order of the ids, and 43 bits tell the notes around one note apart. */
export function markOf(item: string): number {
  return Number.parseInt(item.slice(4, 13), 36);
}

/** A limit that SQLite takes: a caller may want all there is, or nothing. */
export function atMost(limit: number): number {
  return Math.floor(Math.min(Math.max(0, limit), 1e9)) || 0;
}

/** The key of the note that a row of `graph_keys` means, as SQL. */
export const meant = (row: string) => `iif(${row}.note IS NULL, ${row}.alias, ${row}.id)`;

/** What an owner's notes of this name are found by, however long it is; null for an empty one. Other names may share it. */
export function nameHash(owner: number, name: string): number | null {
  const folded = foldName(name);
  return folded === "" ? null : hashTerm(`${owner} ${folded}`);
}

/** All rows of a statement that answers with one JSON list: handing rows over one by one costs more than reading them. */
export function rowsOf<Row>(database: Database, sql: string, values: SqlValue[]): Row[] {
  const { rows } = database.get<{ rows: string | null }>(sql, values)!;
  return rows === null ? [] : (JSON.parse(rows) as Row[]);
}
