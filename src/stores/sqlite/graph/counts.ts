import type { OriginCounts } from "../../graph.ts";
import type { CountChange } from "../../rules/graph-rows.ts";
import { atMostNotes, original } from "../../rules/graph-text.ts";
import type { Database } from "../engine/driver.ts";
import { rowsOf } from "./node-keys.ts";

export function saveCounts(database: Database, origin: number, change: CountChange): void {
  database.run(
    `UPDATE graph_origins SET note_count = note_count + ?, tag_count = tag_count + ?, value_count = value_count + ?,
     reference_count = reference_count + ? WHERE id = ?`,
    [change.notes, change.tags, change.values, change.references, origin],
  );
  database.run(
    `INSERT INTO graph_tags(origin, name, notes) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
     ON CONFLICT DO UPDATE SET notes = notes + excluded.notes`,
    [origin, JSON.stringify(change.byTag)],
  );
  database.run("DELETE FROM graph_tags WHERE origin = ? AND name IN (SELECT value FROM json_each(?)) AND notes = 0", [
    origin,
    JSON.stringify(change.byTag.flatMap(([name, by]) => (by < 0 ? name : []))),
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
    [owner, atMostNotes(limit)],
  );
  return rows.map(([name, notes]) => ({ name, notes }));
}
