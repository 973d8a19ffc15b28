import type { Note } from "../../../note.ts";
import type { OriginCounts } from "../../graph.ts";
import { storable } from "../../storable.ts";
import type { Database } from "../engine/driver.ts";
import { atMost, original, rowsOf } from "./node-keys.ts";

/** What is counted of a note. */
export type Counted = { tags: string[]; values: number; references: number };

export function countedOf({ tags, fields, references }: Note): Counted {
  let values = 0;
  for (const field of fields) values += field.values.length;
  return { tags, values, references: references.length };
}

/** Keeps the counts of an origin and of its tags, so that nobody has to go through a hundred thousand notes. */
export function countChange(database: Database, origin: number, added: Counted[], removed: Counted[]): void {
  const tags = new Map<string, number>();
  const total = { notes: 0, tags: 0, values: 0, references: 0 };
  const count = (sign: 1 | -1) => (note: Counted) => {
    total.notes += sign;
    total.tags += sign * note.tags.length;
    total.values += sign * note.values;
    total.references += sign * note.references;
    for (const tag of new Set(note.tags.map(storable))) tags.set(tag, (tags.get(tag) ?? 0) + sign);
  };
  added.forEach(count(1));
  removed.forEach(count(-1));
  database.run(
    `UPDATE graph_origins SET note_count = note_count + ?, tag_count = tag_count + ?, value_count = value_count + ?,
     reference_count = reference_count + ? WHERE id = ?`,
    [total.notes, total.tags, total.values, total.references, origin],
  );
  database.run(
    `INSERT INTO graph_tags(origin, name, notes) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
     ON CONFLICT DO UPDATE SET notes = notes + excluded.notes`,
    [origin, JSON.stringify([...tags].filter(([, change]) => change !== 0))],
  );
  database.run("DELETE FROM graph_tags WHERE origin = ? AND name IN (SELECT value FROM json_each(?)) AND notes = 0", [
    origin,
    JSON.stringify([...tags].flatMap(([name, change]) => (change < 0 ? name : []))),
  ]);
}

export function origins(database: Database, owner: number): OriginCounts[] {
  const rows = rowsOf<[string, number, number, number, number, number]>(
    database,
    `SELECT json_group_array(json_array(name, note_count, tag_count, value_count, reference_count, (
       SELECT count(*) FROM graph_keys AS k CROSS JOIN graph_edges AS e ON e.target = k.id
       WHERE k.origin = o.id AND k.note IS NULL AND k.alias IS NULL
     ))) AS rows FROM graph_origins AS o WHERE owner = ?`,
    [owner],
  );
  const counts = rows.map(([origin, notes, tagged, values, references, dangling]) => ({
    origin: original(origin),
    notes,
    tagged,
    values,
    references,
    dangling,
  }));
  return counts.sort((a, b) => (a.origin < b.origin ? -1 : 1));
}

export function tags(database: Database, owner: number, limit: number): { name: string; notes: number }[] {
  const rows = rowsOf<[name: string, notes: number]>(
    database,
    `SELECT json_group_array(json_array(name, notes)) AS rows FROM (
       SELECT t.name, sum(t.notes) AS notes FROM graph_origins AS o CROSS JOIN graph_tags AS t ON t.origin = o.id WHERE o.owner = ?
       GROUP BY t.name ORDER BY sum(t.notes) DESC, t.name LIMIT ?
     )`,
    [owner, atMost(limit)],
  );
  return rows.map(([name, notes]) => ({ name, notes }));
}
