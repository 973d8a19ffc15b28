import type { PostgresSession } from "../engine/session/session.ts";

/**
 * Number of an owner's items, or notes, after which the server is told to collect statistics, and by how much they grow
 * until the next time.
 */
const enough = 500;
const growth = 10;
/** Limit of owners that are remembered as analysed. */
const mostRemembered = 10_000;

/** To be told of what was written; a failure leaves tables without statistics, which is slower and nothing else. */
export type FirstStatistics = (owner: string, kind: "items" | "notes", rows: number) => Promise<void>;

/**
 * Statistics for the planner: without them it takes a table for nearly empty and joins each row with each. Writing
 * files again was ten times slower, the ancestors of a note hundreds of times. Autovacuum runs only once a minute, so a
 * table that was never analysed is analysed with an owner's first items, and with the first notes. It is analysed again
 * when it has grown: plans of prepared statements are kept until then.
 */
export function firstStatistics(session: PostgresSession): FirstStatistics {
  const counts = new Map<string, { written: number; next: number }>();
  return async (owner, kind, rows) => {
    const key = `${kind} ${owner}`;
    const { written: before, next } = counts.get(key) ?? { written: 0, next: enough };
    const written = before + rows;
    if (counts.size >= mostRemembered) counts.clear();
    counts.set(key, { written, next: written < next ? next : written * growth });
    if (written < next) return;
    const tables = await session.shared.all<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND (c.reltuples < 0 AND pg_relation_size(c.oid) > 0
         OR pg_relation_size(c.oid) > 4 * greatest(c.relpages, 1) * current_setting('block_size')::bigint)`,
    );
    if (tables.length > 0) await session.shared.run(`ANALYZE ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
  };
}
