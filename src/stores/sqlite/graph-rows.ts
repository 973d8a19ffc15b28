import type { Note } from "../../note.ts";
import type { Database, Value } from "./driver.ts";
import { exactly, insertRows, markOf, nameHash, relationCodes, rowsOf } from "./graph-keys.ts";
import { storable } from "./names.ts";

/** What a stored note says, keys as numbers. */
type Said = {
  /** Its row in `graph_notes`. */
  row: number;
  key: number;
  item: string;
  parent: number | null;
  place: number;
  references: number[];
  fields: number[];
  aliases: number[];
  /** For the counts of its origin. */
  values: number;
  mentions: number;
  tags: string[];
};
export type NewNote = Said & { note: Note; sheet: string; hash: string };
export type OldNote = Said & { sheet: number };

/** Removes the notes that have these keys, with what they say, and answers what that was. */
export function takeOut(database: Database, keys: number[]): OldNote[] {
  const old = oldNotes(database, keys);
  if (old.length === 0) return old;
  database.run(
    `DELETE FROM graph_edges WHERE (target, relation, place, mark, source) IN
       (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?))`,
    [JSON.stringify(old.flatMap(edgesOf))],
  );
  database.run(
    "DELETE FROM graph_aliases WHERE (alias, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))",
    [JSON.stringify(old.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key])))],
  );
  const rows = JSON.stringify(old.map(({ row }) => row));
  database.run("DELETE FROM graph_bodies WHERE note IN (SELECT value FROM json_each(?))", [rows]);
  database.run("DELETE FROM graph_notes WHERE id IN (SELECT value FROM json_each(?))", [rows]);
  return old;
}

type OldRow = [
  row: number,
  key: number,
  item: string,
  sheet: number,
  parent: number | null,
  place: number,
  links: [number[], number[], number[]],
  values: number,
  mentions: number,
  tags: string[],
];

function oldNotes(database: Database, keys: number[]): OldNote[] {
  const rows = rowsOf<OldRow>(
    database,
    `SELECT json_group_array(json_array(n.id, k.id, k.item, n.sheet, n.parent, n.place, json(n.links), n.value_count, n.reference_count,
       b.body -> '$.tags')) AS rows
     FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_notes AS n ON n.id = k.note
     CROSS JOIN graph_bodies AS b ON b.note = n.id`,
    [JSON.stringify(keys)],
  );
  return rows.map(
    ([row, key, item, sheet, parent, place, [references, fields, aliases], values, mentions, tags]) => ({
      row,
      key,
      item,
      sheet,
      parent,
      place,
      references,
      fields,
      aliases,
      values,
      mentions,
      tags,
    }),
  );
}

type EdgeRow = [target: number, relation: number, place: number, mark: number, source: number];

function edgesOf({ key, item, parent, place, references, fields }: Said): EdgeRow[] {
  const mark = markOf(item);
  const edges: EdgeRow[] = [];
  if (parent !== null) edges.push([parent, relationCodes.child, place, mark, key]);
  for (const target of references) edges.push([target, relationCodes.reference, 0, mark, key]);
  for (const target of fields) edges.push([target, relationCodes.field, 0, mark, key]);
  return edges;
}

export function addNotes(database: Database, owner: number, origin: number, added: NewNote[]): void {
  const sheets = sheetNumbers(database, origin, new Set(added.map(({ sheet }) => exactly(sheet))));
  const rows: Value[] = [];
  const bodies: Value[] = [];
  const aliases: Value[] = [];
  const edges: Value[] = [];
  const sorted: EdgeRow[] = [];
  for (const each of added) {
    const { row, key, note } = each;
    rows.push(row, owner, sheets.get(exactly(each.sheet))!, key, exactly(note.key), storable(each.hash));
    rows.push(nameHash(note.name), each.parent, each.place);
    rows.push(JSON.stringify([each.references, each.fields, each.aliases]), each.values, each.mentions);
    bodies.push(row, JSON.stringify(note));
    for (const alias of each.aliases) aliases.push(alias, key);
    sorted.push(...edgesOf(each));
  }
  insertRows(
    database,
    "INSERT INTO graph_notes(id, owner, sheet, key, written, hash, name, parent, place, links, value_count, reference_count)",
    "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    rows,
  );
  sorted.sort((a, b) => a[0] - b[0]);
  for (const edge of sorted) edges.push(...edge);
  insertRows(database, "INSERT INTO graph_bodies(note, body)", "(?, ?)", bodies);
  insertRows(database, "INSERT INTO graph_aliases(alias, key)", "(?, ?)", aliases);
  insertRows(
    database,
    "INSERT INTO graph_edges(target, relation, place, mark, source)",
    "(?, ?, ?, ?, ?)",
    edges,
  );
}

function sheetNumbers(database: Database, origin: number, names: Set<string>): Map<string, number> {
  const list = JSON.stringify([...names]);
  database.run("INSERT OR IGNORE INTO graph_sheets(origin, name) SELECT ?, value FROM json_each(?)", [origin, list]);
  return new Map(
    rowsOf<[string, number]>(
      database,
      `SELECT json_group_array(json_array(s.name, s.id)) AS rows
       FROM json_each(?) AS j CROSS JOIN graph_sheets AS s ON s.origin = ? AND s.name = j.value`,
      [list, origin],
    ),
  );
}
