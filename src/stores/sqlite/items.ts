import type { Item, Kind, SourceName } from "../../item.ts";
import type { Database, Value } from "./driver.ts";

type ItemRow = {
  id: number;
  key: string;
  source: SourceName;
  kind: Kind;
  folded: string;
  name: string;
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
  changed: number | null;
};

const columns = `i.id, i.key, i.source, i.kind, n.folded, n.name, i.qualified, f.path, i.start, i.stop, i.language,
  i.signature, i.doc, i.hash, coalesce(p.key, i.outside) AS parent, i.test, i.changed`;
// A parent's number may have been given to another item since; then it is in another file.
const joined = `JOIN files AS f ON f.id = i.file JOIN names AS n ON n.id = i.name
  LEFT JOIN items AS p ON p.id = i.parent AND p.file = i.file`;

/** Items by number, in the order given; numbers without an item are left out. */
export function itemsByNumber(database: Database, numbers: number[]): Map<number, Item> {
  if (numbers.length === 0) return new Map();
  const rows = database.all<ItemRow>(
    `SELECT ${columns} FROM json_each(?) AS j CROSS JOIN items AS i ON i.id = j.value ${joined}`,
    [JSON.stringify(numbers)],
  );
  return new Map(rows.map((row) => [row.id, toItem(row)]));
}

export function itemsByKey(database: Database, owner: number, keys: string[]): Item[] {
  const rows = database.all<ItemRow>(
    `SELECT ${columns} FROM json_each(?) AS j CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value ${joined} ORDER BY j.key`,
    [JSON.stringify(keys), owner],
  );
  return rows.map(toItem);
}

/** Items that satisfy a condition on `i` and `f`, in its order. */
export function itemsWhere(database: Database, condition: string, values: Value[]): Item[] {
  return database.all<ItemRow>(`SELECT ${columns} FROM items AS i ${joined} WHERE ${condition}`, values).map(toItem);
}

function toItem(row: ItemRow): Item {
  const rest = row.qualified.slice(1);
  const item: Item = {
    id: row.key,
    source: row.source,
    kind: row.kind,
    name: row.name === "" ? row.folded : row.name,
    qualifiedName: row.qualified.startsWith("+") ? row.path + rest : rest,
    path: row.path,
    startLine: row.start,
    endLine: row.stop,
    hash: row.hash,
  };
  if (row.language !== null) item.language = row.language;
  if (row.signature !== null) item.signature = row.signature;
  if (row.doc !== null) item.doc = row.doc;
  if (row.parent !== null) item.parent = row.parent;
  if (row.test === 1) item.test = true;
  if (row.changed !== null) item.changed = row.changed;
  return item;
}

/** The qualified name as it is stored: without the path where it begins with it. */
export function storedQualifiedName(qualifiedName: string, path: string): string {
  return qualifiedName.startsWith(path) ? `+${qualifiedName.slice(path.length)}` : `=${qualifiedName}`;
}
