import type { Database, SqlValue } from "./driver.ts";

/** Rows handed over at once: the more, the less each costs, down to a quarter of what it costs alone. */
const bulkSizes = [100, 10, 1];

/** Inserts rows of `width` values that come one after the other. Sizes are few, so that few statements are prepared. */
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
