import type { Note } from "../../note.ts";
import { foldName, noteItemId, type StoredNote } from "../graph.ts";
import type { Database } from "./driver.ts";
import { atMost, exactly, meant, nameHash, original, rowsOf } from "./graph-keys.ts";

/** What was read of a graph and is kept until the next revision: notes by key, sheets by number. */
export type GraphCache = { notes: Map<number, StoredNote>; sheets: Map<number, { origin: string; sheet: string }> };

/** One owner's graph at one revision. */
export type Graph = GraphCache & { database: Database; owner: number };

export function hashes({ database, owner }: Graph, origin: string, sheet: string | undefined): Map<string, string> {
  const rows = rowsOf<[key: string, hash: string]>(
    database,
    `SELECT json_group_array(json_array(n.written, n.hash)) AS rows FROM graph_origins AS o
     CROSS JOIN graph_sheets AS s ON s.origin = o.id ${sheet === undefined ? "" : "AND s.name = ?3"}
     CROSS JOIN graph_notes AS n ON n.sheet = s.id WHERE o.owner = ?1 AND o.name = ?2`,
    [owner, exactly(origin), ...(sheet === undefined ? [] : [exactly(sheet)])],
  );
  for (const row of rows) row[0] = original(row[0]);
  return new Map(rows);
}

export function get(graph: Graph, ids: string[]): StoredNote[] {
  const keys = rowsOf<number>(
    graph.database,
    `SELECT json_group_array(k.id) AS rows FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value
     WHERE k.note IS NOT NULL`,
    [JSON.stringify(ids), graph.owner],
  );
  return notesByKey(graph, keys);
}

export function called(graph: Graph, key: string): StoredNote[] {
  const { database, owner } = graph;
  const origins = rowsOf<string>(database, "SELECT json_group_array(name) AS rows FROM graph_origins WHERE owner = ?", [
    owner,
  ]);
  const ids = origins
    .map(original)
    .sort()
    .map((origin) => noteItemId(origin, key));
  const keys = rowsOf<number>(
    database,
    `SELECT json_group_array(${meant("k")}) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value WHERE ${meant("k")} IS NOT NULL`,
    [JSON.stringify(ids), owner],
  );
  return [...new Set([...get(graph, [key]), ...notesByKey(graph, keys)])];
}

/** Names are found by hash; as many more are read as could share one by chance. */
const sharedHashes = 3;

export function named(graph: Graph, name: string, limit: number): StoredNote[] {
  const { database, owner } = graph;
  const hash = nameHash(owner, name);
  const most = atMost(limit);
  if (hash === null || most === 0) return [];
  const keys = rowsOf<number>(
    database,
    `SELECT json_group_array(key) AS rows FROM (
       SELECT n.key, (n.parent IS NOT NULL) + json_array_length(n.links, '$[0]') + json_array_length(n.links, '$[1]')
         + (SELECT count(*) FROM graph_edges AS e WHERE e.target = n.key)
         + (SELECT count(*) FROM graph_keys AS a CROSS JOIN graph_edges AS e ON e.target = a.id WHERE a.alias = n.key)
         AS edges
       FROM graph_notes AS n CROSS JOIN graph_keys AS k ON k.id = n.key WHERE n.name = ? AND k.owner = ?
       ORDER BY edges DESC, k.item LIMIT ?
     )`,
    [hash, owner, most + sharedHashes],
  );
  const folded = foldName(name);
  return notesByKey(graph, keys)
    .filter((note) => foldName(note.name) === folded)
    .slice(0, most);
}

/** Notes remembered per revision, about a kilobyte each. */
const rememberedNotes = 20_000;
/** Notes read by one statement. */
const batchSize = 500;

export function notesByKey(graph: Graph, keys: number[]): StoredNote[] {
  if (graph.notes.size > rememberedNotes) graph.notes.clear();
  const missing = [...new Set(keys)].filter((key) => !graph.notes.has(key));
  for (let i = 0; i < missing.length; i += batchSize) readNotes(graph, missing.slice(i, i + batchSize));
  return keys.flatMap((key) => graph.notes.get(key) ?? []);
}

function readNotes(graph: Graph, keys: number[]): void {
  // Put together as text: what is stored is JSON already, and would otherwise be written as JSON once more.
  const rows = rowsOf<[key: number, id: string, sheet: number, note: Note]>(
    graph.database,
    `SELECT '[' || group_concat('[' || k.id || ',"' || k.item || '",' || n.sheet || ',' || b.body || ']') || ']' AS rows
     FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_notes AS n ON n.id = k.note
     CROSS JOIN graph_bodies AS b ON b.note = n.id`,
    [JSON.stringify(keys)],
  );
  readSheets(graph, new Set(rows.map(([, , sheet]) => sheet)));
  for (const [key, id, sheet, note] of rows) graph.notes.set(key, frozen({ ...note, id, ...graph.sheets.get(sheet)! }));
}

export function readSheets({ database, sheets }: Graph, numbers: Set<number>): void {
  const missing = [...numbers].filter((number) => !sheets.has(number));
  if (missing.length === 0) return;
  const rows = rowsOf<[sheet: number, origin: string, name: string]>(
    database,
    `SELECT json_group_array(json_array(s.id, o.name, s.name)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_sheets AS s ON s.id = j.value CROSS JOIN graph_origins AS o ON o.id = s.origin`,
    [JSON.stringify(missing)],
  );
  for (const [number, origin, name] of rows) sheets.set(number, { origin: original(origin), sheet: original(name) });
}

/** Notes are remembered and handed out again: whoever wants to change one makes a copy. */
function frozen(note: StoredNote): StoredNote {
  for (const field of note.fields) {
    for (const value of field.values) Object.freeze(value);
    Object.freeze(field.values);
    Object.freeze(field);
  }
  for (const part of [note.fields, note.tags, note.references, note.aliases, note.inherited, note.place]) {
    if (part) Object.freeze(part);
  }
  return Object.freeze(note);
}
