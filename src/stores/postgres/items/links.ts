import type { LinkKind } from "../../../item.ts";
import { allLinkKinds } from "../../links/link-codes.ts";
import { inOrder, takeInTurn } from "../../links/link-order.ts";
import { defaultLinkLimit, type LinkedItem, LinkReading } from "../../links/link-reading.ts";
import type { ResolvedLink } from "../../store.ts";
import type { ShelfView } from "../engine/shelf.ts";
import { RememberedRows } from "./link-rows.ts";

export async function links(
  view: ShelfView,
  ids: readonly string[],
  direction: "from" | "to",
  kinds: readonly LinkKind[] = allLinkKinds,
  limit = defaultLinkLimit,
): Promise<ResolvedLink[]> {
  if (ids.length === 0) return [];
  const items = await linkedItems(view, [...new Set(ids)]);
  const kindSet = new Set(kinds);
  const groups = await inRounds(view, (reading) =>
    items.map((item) => inOrder(direction === "from" ? reading.from(item, kindSet) : reading.to(item, kindSet))),
  );
  return takeInTurn(groups, limit);
}

export async function meanings(view: ShelfView, id: string, names: readonly string[]): Promise<Map<string, string[]>> {
  const [item] = await linkedItems(view, [id]);
  return item ? inRounds(view, (reading) => reading.meanings(item, names)) : new Map();
}

/**
 * Resolving a link takes one look-up after the other. Each round uses the cached rows and notes the missing ones; those
 * are read together, and the next round begins.
 */
async function inRounds<Result>(view: ShelfView, read: (reading: LinkReading) => Result): Promise<Result> {
  const rows = new RememberedRows(view);
  for (;;) {
    const result = read(new LinkReading(rows, rows.meanings()));
    if (!(await rows.readMissing())) return result;
  }
}

async function linkedItems(view: ShelfView, ids: readonly string[]): Promise<LinkedItem[]> {
  const { linked } = view.cache.links;
  const missing = ids.filter((id) => !linked.has(id));
  if (missing.length > 0) {
    if (linked.size > mostRemembered) linked.clear();
    const rows = await view.all<LinkedItem>(
      `SELECT i.id, i.key, i.name, coalesce(p.key, i.outside) AS parent, i.file, f.path, i.qualified, i.language, i.test, f.whole, f.first, f.last
       FROM items AS i JOIN files AS f ON f.owner = $1 AND f.shelf = $2 AND f.id = i.file
       LEFT JOIN items AS p ON p.owner = $1 AND p.shelf = $2 AND p.id = i.parent
       WHERE i.owner = $1 AND i.shelf = $2 AND i.key = ANY($3::text[])`,
      [missing],
    );
    for (const id of missing) linked.set(id, undefined);
    for (const row of rows) linked.set(row.key, row);
  }
  return ids.flatMap((id) => linked.get(id) ?? []);
}

const mostRemembered = 20_000;
