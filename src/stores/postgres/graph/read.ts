import type { Note } from "../../../note.ts";
import { foldName, type NoteFacts, noteItemId, type OriginCounts, type StoredNote } from "../../graph.ts";
import {
  atMostNotes,
  batchesOf,
  containingPattern,
  exactly,
  frozen,
  nameHash,
  original,
} from "../../rules/graph-text.ts";
import { ancestorKeys } from "../../rules/graph-walk.ts";
import type { Queries } from "../engine/session/session.ts";
import { isNote, resolvedKey, sheetHash } from "./graph-tables.ts";

/** A note as it is read, from a row `k` of `graph_keys`. */
type Row = { key: number; item: string; body: string; sheet: string; origin: string };
const columns = "k.id AS key, k.item, b.body, b.sheet, o.name AS origin";
const withBody = `JOIN graph_bodies AS b ON b.owner = $1 AND b.key = k.id
     JOIN graph_origins AS o ON o.owner = $1 AND o.id = k.origin`;

function asNote({ item, body, sheet, origin }: Row): StoredNote {
  return frozen({ ...(JSON.parse(body) as Note), id: item, origin: original(origin), sheet: original(sheet) });
}

export async function get(queries: Queries, ids: string[]): Promise<StoredNote[]> {
  const rows = await queries.all<Row>(
    `SELECT ${columns} FROM graph_keys AS k ${withBody} WHERE k.owner = $1 AND k.item = ANY($2)`,
    [[...new Set(ids)]],
  );
  const byId = new Map(rows.map((row) => [row.item, asNote(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function hashes(
  queries: Queries,
  origin: string,
  sheet: string | undefined,
): Promise<Map<string, string>> {
  const rows = await queries.all<{ written: string; hash: string }>(
    `SELECT written, hash FROM graph_keys WHERE owner = $1 AND origin = (
       SELECT id FROM graph_origins WHERE owner = $1 AND name = $2
     ) AND ${sheet === undefined ? "hash IS NOT NULL" : "sheet = $3"} ORDER BY id`,
    [exactly(origin), ...(sheet === undefined ? [] : [sheetHash(sheet)])],
  );
  return new Map(rows.map(({ written, hash }) => [original(written), hash]));
}

export async function called(queries: Queries, key: string): Promise<StoredNote[]> {
  const origins = await queries.all<{ name: string }>("SELECT name FROM graph_origins WHERE owner = $1");
  const ids = origins
    .map(({ name }) => original(name))
    .sort()
    .map((origin) => noteItemId(origin, key));
  // An item id means the note that has it, a key also one with that alias.
  const rows = await queries.all<Row>(
    `SELECT ${columns} FROM unnest($2::text[]) WITH ORDINALITY AS j(item, line)
     JOIN graph_keys AS m ON m.owner = $1 AND m.item = j.item AND (${isNote("m")} OR j.line > 1)
     JOIN graph_keys AS k ON k.owner = $1 AND k.id = ${resolvedKey("m")} ${withBody} ORDER BY j.line`,
    [[key, ...ids]],
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return [...byKey.values()].map(asNote);
}

/** Names are found by hash; this many more are read, since some may share a hash by chance. */
const sharedHashes = 3;

export async function named(queries: Queries, name: string, limit: number): Promise<StoredNote[]> {
  const hash = nameHash(0, name);
  const most = atMostNotes(limit);
  if (hash === null || most === 0) return [];
  const rows = await queries.all<Row>(
    `SELECT ${columns} FROM (
       SELECT n.id, (n.parent IS NOT NULL)::int + coalesce(cardinality(n.refs), 0) + coalesce(cardinality(n.fields), 0) + (
         SELECT sum((SELECT count(*) FROM graph_edges AS e WHERE e.owner = $1 AND e.target = t.key)
           + (SELECT count(*) FROM graph_keys AS c WHERE c.owner = $1 AND c.parent = t.key))
         FROM (SELECT n.id AS key UNION ALL SELECT a.id FROM graph_keys AS a WHERE a.owner = $1 AND a.alias = n.id) AS t
       ) AS edges
       FROM graph_keys AS n WHERE n.owner = $1 AND n.name = $2
     ) AS n JOIN graph_keys AS k ON k.owner = $1 AND k.id = n.id ${withBody} ORDER BY edges DESC, k.item LIMIT $3`,
    [hash, most + sharedHashes],
  );
  const folded = foldName(name);
  return rows
    .map(asNote)
    .filter((note) => foldName(note.name) === folded)
    .slice(0, most);
}

/** The key of a note's parent, as SQL. */
const parentOf = (key: string) =>
  `SELECT ${resolvedKey("p")} FROM graph_keys AS n JOIN graph_keys AS p ON p.owner = $1 AND p.id = n.parent WHERE n.owner = $1 AND n.id = ${key}`;

export async function ancestors(queries: Queries, ids: string[], limit: number): Promise<Map<string, StoredNote[]>> {
  const most = atMostNotes(limit);
  const uniqueIds = [...new Set(ids)];
  // A note is visited once, so cycles end; and level by level, so the first `most` steps from every note are within
  // that many rows: the server stops at LIMIT.
  const rows = await queries.all<Row & { parent: number | null }>(
    `WITH RECURSIVE up(key, parent) AS (
       SELECT k.id, (${parentOf("k.id")}) FROM graph_keys AS k WHERE k.owner = $1 AND k.item = ANY($2) AND ${isNote("k")}
       UNION
       SELECT up.parent, (${parentOf("up.parent")}) FROM up WHERE up.parent IS NOT NULL
     )
     SELECT ${columns}, u.parent FROM (SELECT key, parent FROM up LIMIT $3) AS u
     JOIN graph_keys AS k ON k.owner = $1 AND k.id = u.key ${withBody}`,
    [uniqueIds, Math.min(uniqueIds.length * (most + 1), 2 ** 31)],
  );
  const notes = new Map(rows.map((row) => [row.key, asNote(row)]));
  const keys = new Map(rows.map(({ item, key }) => [item, key]));
  const owners = new Map(rows.flatMap(({ key, parent }) => (parent === null ? [] : [[key, parent] as const])));
  const ways = uniqueIds.flatMap((id): [string, StoredNote[]][] => {
    const key = keys.get(id);
    return key === undefined ? [] : [[id, ancestorKeys(key, owners, most).map((each) => notes.get(each)!)]];
  });
  return new Map(ways);
}

export async function origins(queries: Queries): Promise<OriginCounts[]> {
  const rows = await queries.all<OriginCounts>(
    `SELECT name AS origin, note_count AS notes, tag_count AS tagged, value_count AS values, reference_count AS references, (
       SELECT coalesce(sum((SELECT count(*) FROM graph_edges AS e WHERE e.owner = $1 AND e.target = k.id)
         + (SELECT count(*) FROM graph_keys AS c WHERE c.owner = $1 AND c.parent = k.id)), 0)::bigint
       FROM graph_keys AS k WHERE k.owner = $1 AND k.origin = o.id AND k.hash IS NULL AND k.alias IS NULL
     ) AS dangling FROM graph_origins AS o WHERE owner = $1`,
  );
  const counts = rows.map((row) => ({ ...row, origin: original(row.origin) }));
  return counts.sort((a, b) => (a.origin < b.origin ? -1 : 1));
}

export function tags(queries: Queries, limit: number): Promise<{ name: string; notes: number }[]> {
  return queries.all(
    `SELECT name, sum(notes)::bigint AS notes FROM graph_tags WHERE owner = $1 GROUP BY name
     ORDER BY sum(notes) DESC, name LIMIT $2`,
    [atMostNotes(limit)],
  );
}

/** The keys of notes that contain these names, in batches for reading. */
export async function batchesContaining(queries: Queries, names: readonly (readonly string[])[]): Promise<number[][]> {
  const patterns = names.flat().map((name) => containingPattern(name).toLowerCase());
  let place = 1;
  const conditions = names.map((list) => {
    // In the collation "C" only ASCII has lower case.
    const tests = list.map(() => `lower(body COLLATE "C") LIKE $${++place}`);
    return ` AND (${tests.join(" OR ") || "false"})`;
  });
  const sql = `SELECT key, length(body) AS length FROM graph_bodies WHERE owner = $1${conditions.join("")}`;
  const rows = await queries.all<{ key: number; length: number }>(sql, patterns);
  return batchesOf(rows.map(({ key, length }) => [key, length]));
}

export async function factsOf(queries: Queries, keys: number[]): Promise<NoteFacts[]> {
  const sql = `SELECT ${columns} FROM graph_keys AS k ${withBody} WHERE k.owner = $1 AND k.id = ANY($2)`;
  const rows = await queries.all<Row>(sql, [keys]);
  return rows.map(({ item, body, origin }) => {
    const { text: _text, references: _references, aliases: _aliases, ...facts } = JSON.parse(body) as Note;
    return { ...facts, id: item, origin: original(origin) };
  });
}

/** A list of more names helps nobody. */
const mostNames = 20_000;

export async function vocabulary(queries: Queries): Promise<{ tags: string[]; fields: string[] }> {
  const sql = "SELECT DISTINCT vocabulary FROM graph_bodies WHERE owner = $1 AND vocabulary IS NOT NULL";
  const rows = await queries.all<{ vocabulary: string }>(sql);
  const names = { tags: new Set<string>(), fields: new Set<string>() };
  for (const row of rows) {
    const [own, inherited, fields] = JSON.parse(row.vocabulary) as [string[], string[], string[]];
    for (const tag of [...own, ...inherited]) names.tags.add(tag);
    for (const field of fields) names.fields.add(field);
  }
  const sorted = (set: Set<string>) => [...set].sort().slice(0, mostNames);
  return { tags: sorted(names.tags), fields: sorted(names.fields) };
}
