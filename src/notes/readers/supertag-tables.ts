import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../stores/sqlite/driver.ts";

/** Tables of supertag-cli's index with the columns that are read; older versions have fewer of both. */
export const tables = {
  nodes: ["id", "name", "parent_id", "node_type", "created", "updated", "done_at", "raw_data"],
  tag_applications: ["data_node_id", "tag_id", "tag_name"],
  supertag_parents: ["child_tag_id", "parent_tag_id"],
  supertag_fields: ["field_name", "inferred_data_type"],
  field_values: ["tuple_id", "parent_id", "field_name", "value_node_id", "value_text"],
  references: ["from_node", "to_node", "reference_type"],
} as const;

export type Table = keyof typeof tables;
export type Row<Name extends Table> = Record<(typeof tables)[Name][number], string | number | undefined>;

/** Columns that a table cannot do without. */
const needed: Record<Table, readonly string[]> = {
  nodes: ["id", "name"],
  tag_applications: ["data_node_id", "tag_id"],
  supertag_parents: ["child_tag_id", "parent_tag_id"],
  supertag_fields: ["field_name", "inferred_data_type"],
  field_values: ["parent_id", "field_name", "value_text"],
  references: ["from_node", "to_node"],
};

const rowsAtOnce = 1000;
/** Characters of one value: a node with a hundred thousand children has two million. */
const longestValue = 16_000_000;

/** Columns of a table that are there, or none where the table is not, or is no plain table, or lacks what it cannot do without. */
export function columnsOf(database: Database, table: Table): string[] {
  const { plain } = database.get<{ plain: number }>(
    "SELECT count(*) AS plain FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'",
    [table],
  )!;
  if (plain === 0) return [];
  const rows = database.all<{ name: Uint8Array }>("SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?)", [
    table,
  ]);
  const present = new Set(rows.map(({ name }) => decoder.decode(name)));
  const found = tables[table].filter((column) => present.has(column));
  return needed[table].every((column) => present.has(column)) ? found : [];
}

/**
 * All rows of a table, page after page. Text is read as bytes: libsql ends the whole process at text that is not UTF-8, and `node:sqlite`
 * throws at integers that are no numbers in JavaScript.
 */
export async function* rowsOf<Name extends Table>(
  database: Database,
  table: Name,
  columns: readonly string[],
): AsyncGenerator<Row<Name>> {
  const chosen = tables[table].map((column) => (columns.includes(column) ? selected(column) : `NULL AS ${column}`));
  const sql = `SELECT CAST(rowid AS REAL) AS "row", ${chosen.join(", ")} FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`;
  for (let last = -(2 ** 53); ; ) {
    const page = database.all<Record<string, number | Uint8Array | null>>(sql, [last]);
    for (const row of page)
      yield Object.fromEntries(tables[table].map((column) => [column, plain(row[column])])) as Row<Name>;
    if (page.length < rowsAtOnce) return;
    last = page.at(-1)!.row as number;
    await nextTurn();
  }
}

function selected(column: string): string {
  return `CASE typeof("${column}") WHEN 'text' THEN CASE WHEN length("${column}") <= ${longestValue} THEN CAST("${column}" AS BLOB) END
    WHEN 'integer' THEN CAST("${column}" AS REAL) WHEN 'real' THEN "${column}" END AS "${column}"`;
}

const decoder = new TextDecoder();

function plain(value: number | Uint8Array | null | undefined): string | number | undefined {
  if (value instanceof Uint8Array) return decoder.decode(value);
  return value ?? undefined;
}
