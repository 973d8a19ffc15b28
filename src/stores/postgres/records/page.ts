import type { Queries } from "../engine/session/session.ts";

/**
 * A list query: rows that meet the condition are counted, those that also meet `further` are read, page by page. All
 * but $1, the owner, is in `values`.
 */
export type PageQuery = {
  columns: string;
  table: string;
  condition: string;
  further?: string | undefined;
  order: string;
  limit: string;
  offset: string;
  values: readonly unknown[];
};

/** A page and the exact total, in one statement, so that both are of one moment. */
export async function readPage<Row extends { id: string }>(
  queries: Queries,
  { columns, table, condition, further = "true", order, limit, offset, values }: PageQuery,
): Promise<{ rows: Row[]; total: number }> {
  const rows = await queries.all<Row & { line: number | null; total: number }>(
    `WITH page AS (
       SELECT row_number() OVER (ORDER BY ${order}) AS line, ${columns} FROM ${table} WHERE ${condition} AND ${further}
       ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
     )
     SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM ${table} WHERE ${condition}) AS counted
     LEFT JOIN page ON true ORDER BY line`,
    values,
  );
  return { rows: rows.filter(({ line }) => line !== null), total: rows[0]?.total ?? 0 };
}
