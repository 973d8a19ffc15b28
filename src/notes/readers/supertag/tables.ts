import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../../errors.ts";
import type { Database } from "../../../stores/sqlite/engine/driver.ts";

/** Tables of supertag-cli's index with the columns that are read; older versions have fewer of both. */
export const tables = {
  nodes: ["id", "name", "parent_id", "node_type", "created", "updated", "done_at", "raw_data"],
  tag_applications: ["data_node_id", "tag_id", "tag_name"],
  supertag_parents: ["child_tag_id", "parent_tag_id"],
  supertag_fields: ["field_name", "inferred_data_type"],
  field_values: ["tuple_id", "parent_id", "field_name", "value_node_id", "value_text"],
  references: ["from_node", "to_node", "reference_type"],
} as const;

export type SupertagTable = keyof typeof tables;
/** Empty strings for missing columns. */
export type Row<Name extends SupertagTable> = Record<(typeof tables)[Name][number], string>;

/** Required columns of each table. */
const needed: Record<SupertagTable, readonly string[]> = {
  nodes: ["id", "name"],
  tag_applications: ["data_node_id", "tag_id"],
  supertag_parents: ["child_tag_id", "parent_tag_id"],
  supertag_fields: ["field_name", "inferred_data_type"],
  field_values: ["parent_id", "field_name", "value_text"],
  references: ["from_node", "to_node"],
};

const rowsAtOnce = 1000;
/** Limit of characters per value: a node with a hundred thousand children has two million. */
const longestValue = 4_000_000;

/** The existing columns of a table; none where the table is missing, virtual, or lacks a required column. */
export function columnsOf(database: Database, table: SupertagTable): string[] {
  const { plain } = database.get<{ plain: number }>(
    "SELECT count(*) AS plain FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'",
    [table],
  )!;
  if (plain === 0) return [];
  const rows = database.all<{ name: Uint8Array }>("SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?)", [
    table,
  ]);
  const present = new Set(rows.map(({ name }) => decoder.decode(name)));
  const columns = tables[table].filter((column) => present.has(column));
  return needed[table].every((column) => present.has(column)) ? columns : [];
}

/** Separators of values and of rows: they mean nothing in a text, and JSON cannot contain them. */
const valueEnd = "\u001f";
const rowEnd = "\u001e";

/**
 * All rows of a table, page after page. A page is read as the bytes of one text: libsql ends the whole process at text
 * that is not UTF-8, `node:sqlite` throws at integers that are no numbers in JavaScript, and both take longer for a row
 * than SQLite does.
 */
export async function* pagesOf<Name extends SupertagTable>(
  database: Database,
  table: Name,
  columns: readonly string[],
): AsyncGenerator<Row<Name>[]> {
  const names: readonly string[] = tables[table];
  const values = names.map((column) => (columns.includes(column) ? textOf(column) : "''"));
  const sql = `SELECT CAST(max(number) AS REAL) AS last, count(*) AS rows, CAST(group_concat(text, char(30)) AS BLOB) AS bytes
    FROM (SELECT rowid AS number, ${values.join(" || char(31) || ")} AS text FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ?)`;
  let most = rowsAtOnce;
  for (let last = -(2 ** 53); ; ) {
    const page = attempt(() => database.get<Page>(sql, [last, most]), most === 1);
    if (!page) {
      most = 1;
      continue;
    }
    if (page.rows === 0) return;
    yield decoder
      .decode(page.bytes)
      .split(rowEnd)
      .map((text) => rowOf<Name>(names, text));
    if (page.rows < most) return;
    last = page.last;
    await nextTurn();
  }
}

type Page = { last: number; rows: number; bytes: Uint8Array };

/**
 * Rows that are too large for one text may fit one by one: undefined for a page that cannot be read, unless it is a
 * single row.
 */
function attempt(read: () => Page | undefined, isLast: boolean): Page | undefined {
  try {
    return read();
  } catch (error) {
    if (isLast || error instanceof DossierError) throw error;
    return undefined;
  }
}

function rowOf<Name extends SupertagTable>(names: readonly string[], text: string): Row<Name> {
  const parts = text.split(valueEnd);
  const row: Record<string, string> = {};
  for (let at = 0; at < names.length; at++) row[names[at]!] = parts[at] ?? "";
  return row as Row<Name>;
}

/** Does nothing for a missing table. */
export async function forEachRow<Name extends SupertagTable>(
  database: Database,
  table: Name,
  columns: readonly string[],
  visit: (row: Row<Name>) => void,
): Promise<void> {
  if (columns.length === 0) return;
  for await (const page of pagesOf(database, table, columns)) for (const row of page) visit(row);
}

function textOf(column: string): string {
  const clean = `replace(replace("${column}", char(31), ' '), char(30), ' ')`;
  return `CASE WHEN length("${column}") <= ${longestValue} THEN ${clean} ELSE '' END`;
}

const decoder = new TextDecoder();
