import type { Item, Kind, Role, SourceName } from "../../../item.ts";
import { qualifiedNameOf } from "../../written-files.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { cacheOf, type Owner, type StoreSession } from "../engine/owner.ts";

/** One item as a JSON list. */
type ItemRow = [
  key: string,
  source: SourceName,
  kind: Kind,
  folded: string,
  name: string,
  qualified: string,
  path: string,
  start: number,
  stop: number,
  language: string | null,
  signature: string | null,
  doc: string | null,
  hash: string,
  parent: string | null,
  test: number | null,
  role: Role | null,
  changed: number | null,
  decisions: number | null,
];

const list = `json_array(i.key, i.source, i.kind, coalesce(i.title, n.folded), coalesce(n.name, ''), i.qualified, f.path, i.start, i.stop, i.language,
  i.signature, i.doc, i.hash, coalesce(p.key, i.outside), i.test, f.role, i.changed, i.decisions)`;
/** All items as one JSON text: reading one row per item takes longer than its content. */
const rows = `json_group_array(${list}) AS rows`;
const joins = `JOIN files AS f ON f.id = i.file LEFT JOIN names AS n ON n.id = i.name LEFT JOIN items AS p ON p.id = i.parent`;

/** Limit of cached items per revision, about half a kilobyte each. */
const rememberedItems = 20_000;

/** Items by number; the result may contain further cached ones. */
export function itemsByNumber(session: StoreSession, owner: Owner, numbers: number[]): ReadonlyMap<number, Item> {
  const { items } = cacheOf(session, owner);
  if (items.size > rememberedItems) items.clear();
  const missing = numbers.filter((number) => !items.has(number));
  if (missing.length > 0) readItems(session, missing, items);
  return items;
}

function readItems(session: StoreSession, numbers: number[], into: Map<number, Item>): void {
  const read = session.database.get<{ ids: string; rows: string }>(
    `SELECT json_group_array(i.id) AS ids, ${rows} FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value ${joins}`,
    [JSON.stringify(numbers)],
  )!;
  const ids = JSON.parse(read.ids) as number[];
  for (const [i, item] of itemsIn(read).entries()) into.set(ids[i]!, item);
}

function itemsIn({ rows }: { rows: string }): Item[] {
  return (JSON.parse(rows) as ItemRow[]).map(toItem);
}

/** Numbers of the items with these keys; unknown keys are absent. */
export function numbersOf(session: StoreSession, owner: Owner, keys: readonly string[]): number[] {
  const { numbers } = cacheOf(session, owner);
  const result: number[] = [];
  const missing: string[] = [];
  for (const key of keys) {
    const number = numbers.get(key);
    if (number === undefined) missing.push(key);
    else result.push(number);
  }
  if (missing.length === 0) return result;
  const { rows } = session.database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(i.key, i.id)) AS rows FROM json_each(?) AS j
     CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value`,
    [JSON.stringify(missing), owner.id],
  )!;
  for (const [key, number] of JSON.parse(rows) as [string, number][]) {
    numbers.set(key, number);
    result.push(number);
  }
  return result;
}

/** Items by key, in the order of the keys. */
export function itemsByKey(session: StoreSession, owner: Owner, keys: string[]): Item[] {
  const { itemsByKey: cached } = cacheOf(session, owner);
  if (cached.size > rememberedItems) cached.clear();
  const missing = keys.filter((key) => !cached.has(key));
  if (missing.length > 0) {
    const read = session.database.get<{ rows: string }>(
      `SELECT ${rows} FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value ${joins}`,
      [JSON.stringify(missing), owner.id],
    )!;
    for (const item of itemsIn(read)) cached.set(item.id, item);
  }
  return keys.flatMap((key) => cached.get(key) ?? []);
}

/** Items that satisfy a condition on `i` and `f`, in its order. */
export function itemsWhere(database: Database, condition: string, values: SqlValue[]): Item[] {
  const { rows } = database.get<{ rows: string | null }>(
    `SELECT group_concat(row) AS rows FROM (SELECT ${list} AS row FROM items AS i ${joins} WHERE ${condition})`,
    values,
  )!;
  return itemsIn({ rows: `[${rows ?? ""}]` });
}

function toItem(row: ItemRow): Item {
  const [
    id,
    source,
    kind,
    folded,
    name,
    qualified,
    path,
    startLine,
    endLine,
    language,
    signature,
    doc,
    hash,
    parent,
    test,
    role,
    changed,
    decisions,
  ] = row;
  const item: Item = {
    id,
    source,
    kind,
    name: name === "" ? folded : name,
    qualifiedName: qualifiedNameOf(qualified, path),
    path,
    startLine,
    endLine,
    hash,
  };
  if (language !== null) item.language = language;
  if (signature !== null) item.signature = signature;
  if (doc !== null) item.doc = doc;
  if (parent !== null) item.parent = parent;
  if (test === 1) item.test = true;
  if (role !== null) item.role = role;
  if (changed !== null) item.changed = changed;
  if (decisions !== null) item.decisions = decisions;
  // Cached items are shared, so a caller must copy an item to change it.
  return Object.freeze(item);
}
