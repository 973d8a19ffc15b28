import type { NewUsage, UsageEvent, UsageKind } from "../../library.ts";
import { atMost, escapedList, escapedOrNull, escapeText, unescapeText } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { freshIds } from "./ids.ts";
import { nextRevision } from "./owner-number.ts";

/** Requires a write transaction of the caller. */
export function recordUsage(database: Database, owner: number, events: NewUsage[]): UsageEvent[] {
  const ids = freshIds(database, "usage", owner, events.length);
  nextRevision(database, owner, "usage_revision", events.length);
  return events.map(({ item, kind, context, at }, i) => {
    const id = ids[i]!;
    database.run("INSERT INTO usage(owner, id, item, kind, context, at) VALUES(?, ?, ?, ?, ?, ?)", [
      owner,
      id,
      escapeText(item),
      kind,
      escapedOrNull(context),
      at,
    ]);
    return { id, item, kind, ...(context !== undefined && { context }), at };
  });
}

/** Requires a write transaction of the caller. */
export function undoUsage(database: Database, owner: number, ids: string[]): number {
  const removed = database.all(
    "DELETE FROM usage WHERE owner = ? AND id IN (SELECT value FROM json_each(?)) RETURNING id",
    [owner, escapedList(ids)],
  ).length;
  if (removed > 0) nextRevision(database, owner, "usage_revision", removed);
  return removed;
}

type Events = [item: string, events: [id: string, kind: UsageKind, context: string | null, at: number][]];

export function readUsage(
  database: Database,
  owner: number,
  items: string[],
  limit = Number.POSITIVE_INFINITY,
): Map<string, UsageEvent[]> {
  // Read as one value: thousands of rows take three times as long.
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(wanted.value, (
       SELECT json_group_array(json_array(id, kind, context, at)) FROM (
         SELECT id, kind, context, at FROM usage WHERE owner = ? AND item = wanted.value
         ORDER BY at DESC, number DESC LIMIT ?)))) AS rows
     FROM json_each(?) AS wanted`,
    [owner, atMost(limit), escapedList([...new Set(items)])],
  )!;
  const usage = new Map<string, UsageEvent[]>();
  for (const [name, events] of JSON.parse(rows) as Events[]) {
    if (events.length === 0) continue;
    const item = unescapeText(name);
    const asEvent = ([id, kind, context, at]: Events[1][number]): UsageEvent => ({
      id,
      item,
      kind,
      ...(context !== null && { context: unescapeText(context) }),
      at,
    });
    usage.set(item, events.map(asEvent));
  }
  return usage;
}
