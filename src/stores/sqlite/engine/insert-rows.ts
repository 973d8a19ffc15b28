import type { Database, SqlValue } from "./driver.ts";

/** Rows per statement: in bulk a row costs down to a quarter of what it costs alone. */
const bulkSizes = [100, 10, 1];

/** Inserts rows of `width` consecutive values. Few sizes, so that few statements are prepared. */
export function insertRows(
  database: Database,
  into: string,
  width: number,
  values: SqlValue[],
  clash: "" | "OR REPLACE" = "",
): void {
  const row = `(${Array(width).fill("?").join(", ")})`;
  let from = 0;
  for (const size of bulkSizes) {
    const sql = `INSERT ${clash} INTO ${into} VALUES ${Array(size).fill(row).join(", ")}`;
    for (const length = size * width; values.length - from >= length; from += length) {
      database.run(sql, values.slice(from, from + length));
    }
  }
}
