import type { PostgresSession } from "../engine/session.ts";

/** Number of an owner's items, or notes, after which the server is told to collect statistics. */
const enough = 500;
/** Limit of owners that are remembered as analysed. */
const mostRemembered = 10_000;

/** To be told of what was written; a failure leaves tables without statistics, which is slower and nothing else. */
export type FirstStatistics = (owner: string, kind: "items" | "notes", rows: number) => Promise<void>;

/**
 * Until the server has statistics of a table it plans as if it were nearly empty, and joins each row with each: writing files again was
 * ten times slower, the ancestors of a note hundreds of times. Autovacuum runs once a minute, so a table that was never analysed is
 * analysed with an owner's first items, and with the first notes.
 */
export function firstStatistics(session: PostgresSession): FirstStatistics {
  const counts = new Map<string, number>();
  return async (owner, kind, rows) => {
    const key = `${kind} ${owner}`;
    const before = counts.get(key) ?? 0;
    if (before >= enough) return;
    if (counts.size >= mostRemembered) counts.clear();
    counts.set(key, before + rows);
    if (before + rows < enough) return;
    const tables = await session.shared.all<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND c.reltuples < 0 AND pg_relation_size(c.oid) > 0`,
    );
    if (tables.length > 0) await session.shared.run(`ANALYZE ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
  };
}
