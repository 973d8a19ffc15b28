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
  const asked = await linkedItems(view, [...new Set(ids)]);
  const wanted = new Set(kinds);
  const rows = new RememberedRows(view);
  // What a link means is decided by looking up one thing after the other. Each round looks into what is remembered and notes what is not
  // there; that is read at once, and the next round begins.
  for (;;) {
    const meanings = rows.meanings();
    const reading = new LinkReading(rows, meanings);
    const groups = asked.map((item) =>
      inOrder(direction === "from" ? reading.from(item, wanted) : reading.to(item, wanted)),
    );
    if (!(await rows.readMissing())) return takeInTurn(groups, limit);
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
