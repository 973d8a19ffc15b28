import type { Database, SqlValue } from "../engine/driver.ts";

/** The key of the note that a row of `graph_keys` means, as SQL. */
export const meant = (row: string) => `iif(${row}.note IS NULL, ${row}.alias, ${row}.id)`;

/** All rows of a statement that answers with one JSON list: handing rows over one by one costs more than reading them. */
export function rowsOf<Row>(database: Database, sql: string, values: SqlValue[]): Row[] {
  const { rows } = database.get<{ rows: string | null }>(sql, values)!;
  return rows === null ? [] : (JSON.parse(rows) as Row[]);
}
