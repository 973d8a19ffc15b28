import type { StoredNote } from "../../graph.ts";
import { atMostNotes } from "../../rules/graph-text.ts";
import { ancestorKeys } from "../../rules/graph-walk.ts";
import { resolvedKey, rowsOf } from "./node-keys.ts";
import { type GraphReads, keysOf, notesByKey } from "./read.ts";

export function ancestors(graph: GraphReads, ids: string[], limit: number): Map<string, StoredNote[]> {
  const most = atMostNotes(limit);
  const keys = keysOf(graph, [...new Set(ids)]);
  const owners = ownersAbove(graph, [...keys.values()], most);
  return new Map([...keys].map(([id, key]) => [id, notesByKey(graph, ancestorKeys(key, owners, most))]));
}

/** The parents of these notes and of their ancestors; from the cache if it has all of them. */
function ownersAbove(graph: GraphReads, keys: number[], most: number): Map<number, number> {
  const owners = new Map<number, number>();
  const isCached = (from: number) => {
    const way = new Set<number>();
    for (let at = from; way.size < most && !way.has(at); ) {
      const owner = graph.owners.get(at);
      if (owner === undefined) return false;
      if (owner === null) return true;
      owners.set(at, owner);
      way.add(at);
      at = owner;
    }
    return true;
  };
  const missing = keys.filter((key) => !isCached(key));
  for (const [key, owner] of missing.length === 0 ? [] : readOwners(graph, missing, most)) {
    if (owner !== null) owners.set(key, owner);
    graph.owners.set(key, owner);
  }
  return owners;
}

/**
 * Each note is visited once, so cycles end. Notes are visited level by level, so the first `most` steps from every note
 * are within that many rows.
 */
function readOwners({ database }: GraphReads, keys: number[], most: number): [key: number, owner: number | null][] {
  return rowsOf(
    database,
    `WITH RECURSIVE up(key) AS (
       SELECT value FROM json_each(?)
       UNION
       SELECT ${resolvedKey("p")} FROM up CROSS JOIN graph_keys AS k ON k.id = up.key CROSS JOIN graph_notes AS n ON n.id = k.note
       CROSS JOIN graph_keys AS p ON p.id = n.parent WHERE ${resolvedKey("p")} IS NOT NULL
       LIMIT ?
     )
     SELECT json_group_array(json_array(k.id, ${resolvedKey("p")})) AS rows FROM up CROSS JOIN graph_keys AS k ON k.id = up.key
     CROSS JOIN graph_notes AS n ON n.id = k.note LEFT JOIN graph_keys AS p ON p.id = n.parent`,
    [JSON.stringify(keys), keys.length * most],
  );
}
