import type { Relation } from "../../../note.ts";
import type { Neighbours } from "../../graph.ts";
import { atMost, markOf, meant, relationCodes, rowsOf } from "./node-keys.ts";
import type { GraphReads, KeyMeaning } from "./read.ts";

type Asked = {
  key: number;
  item: string;
  parent: number | null;
  references: number[];
  fields: number[];
  /** Every key that means it: its own and aliases. */
  keys: number[];
};
/** What is said of keys, by `slot`; those with more than was read are `cut`. */
type Sayings = { said: Map<number, { source: number; place: number }[]>; cut: Set<number> };
/** The other end of an edge. */
type End = KeyMeaning & { place: number; out: boolean };

/** One relation of one key, as one number: codes are smaller than 16. */
const slot = (key: number, code: number) => key * 16 + code;

export function neighbours(
  graph: GraphReads,
  ids: string[],
  relations: readonly Relation[],
  limit: number,
): Neighbours {
  const asked = notesAsked(graph, ids);
  const wanted = [...new Set(relations)];
  const most = atMost(limit);
  const sayings = sayingsOf(graph, asked, wanted, most);
  const meanings = meaningsOf(graph, asked, wanted, sayings);
  const found: Neighbours = { edges: [], more: [] };
  for (const note of asked) {
    for (const relation of wanted) {
      const { ends, total } = endsOf(graph, note, relation, sayings, meanings);
      for (const { item, out } of ends.slice(0, most)) found.edges.push({ from: note.item, to: item, relation, out });
      if (total > most) found.more.push({ from: note.item, relation, total });
    }
  }
  return found;
}

function notesAsked({ database, owner }: GraphReads, ids: string[]): Asked[] {
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

/**
 * What is said of these notes. Of a key that much is said of, only the first of each relation are read: as many as are asked for,
 * the note itself, which may be among them, and one more, which shows that there are more.
 */
function sayingsOf({ database }: GraphReads, asked: Asked[], wanted: Relation[], most: number): Sayings {
  const codes = wanted.flatMap((relation) => (relation === "parent" ? [] : relationCodes[relation]));
  const sayings: Sayings = { said: new Map(), cut: new Set() };
  if (codes.length === 0) return sayings;
  const add = (key: number, code: number, source: number, place: number) => {
    const known = sayings.said.get(slot(key, code));
    if (known) known.push({ source, place });
    else sayings.said.set(slot(key, code), [{ source, place }]);
  };
  const keys = asked.flatMap((note) => note.keys);
  const read = most + 2;
  const crowded = rowsOf<number>(
    database,
    `SELECT json_group_array(value) AS rows FROM json_each(?) AS j
     WHERE EXISTS (SELECT 1 FROM graph_edges WHERE target = j.value LIMIT 1 OFFSET ?)`,
    [JSON.stringify(keys), read],
  );
  const hubs = new Set(crowded);
  const few = keys.filter((key) => !hubs.has(key));
  const rows = rowsOf<[key: number, code: number, source: number, place: number]>(
    database,
    `SELECT json_group_array(json_array(e.target, e.relation, e.source, e.place)) AS rows
     FROM json_each(?) AS j CROSS JOIN graph_edges AS e ON e.target = j.value`,
    [JSON.stringify(few)],
  );
  for (const row of rows) add(...row);
  if (crowded.length === 0) return sayings;
  const first = rowsOf<[key: number, code: number, said: [source: number, place: number][]]>(
    database,
    `SELECT json_group_array(json_array(j.value, r.value, json((
       SELECT json_group_array(json_array(source, place)) FROM (
         SELECT source, place FROM graph_edges WHERE target = j.value AND relation = r.value ORDER BY place, mark LIMIT ?
       )
     )))) AS rows FROM json_each(?) AS j CROSS JOIN json_each(?) AS r`,
    [read, JSON.stringify(crowded), JSON.stringify(codes)],
  );
  for (const [key, code, said] of first) {
    for (const each of said) add(key, code, ...each);
    if (said.length === read) sayings.cut.add(slot(key, code));
  }
  return sayings;
}

/** What these notes name, and who says something of them; keys that mean no note are absent. */
function meaningsOf(graph: GraphReads, asked: Asked[], wanted: Relation[], { said }: Sayings): Map<number, KeyMeaning> {
  const keys = new Set<number>();
  for (const note of asked) for (const relation of wanted) for (const key of namedBy(note, relation)) keys.add(key);
  for (const list of said.values()) for (const { source } of list) keys.add(source);
  const known = new Map<number, KeyMeaning>();
  const missing: number[] = [];
  for (const key of keys) {
    const meaning = graph.meanings.get(key);
    if (meaning) known.set(key, meaning);
    else if (meaning === undefined) missing.push(key);
  }
  for (const [key, meaning] of missing.length === 0 ? [] : readMeanings(graph, missing)) known.set(key, meaning);
  for (const key of missing) graph.meanings.set(key, known.get(key) ?? null);
  return known;
}

function readMeanings({ database }: GraphReads, keys: number[]): [named: number, meaning: KeyMeaning][] {
  const rows = rowsOf<[number, number, string]>(
    database,
    `SELECT json_group_array(json_array(k.id, m.id, m.item)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_keys AS m ON m.id = ${meant("k")}`,
    [JSON.stringify(keys)],
  );
  return rows.map(([named, key, item]) => [named, { key, item }]);
}

function namedBy(note: Asked, relation: Relation): number[] {
  if (relation === "reference") return note.references;
  if (relation === "field") return note.fields;
  return relation === "parent" && note.parent !== null ? [note.parent] : [];
}

/** A note's neighbours by one relation, in order, as far as they were read, and how many there are in all. */
function endsOf(
  graph: GraphReads,
  note: Asked,
  relation: Relation,
  { said, cut }: Sayings,
  meanings: Map<number, KeyMeaning>,
): { ends: End[]; total: number } {
  const ends = new Map<number, End>();
  for (const key of namedBy(note, relation)) {
    const end = meanings.get(key);
    if (end) ends.set(end.key, { key: end.key, item: end.item, place: 0, out: relation !== "parent" });
  }
  const named = [...ends.values()];
  const code = relation === "parent" ? 0 : relationCodes[relation];
  const keys = note.keys.filter((key) => said.has(slot(key, code)));
  for (const key of keys) {
    for (const { source, place } of said.get(slot(key, code))!) {
      if (ends.has(source)) continue;
      ends.set(source, { key: source, item: meanings.get(source)!.item, place, out: relation === "child" });
    }
  }
  ends.delete(note.key);
  const ordered = [...ends.values()].sort((a, b) => a.place - b.place || (a.item < b.item ? -1 : 1));
  const whole = !keys.some((key) => cut.has(slot(key, code)));
  return { ends: ordered, total: whole ? ends.size : countEnds(graph, note, keys, code, named) };
}

/** Without reading what is counted, unless a note could be counted twice because it names several keys of one note. */
function countEnds({ database }: GraphReads, note: Asked, keys: number[], code: number, named: End[]): number {
  const others = named.filter(({ key }) => key !== note.key).map(({ key, item }) => [key, markOf(item)]);
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
