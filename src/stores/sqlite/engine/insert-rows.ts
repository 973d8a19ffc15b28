import type { Database, SqlValue } from "./driver.ts";

/**
 * Rows per statement: a row in a large batch costs as little as a quarter of a single one. There are few sizes, so that
 * few statements are prepared.
 */
const bulkSizes = [100, 25, 5, 1];

/** What happens to a row whose key exists already; an empty string makes it an error. */
type Clash = "" | "OR REPLACE" | "OR IGNORE";

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
  clash: Clash = "",
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

/** Rows of several tables to insert later, grouped by table: most files have too few rows for a large statement. */
export class GatheredRows {
  readonly #tables = new Map<string, { into: string; width: number; clash: Clash; values: SqlValue[] }>();

  add(into: string, width: number, values: SqlValue[], clash: Clash = ""): void {
    const key = `${clash} ${into}`;
    const table = this.#tables.get(key);
    if (!table) this.#tables.set(key, { into, width, clash, values });
    else for (const value of values) table.values.push(value);
  }

  insert(database: Database): void {
    for (const { into, width, clash, values } of this.#tables.values())
      insertRows(database, into, width, values, clash);
    this.#tables.clear();
  }
}
