import type { Database, SqlValue } from "./driver.ts";

/** Rows per statement: in bulk a row costs down to a quarter of what it costs alone. Few sizes, so that few statements are prepared. */
const bulkSizes = [100, 25, 5, 1];

const statements = new Map<string, string[]>();

/** The statements for one table, one for each size. */
function statementsFor(into: string, width: number, clash: string): string[] {
  const key = `${clash} ${width} ${into}`;
  let texts = statements.get(key);
  if (!texts) {
    const row = `(${Array(width).fill("?").join(", ")})`;
    texts = bulkSizes.map((size) => `INSERT ${clash} INTO ${into} VALUES ${Array(size).fill(row).join(", ")}`);
    statements.set(key, texts);
  }
  return texts;
}

/** Inserts rows of `width` consecutive values. */
export function insertRows(
  database: Database,
  into: string,
  width: number,
  values: SqlValue[],
  clash: "" | "OR REPLACE" | "OR IGNORE" = "",
): void {
  if (values.length === 0) return;
  const texts = statementsFor(into, width, clash);
  let from = 0;
  bulkSizes.forEach((size, index) => {
    for (const length = size * width; values.length - from >= length; from += length) {
      database.run(texts[index]!, values.slice(from, from + length));
    }
  });
}
