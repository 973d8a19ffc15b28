import type { Database, SqlValue } from "../engine/driver.ts";

/** The key of the note that a row of `graph_keys` resolves to, as SQL. */
export const resolvedKey = (row: string) => `iif(${row}.note IS NULL, ${row}.alias, ${row}.id)`;

/** All rows of a statement that returns one JSON list: passing rows singly costs more than reading them. */
export function rowsOf<Row>(database: Database, sql: string, values: SqlValue[]): Row[] {
  const { rows } = database.get<{ rows: string | null }>(sql, values)!;
  return rows === null ? [] : (JSON.parse(rows) as Row[]);
}
