import type { NoteFacts, StoredNote } from "../../graph.ts";
import { batchesOf, containingPattern } from "../../rules/graph-text.ts";
import { rowsOf } from "./node-keys.ts";
import type { GraphReads } from "./read.ts";
import { readSheets } from "./read.ts";

/** The numbers of notes that contain these names, in batches for reading. */
export function batchesContaining({ database, owner }: GraphReads, names: readonly (readonly string[])[]): number[][] {
  const conditions = names.map((list) => `(${list.map(() => "b.body LIKE ? ESCAPE '\\'").join(" OR ") || "0"})`);
  const rows = rowsOf<[note: number, length: number]>(
    database,
    `SELECT json_group_array(json_array(n.id, length(b.body))) AS rows FROM graph_origins AS o
     CROSS JOIN graph_sheets AS s ON s.origin = o.id CROSS JOIN graph_notes AS n ON n.sheet = s.id
     CROSS JOIN graph_bodies AS b ON b.note = n.id WHERE ${["o.owner = ?", ...conditions].join(" AND ")}`,
    [owner, ...names.flat().map(containingPattern)],
  );
  return batchesOf(rows);
}

export function factsOf(graph: GraphReads, notes: number[]): NoteFacts[] {
  const rows = rowsOf<[id: string, sheet: number, facts: Omit<StoredNote, "id" | "origin" | "sheet">]>(
    graph.database,
    `SELECT '[' || group_concat('["' || k.item || '",' || n.sheet || ',' ||
       json_remove(b.body, '$.text', '$.references', '$.aliases') || ']') || ']' AS rows
     FROM json_each(?) AS j CROSS JOIN graph_notes AS n ON n.id = j.value CROSS JOIN graph_keys AS k ON k.id = n.key
     CROSS JOIN graph_bodies AS b ON b.note = n.id`,
    [JSON.stringify(notes)],
  );
  readSheets(graph, new Set(rows.map(([, sheet]) => sheet)));
  return rows.map(([id, sheet, facts]) => ({ ...facts, id, origin: graph.sheets.get(sheet)!.origin }));
}

/** Limit of names; a longer list is of no use. */
const mostNames = 20_000;

export function vocabulary({ database, owner }: GraphReads): { tags: string[]; fields: string[] } {
  const bodies = `FROM graph_origins AS o CROSS JOIN graph_sheets AS s ON s.origin = o.id CROSS JOIN graph_notes AS n ON n.sheet = s.id
     CROSS JOIN graph_bodies AS b ON b.note = n.id`;
  const distinctNames = (from: string, value: string) =>
    rowsOf<string>(
      database,
      `SELECT json_group_array(name) AS rows FROM (
         SELECT DISTINCT ${value} AS name ${bodies} CROSS JOIN ${from} AS v WHERE o.owner = ? ORDER BY 1 LIMIT ?)`,
      [owner, mostNames],
    );
  const tags = new Set([
    ...distinctNames("json_each(b.body, '$.tags')", "v.value"),
    ...distinctNames("json_each(b.body, '$.inherited')", "v.value"),
  ]);
  return { tags: [...tags].sort(), fields: distinctNames("json_each(b.body, '$.fields')", "v.value ->> '$.name'") };
}
