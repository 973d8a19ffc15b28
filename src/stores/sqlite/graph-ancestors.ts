import type { StoredNote } from "../graph.ts";
import { atMost, meant, rowsOf } from "./graph-keys.ts";
import { type Graph, notesByKey } from "./graph-read.ts";

export function ancestors(graph: Graph, ids: string[], limit: number): Map<string, StoredNote[]> {
  const most = atMost(limit);
  const asked = rowsOf<[key: number, item: string]>(
    graph.database,
    `SELECT json_group_array(json_array(k.id, k.item)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value WHERE k.note IS NOT NULL`,
    [JSON.stringify([...new Set(ids)]), graph.owner],
  );
  const keys = asked.map(([key]) => key);
  const owners = ownersAbove(graph, keys, most);
  const ways = asked.map(([key, item]) => [item, wayUp(key, owners, most)] as const);
  return new Map(ways.map(([item, way]) => [item, notesByKey(graph, way)]));
}

/**
 * Who owns whom, among these notes and those above them. A note is visited once, so circles end; and level by level, so the first
 * `most` steps from every note are among as many rows as that could be.
 */
function ownersAbove({ database }: Graph, keys: number[], most: number): Map<number, number> {
  const rows = rowsOf<[key: number, owner: number]>(
    database,
    `WITH RECURSIVE up(key) AS (
       SELECT value FROM json_each(?)
       UNION
       SELECT ${meant("p")} FROM up CROSS JOIN graph_keys AS k ON k.id = up.key CROSS JOIN graph_notes AS n ON n.id = k.note
       CROSS JOIN graph_keys AS p ON p.id = n.parent WHERE ${meant("p")} IS NOT NULL
       LIMIT ?
     )
     SELECT json_group_array(json_array(k.id, ${meant("p")})) AS rows FROM up CROSS JOIN graph_keys AS k ON k.id = up.key
     CROSS JOIN graph_notes AS n ON n.id = k.note CROSS JOIN graph_keys AS p ON p.id = n.parent WHERE ${meant("p")} IS NOT NULL`,
    [JSON.stringify(keys), keys.length * most],
  );
  return new Map(rows);
}

function wayUp(from: number, owners: Map<number, number>, most: number): number[] {
  const way = new Set<number>();
  for (let owner = owners.get(from); owner !== undefined && owner !== from; owner = owners.get(owner)) {
    if (way.size === most || way.has(owner)) break;
    way.add(owner);
  }
  return [...way];
}
