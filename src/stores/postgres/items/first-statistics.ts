import type { StoreChange } from "../../store.ts";
import type { PostgresSession } from "../engine/session.ts";

/** Number of an owner's items after which the server is told to collect statistics. */
const enough = 500;
/** Limit of owners that are remembered as analysed. */
const mostRemembered = 10_000;

/**
 * Until the server has statistics of a table it plans as if it were nearly empty, and joins each row with each: writing files again was
 * ten times slower. Autovacuum runs once a minute, so a table that was never analysed is analysed with an owner's first items.
 */
export function firstStatistics(session: PostgresSession): (owner: string, change: StoreChange) => Promise<void> {
  const counts = new Map<string, number>();
  return async (owner, { files }) => {
    const before = counts.get(owner) ?? 0;
    if (before >= enough) return;
    if (counts.size >= mostRemembered) counts.clear();
    const now = files.reduce((sum, { items }) => sum + items.length, before);
    counts.set(owner, now);
    if (now < enough) return;
    const tables = await session.shared.all<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND c.reltuples < 0 AND pg_relation_size(c.oid) > 0`,
    );
    if (tables.length > 0) await session.shared.run(`ANALYZE ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
  };
}
