import type { NewUsage, UsageEvent, UsageKind } from "../../library.ts";
import { atMost, escapedOrNull, escapeText, unescapeText } from "../../rules/stored-text.ts";
import type { Queries, TransactionQueries } from "../engine/session/session.ts";
import { type Revisions, saveRevision } from "../records/owner-rows.ts";
import { freshIds } from "./ids.ts";

/** Within a transaction that holds the owner's revisions. */
export async function recordUsage(
  queries: TransactionQueries,
  { usage }: Revisions,
  events: NewUsage[],
): Promise<UsageEvent[]> {
  const ids = await freshIds(queries, "usage", events.length);
  await Promise.all([
    queries.run(
      `INSERT INTO usage(owner, id, item, kind, context, at, number)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::double precision[], $7::bigint[])`,
      [
        ids,
        events.map(({ item }) => escapeText(item)),
        events.map(({ kind }) => kind),
        events.map(({ context }) => escapedOrNull(context)),
        events.map(({ at }) => at),
        events.map((_, i) => usage + i + 1),
      ],
    ),
    saveRevision(queries, "usage", usage + events.length),
  ]);
  return events.map(({ item, kind, context, at }, i) => ({
    id: ids[i]!,
    item,
    kind,
    ...(context !== undefined && { context }),
    at,
  }));
}

/** Within a transaction that holds the owner's revisions. */
export async function undoUsage(queries: TransactionQueries, { usage }: Revisions, ids: string[]): Promise<number> {
  const removed = await queries.run("DELETE FROM usage WHERE owner = $1 AND id = ANY($2)", [ids.map(escapeText)]);
  if (removed > 0) await saveRevision(queries, "usage", usage + removed);
  return removed;
}

type Row = { id: string; item: string; kind: UsageKind; context: string | null; at: number };

export async function readUsage(
  queries: Queries,
  items: string[],
  limit = Number.POSITIVE_INFINITY,
): Promise<Map<string, UsageEvent[]>> {
  const rows = await queries.all<Row>(
    `SELECT u.* FROM unnest($2::text[]) WITH ORDINALITY AS wanted(item, line) CROSS JOIN LATERAL (
       SELECT id, item, kind, context, at, number FROM usage WHERE owner = $1 AND item = wanted.item
       ORDER BY at DESC, number DESC LIMIT $3
     ) AS u ORDER BY line, at DESC, number DESC`,
    [[...new Set(items)].map(escapeText), atMost(limit)],
  );
  const usage = new Map<string, UsageEvent[]>();
  for (const { id, kind, context, at, ...row } of rows) {
    const item = unescapeText(row.item);
    const events = usage.get(item) ?? [];
    usage.set(item, events);
    events.push({ id, item, kind, ...(context !== null && { context: unescapeText(context) }), at });
  }
  return usage;
}
