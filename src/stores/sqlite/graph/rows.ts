import type { Note } from "../../../note.ts";
import { storable } from "../../storable.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";
import type { Counted } from "./counts.ts";
import { exactly, markOf, nameHash, relationCodes, rowsOf } from "./node-keys.ts";

/** A note with what it says, keys as numbers. */
type Row = {
  /** Its number in `graph_notes`. */
  row: number;
  key: number;
  item: string;
  parent: number | null;
  order: number | null;
  references: number[];
  fields: number[];
  aliases: number[];
  counted: Counted;
};
export type NewNote = Row & { note: Note; sheet: string; hash: string; json: string | undefined };
export type OldNote = Row & { sheet: number };

/** Removes the notes that have these keys, with what they say, and answers what that was. */
export function takeOut(database: Database, keys: number[]): OldNote[] {
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

type OldRow = [
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

/** Of their bodies only what is needed: those of a thousand notes may be large. */
function oldNotes(database: Database, keys: number[]): OldNote[] {
  const rows = rowsOf<OldRow>(
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
    order,
    references,
    fields,
    aliases,
    counted: { tags, values, references: mentions },
  }));
}

type EdgeRow = [target: number, relation: number, place: number, mark: number, source: number];

/** Where a child without an order stands: after those that have one. */
const lastPlace = 2 ** 31 - 1;

/** Whole, because it goes through JSON and must come out the same for the edge to be found again. */
function placeOf(order: number | null): number {
  return order === null ? lastPlace : Math.max(-lastPlace, Math.min(Math.floor(order), lastPlace));
}

function edgesOf({ key, item, parent, order, references, fields }: Row): EdgeRow[] {
  const mark = markOf(item);
  const edges: EdgeRow[] = [];
  if (parent !== null) edges.push([parent, relationCodes.child, placeOf(order), mark, key]);
  for (const target of references) edges.push([target, relationCodes.reference, 0, mark, key]);
  for (const target of fields) edges.push([target, relationCodes.field, 0, mark, key]);
  return edges;
}

export function addNotes(database: Database, owner: number, origin: number, added: NewNote[]): void {
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
  // In the order of their table they take two thirds of the time.
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
