import { type EdgeRow, edgesOf, type NewNote, type NoteRow, placeOf } from "../../rules/graph-rows.ts";
import { exactly, nameHash } from "../../rules/graph-text.ts";
import { storable } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { rowsOf } from "./node-keys.ts";

/** `row` is its number in `graph_notes`. */
export type NewRow = NewNote & { row: number };
export type OldRow = NoteRow & { row: number; sheet: number };

/** Removes the notes with these keys and their statements, and returns them. */
export function removeNotes(database: Database, keys: number[]): OldRow[] {
  const old = oldNotes(database, keys);
  if (old.length === 0) return old;
  database.run(
    `DELETE FROM graph_edges WHERE (target, relation, place, mark, source) IN
       (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?))`,
    [JSON.stringify(old.flatMap(edgesOf))],
  );
  database.run("DELETE FROM graph_aliases WHERE (alias, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))", [
    JSON.stringify(old.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key]))),
  ]);
  const rows = JSON.stringify(old.map(({ row }) => row));
  database.run("DELETE FROM graph_bodies WHERE note IN (SELECT value FROM json_each(?))", [rows]);
  database.run("DELETE FROM graph_notes WHERE id IN (SELECT value FROM json_each(?))", [rows]);
  return old;
}

type Stored = [
  row: number,
  key: number,
  item: string,
  sheet: number,
  parent: number | null,
  order: number | null,
  links: [references: number[], fields: number[], aliases: number[]],
  tags: string[],
  values: number,
  references: number,
];

/** Reads only the needed parts of the bodies: those of a thousand notes may be large. */
function oldNotes(database: Database, keys: number[]): OldRow[] {
  const rows = rowsOf<Stored>(
    database,
    `SELECT json_group_array(json_array(n.id, k.id, k.item, n.sheet, n.parent, b.body -> '$.order', json(n.links), b.body -> '$.tags',
       (SELECT total(json_array_length(f.value, '$.values')) FROM json_each(b.body, '$.fields') AS f),
       json_array_length(b.body, '$.references'))) AS rows
     FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_notes AS n ON n.id = k.note
     CROSS JOIN graph_bodies AS b ON b.note = n.id`,
    [JSON.stringify(keys)],
  );
  return rows.map(([row, key, item, sheet, parent, order, [references, fields, aliases], tags, values, mentions]) => ({
    row,
    key,
    item,
    sheet,
    parent,
    place: placeOf(order),
    references,
    fields,
    aliases,
    counted: { tags, values, references: mentions },
  }));
}

export function addNotes(database: Database, owner: number, origin: number, added: NewRow[]): void {
  const sheets = sheetNumbers(database, origin, new Set(added.map(({ sheet }) => exactly(sheet))));
  const notes: SqlValue[] = [];
  const bodies: SqlValue[] = [];
  const aliases: SqlValue[] = [];
  const edges: SqlValue[] = [];
  const unordered: EdgeRow[] = [];
  for (const each of added) {
    const { row, key, note, hash } = each;
    const links = `[[${each.references}],[${each.fields}],[${each.aliases}]]`;
    notes.push(row, sheets.get(exactly(each.sheet))!, storable(hash), key, exactly(note.key));
    notes.push(nameHash(owner, note.name), each.parent, links);
    bodies.push(row, each.json ?? JSON.stringify(note));
    for (const alias of each.aliases) aliases.push(alias, key);
    for (const edge of edgesOf(each)) unordered.push(edge);
  }
  // Inserting in the table's order takes two thirds of the time.
  for (const edge of unordered.sort((a, b) => a[0] - b[0])) edges.push(...edge);
  insertRows(database, "graph_notes(id, sheet, hash, key, written, name, parent, links)", 8, notes);
  insertRows(database, "graph_bodies(note, body)", 2, bodies);
  insertRows(database, "graph_aliases(alias, key)", 2, aliases);
  insertRows(database, "graph_edges(target, relation, place, mark, source)", 5, edges);
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
