import type { Relation } from "../../../note.ts";
import type { Neighbours } from "../../graph.ts";
import { atMostNotes, markOf } from "../../rules/graph-text.ts";
import {
  type AskedNote,
  addStatement,
  type Ends,
  endsOf,
  type KeyMeaning,
  type KeyStatements,
  keysToKnow,
  neighboursFrom,
  noStatements,
  readOfEach,
  slotOf,
  statementCodes,
} from "../../rules/graph-walk.ts";
import { resolvedKey, rowsOf } from "./node-keys.ts";
import type { GraphReads } from "./read.ts";

export function neighbours(
  graph: GraphReads,
  ids: string[],
  relations: readonly Relation[],
  limit: number,
): Neighbours {
  const notes = notesAsked(graph, ids);
  const uniqueRelations = [...new Set(relations)];
  const most = atMostNotes(limit);
  const statements = statementsOf(graph, notes, uniqueRelations, most);
  const meanings = meaningsOf(graph, keysToKnow(notes, uniqueRelations, statements));
  return neighboursFrom(endsOf(notes, uniqueRelations, statements, meanings), most, (ends) => countEnds(graph, ends));
}

function notesAsked({ database, owner }: GraphReads, ids: string[]): AskedNote[] {
  const rows = rowsOf<[number, string, number | null, [number[], number[], number[]], number[]]>(
    database,
    `SELECT json_group_array(json_array(k.id, k.item, n.parent, json(n.links), (
       SELECT json_group_array(a.id) FROM graph_keys AS a WHERE a.alias = k.id
     ))) AS rows FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value
     CROSS JOIN graph_notes AS n ON n.id = k.note`,
    [JSON.stringify([...new Set(ids)]), owner],
  );
  return rows.map(([key, item, parent, [references, fields], aliases]) => ({
    key,
    item,
    parent,
    references,
    fields,
    keys: [key, ...aliases],
  }));
}

/** The statements about these notes. For a key with many statements, only the first of each relation are read. */
function statementsOf(
  { database }: GraphReads,
  notes: AskedNote[],
  relations: Relation[],
  most: number,
): KeyStatements {
  const codes = statementCodes(relations);
  const statements = noStatements();
  if (codes.length === 0) return statements;
  const keys = notes.flatMap((note) => note.keys);
  const limitOfEach = readOfEach(most);
  const crowded = rowsOf<number>(
    database,
    `SELECT json_group_array(value) AS rows FROM json_each(?) AS j
     WHERE EXISTS (SELECT 1 FROM graph_edges WHERE target = j.value LIMIT 1 OFFSET ?)`,
    [JSON.stringify(keys), limitOfEach],
  );
  const hubs = new Set(crowded);
  const few = keys.filter((key) => !hubs.has(key));
  const rows = rowsOf<[key: number, code: number, source: number, place: number]>(
    database,
    `SELECT json_group_array(json_array(e.target, e.relation, e.source, e.place)) AS rows
     FROM json_each(?) AS j CROSS JOIN graph_edges AS e ON e.target = j.value`,
    [JSON.stringify(few)],
  );
  for (const row of rows) addStatement(statements, ...row);
  if (crowded.length === 0) return statements;
  const first = rowsOf<[key: number, code: number, said: [source: number, place: number][]]>(
    database,
    `SELECT json_group_array(json_array(j.value, r.value, json((
       SELECT json_group_array(json_array(source, place)) FROM (
         SELECT source, place FROM graph_edges WHERE target = j.value AND relation = r.value ORDER BY place, mark LIMIT ?
       )
     )))) AS rows FROM json_each(?) AS j CROSS JOIN json_each(?) AS r`,
    [limitOfEach, JSON.stringify(crowded), JSON.stringify(codes)],
  );
  for (const [key, code, firstOfKey] of first) {
    for (const each of firstOfKey) addStatement(statements, key, code, ...each);
    if (firstOfKey.length === limitOfEach) statements.cut.add(slotOf(key, code));
  }
  return statements;
}

/** The notes that keys resolve to; keys without a note are absent. */
function meaningsOf(graph: GraphReads, keys: Set<number>): Map<number, KeyMeaning> {
  const meanings = new Map<number, KeyMeaning>();
  const missing: number[] = [];
  for (const key of keys) {
    const meaning = graph.meanings.get(key);
    if (meaning) meanings.set(key, meaning);
    else if (meaning === undefined) missing.push(key);
  }
  for (const [key, meaning] of missing.length === 0 ? [] : readMeanings(graph, missing)) meanings.set(key, meaning);
  for (const key of missing) graph.meanings.set(key, meanings.get(key) ?? null);
  return meanings;
}

function readMeanings({ database }: GraphReads, keys: number[]): [named: number, meaning: KeyMeaning][] {
  const rows = rowsOf<[number, number, string]>(
    database,
    `SELECT json_group_array(json_array(k.id, m.id, m.item)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_keys AS m ON m.id = ${resolvedKey("k")}`,
    [JSON.stringify(keys)],
  );
  return rows.map(([mentioned, key, item]) => [mentioned, { key, item }]);
}

/**
 * Counts without reading the statements, unless a note could be counted twice because it mentions several keys of one
 * note.
 */
function countEnds({ database }: GraphReads, { note, uncounted }: Ends): number {
  const { keys, code, named } = uncounted!;
  const others = named.map(({ key, item }) => [key, markOf(item)]);
  return database.get<{ count: number }>(
    `SELECT (
       SELECT count(${keys.length === 1 ? "*" : "DISTINCT source"}) FROM graph_edges
       WHERE target IN (SELECT value FROM json_each(?1)) AND relation = ?2 AND source <> ?3
     ) + (
       SELECT count(*) FROM json_each(?4) AS j WHERE NOT EXISTS (
         SELECT 1 FROM json_each(?1) AS t CROSS JOIN graph_edges AS e
         ON e.target = t.value AND e.relation = ?2 AND e.place = 0 AND e.mark = j.value ->> 1 AND e.source = j.value ->> 0
       )
     ) AS count`,
    [JSON.stringify(keys), code, note.key, JSON.stringify(others)],
  )!.count;
}
