import type { StoreChange } from "../../store.ts";
import type { PostgresSession } from "../engine/session.ts";

/** So many items of an owner have come when the server is made to look at them. */
const enough = 500;
/** Owners that are remembered as counted. */
const mostRemembered = 10_000;

/**
 * Until the server has counted a table's rows it plans as if there were hardly any, and joins each with each: writing files again was ten
 * times slower. It counts by itself once a minute, so a table that it has never looked into is counted with an owner's first items.
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
