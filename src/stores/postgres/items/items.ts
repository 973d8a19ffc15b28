import type { Item, Kind, Role, SourceName } from "../../../item.ts";
import { qualifiedNameOf } from "../../written-files.ts";
import type { ShelfView } from "../engine/shelf.ts";

type ItemRow = {
  id: number;
  key: string;
  source: SourceName;
  kind: Kind;
  title: string;
  qualified: string;
  path: string;
  start: number;
  stop: number;
  language: string | null;
  signature: string | null;
  doc: string | null;
  hash: string;
  parent: string | null;
  test: number | null;
  role: Role | null;
  changed: number | null;
  decisions: number | null;
};

/** The name in `names AS n` as the source spells it. */
export const writtenName = "coalesce(nullif(n.name, ''), n.folded)";

/**
 * Columns of `items AS i` and its file `f`. Name and parent are looked up row by row, by their keys: as joins the
 * server took them for many rows and hashed all of the owner's items, 150 ms for 200,000 of them.
 */
const columns = `i.id, i.key, i.source, i.kind, coalesce(i.title, (
    SELECT ${writtenName} FROM names AS n WHERE n.owner = $1 AND n.shelf = $2 AND n.id = i.name
  ), '') AS title, i.qualified, f.path, i.start, i.stop, i.language, i.signature, i.doc, i.hash, coalesce((
    SELECT p.key FROM items AS p WHERE p.owner = $1 AND p.shelf = $2 AND p.id = i.parent
  ), i.outside) AS parent, i.test, f.role, i.changed, i.decisions`;
/** Names the owner and the shelf, so that only their partition is read. */
const joins = "JOIN files AS f ON f.owner = $1 AND f.shelf = $2 AND f.id = i.file";

/** Limit of cached items per revision, about half a kilobyte each. */
const rememberedItems = 20_000;

/** Items by number; the result may contain further cached ones. */
export async function itemsByNumber(view: ShelfView, numbers: readonly number[]): Promise<ReadonlyMap<number, Item>> {
  const { items } = view.cache;
  if (items.size > rememberedItems) items.clear();
  const missing = numbers.filter((number) => !items.has(number));
  if (missing.length > 0) {
    const rows = await view.all<ItemRow>(
      `SELECT ${columns} FROM items AS i ${joins} WHERE i.owner = $1 AND i.shelf = $2 AND i.id = ANY($3::int[])`,
      [missing],
    );
    for (const row of rows) items.set(row.id, toItem(row));
  }
  return items;
}

/** Items by key, in the order of the keys. */
export async function itemsByKey(view: ShelfView, keys: readonly string[]): Promise<Item[]> {
  const { itemsByKey: cached } = view.cache;
  if (cached.size > rememberedItems) cached.clear();
  const missing = [...new Set(keys.filter((key) => !cached.has(key)))];
  if (missing.length > 0) {
    for (const item of await itemsWhere(view, "i.key = ANY($3::text[])", [missing])) cached.set(item.id, item);
  }
  return keys.flatMap((key) => cached.get(key) ?? []);
}

/** Items that satisfy a condition on `i` and `f`, in its order; its values are $3 and so on. */
export async function itemsWhere(view: ShelfView, condition: string, values: readonly unknown[]): Promise<Item[]> {
  const rows = await view.all<ItemRow>(
    `SELECT ${columns} FROM items AS i ${joins} WHERE i.owner = $1 AND i.shelf = $2 AND ${condition}`,
    values,
  );
  return rows.map(toItem);
}

/** Numbers of the items with these keys; unknown keys are absent. */
export async function numbersOf(view: ShelfView, keys: readonly string[]): Promise<number[]> {
  const { numbers } = view.cache;
  const missing = keys.filter((key) => numbers.get(key) === undefined);
  if (missing.length > 0) {
    const rows = await view.all<{ id: number; key: string }>(
      "SELECT id, key FROM items WHERE owner = $1 AND shelf = $2 AND key = ANY($3::text[])",
      [missing],
    );
    for (const { id, key } of rows) numbers.set(key, id);
  }
  return keys.flatMap((key) => numbers.get(key) ?? []);
}

function toItem(row: ItemRow): Item {
  const { key, source, kind, title, qualified, path, start, stop, hash } = row;
  const item: Item = {
    id: key,
    source,
    kind,
    name: title,
    qualifiedName: qualifiedNameOf(qualified, path),
    path,
    startLine: start,
    endLine: stop,
    hash,
  };
  if (row.language !== null) item.language = row.language;
  if (row.signature !== null) item.signature = row.signature;
  if (row.doc !== null) item.doc = row.doc;
  if (row.parent !== null) item.parent = row.parent;
  if (row.test === 1) item.test = true;
  if (row.role !== null) item.role = row.role;
  if (row.changed !== null) item.changed = row.changed;
  if (row.decisions !== null) item.decisions = row.decisions;
  // Items are cached and shared: copy one to change it.
  return Object.freeze(item);
}
