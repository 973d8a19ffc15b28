import type { Note } from "../../../note.ts";
import { foldName, noteItemId, type StoredNote } from "../../graph.ts";
import { atMostNotes, exactly, frozen, nameHash, original } from "../../rules/graph-text.ts";
import type { KeyMeaning } from "../../rules/graph-walk.ts";
import { type Recent, recentMap } from "../../search/recent-map.ts";
import type { Database } from "../engine/driver.ts";
import { resolvedKey, rowsOf } from "./node-keys.ts";

/** Cached reads of a graph, valid until the next revision. */
export type GraphCache = {
  notes: Recent<number, StoredNote>;
  /** Keys by item id. */
  keys: Recent<string, number>;
  /** The key of a note's parent, by the note's key; null if it has none. */
  owners: Recent<number, number | null>;
  /** The note that a key resolves to; null if there is none. */
  meanings: Recent<number, KeyMeaning | null>;
  sheets: Map<number, { origin: string; sheet: string }>;
};

/** Limit of cached notes per revision, about a kilobyte each; twice as many while all of them are in use. */
const rememberedNotes = 20_000;

export function emptyCache(): GraphCache {
  return {
    notes: recentMap(rememberedNotes),
    keys: recentMap(rememberedNotes),
    owners: recentMap(rememberedNotes),
    meanings: recentMap(rememberedNotes),
    sheets: new Map(),
  };
}

/** One owner's graph at one revision. */
export type GraphReads = GraphCache & { database: Database; owner: number };

export function hashes(
  { database, owner }: GraphReads,
  origin: string,
  sheet: string | undefined,
): Map<string, string> {
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

export function get(graph: GraphReads, ids: string[]): StoredNote[] {
  const keys = keysOf(graph, ids);
  return notesByKey(
    graph,
    ids.flatMap((id) => keys.get(id) ?? []),
  );
}

/** Keys of the notes with these item ids; unknown ids are absent. */
export function keysOf({ database, owner, keys }: GraphReads, ids: readonly string[]): Map<string, number> {
  const keyById = new Map<string, number>();
  const missing: string[] = [];
  for (const id of ids) {
    const key = keys.get(id);
    if (key === undefined) missing.push(id);
    else keyById.set(id, key);
  }
  if (missing.length === 0) return keyById;
  const rows = rowsOf<[id: string, key: number]>(
    database,
    `SELECT json_group_array(json_array(k.item, k.id)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value WHERE k.note IS NOT NULL`,
    [JSON.stringify(missing), owner],
  );
  for (const [id, key] of rows) {
    keyById.set(id, key);
    keys.set(id, key);
  }
  return keyById;
}

/** The notes with these ids if all of them are cached. */
export function remembered({ keys, notes }: GraphCache, ids: readonly string[]): StoredNote[] | undefined {
  const cachedNotes: StoredNote[] = [];
  for (const id of ids) {
    const key = keys.get(id);
    const note = key === undefined ? undefined : notes.get(key);
    if (!note) return undefined;
    cachedNotes.push(note);
  }
  return cachedNotes;
}

export function called(graph: GraphReads, key: string): StoredNote[] {
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
    `SELECT json_group_array(${resolvedKey("k")}) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value WHERE ${resolvedKey("k")} IS NOT NULL`,
    [JSON.stringify(ids), owner],
  );
  return [...new Set([...get(graph, [key]), ...notesByKey(graph, keys)])];
}

/** Names are found by hash. This many more rows are read, since some names may share a hash by chance. */
const sharedHashes = 3;

export function named(graph: GraphReads, name: string, limit: number): StoredNote[] {
  const { database, owner } = graph;
  const hash = nameHash(owner, name);
  const most = atMostNotes(limit);
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

/** Notes per statement. */
const batchSize = 500;

export function notesByKey(graph: GraphReads, keys: readonly number[]): StoredNote[] {
  const notesFound = new Map<number, StoredNote>();
  const missing = new Set<number>();
  for (const key of keys) {
    const note = graph.notes.get(key);
    if (note) notesFound.set(key, note);
    else missing.add(key);
  }
  const unknown = [...missing];
  for (let i = 0; i < unknown.length; i += batchSize) readNotes(graph, unknown.slice(i, i + batchSize), notesFound);
  return keys.flatMap((key) => notesFound.get(key) ?? []);
}

function readNotes(graph: GraphReads, keys: number[], into: Map<number, StoredNote>): void {
  // Concatenated as text: the stored bodies are JSON already, and would otherwise be encoded a second time.
  const rows = rowsOf<[key: number, id: string, sheet: number, note: Note]>(
    graph.database,
    `SELECT '[' || group_concat('[' || k.id || ',"' || k.item || '",' || n.sheet || ',' || b.body || ']') || ']' AS rows
     FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_notes AS n ON n.id = k.note
     CROSS JOIN graph_bodies AS b ON b.note = n.id`,
    [JSON.stringify(keys)],
  );
  readSheets(graph, new Set(rows.map(([, , sheet]) => sheet)));
  for (const [key, id, sheet, note] of rows) {
    const stored = frozen({ ...note, id, ...graph.sheets.get(sheet)! });
    into.set(key, stored);
    graph.notes.set(key, stored);
    graph.keys.set(id, key);
  }
}

export function readSheets({ database, sheets }: GraphReads, numbers: Set<number>): void {
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
