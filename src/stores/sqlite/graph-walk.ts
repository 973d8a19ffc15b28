import type { Relation } from "../../note.ts";
import type { Neighbours, StoredNote } from "../graph.ts";
import { relationCodes, rowsOf } from "./graph-keys.ts";
import { type Graph, notesByKey } from "./graph-read.ts";

/** The key of the note that a row of `graph_keys` means, as SQL. */
const meant = (row: string) => `iif(${row}.note IS NULL, ${row}.alias, ${row}.id)`;

type Asked = {
  number: number;
  item: string;
  parent: number | null;
  references: number[];
  fields: number[];
  /** Every key that means it: its own and aliases. */
  keys: number[];
};

/** The other end of an edge. */
type End = { number: number; item: string; place: number; out: boolean };
/** What is said of a key by one relation, as far as it was read. */
type Said = { ends: End[]; cut: boolean };

export function neighbours(graph: Graph, ids: string[], relations: readonly Relation[], limit: number): Neighbours {
  const asked = notesAsked(graph, ids);
  const wanted = [...new Set(relations)];
  const most = Math.max(0, Math.floor(limit));
  const targets = meanings(graph, asked, wanted);
  const said = saidOf(graph, asked, wanted, most);
  const found: Neighbours = { edges: [], more: [] };
  for (const note of asked) {
    for (const relation of wanted) {
      const { ends, total } = endsOf(graph, note, relation, targets, said, most);
      for (const { item, out } of ends.slice(0, most)) found.edges.push({ from: note.item, to: item, relation, out });
      if (total > most) found.more.push({ from: note.item, relation, total });
    }
  }
  return found;
}

function notesAsked({ database, owner }: Graph, ids: string[]): Asked[] {
  const rows = rowsOf<[number, string, number | null, [number[], number[], number[]], number[]]>(
    database,
    `SELECT json_group_array(json_array(k.id, k.item, n.parent, json(n.links), (
       SELECT json_group_array(a.id) FROM graph_keys AS a WHERE a.alias = k.id
     ))) AS rows FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value
     CROSS JOIN graph_notes AS n ON n.id = k.note`,
    [JSON.stringify([...new Set(ids)]), owner],
  );
  return rows.map(([number, item, parent, [references, fields], aliases]) => ({
    number,
    item,
    parent,
    references,
    fields,
    keys: [number, ...aliases],
  }));
}

/** What these notes name, by key; keys that mean no note are absent. */
function meanings({ database }: Graph, asked: Asked[], wanted: Relation[]): Map<number, End> {
  const keys = new Set(asked.flatMap((note) => wanted.flatMap((relation) => namedBy(note, relation))));
  const rows = rowsOf<[number, number, string]>(
    database,
    `SELECT json_group_array(json_array(k.id, m.id, m.item)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.id = j.value CROSS JOIN graph_keys AS m ON m.id = ${meant("k")} AND m.note IS NOT NULL`,
    [JSON.stringify([...keys])],
  );
  return new Map(rows.map(([key, number, item]) => [key, { number, item, place: 0, out: true }]));
}

function namedBy(note: Asked, relation: Relation): number[] {
  if (relation === "reference") return note.references;
  if (relation === "field") return note.fields;
  return relation === "parent" && note.parent !== null ? [note.parent] : [];
}

/** What is said of these notes, by key and relation: of each as many as could be asked for, the note itself among them, and one more. */
function saidOf({ database }: Graph, asked: Asked[], wanted: Relation[], most: number): Map<string, Said> {
  const codes = wanted.flatMap((relation) => (relation === "parent" ? [] : relationCodes[relation]));
  const read = most + 2;
  const rows = rowsOf<[key: number, code: number, ends: [number, string, number][]]>(
    database,
    `SELECT json_group_array(json_array(j.value, r.value, json((
       SELECT json_group_array(json_array(e.source, k.item, e.place)) FROM (
         SELECT source, place FROM graph_edges WHERE target = j.value AND relation = r.value ORDER BY place, mark LIMIT ?
       ) AS e CROSS JOIN graph_keys AS k ON k.id = e.source
     )))) AS rows FROM json_each(?) AS j CROSS JOIN json_each(?) AS r`,
    [read, JSON.stringify(asked.flatMap(({ keys }) => keys)), JSON.stringify(codes)],
  );
  return new Map(
    rows.map(([key, code, ends]) => [
      `${key} ${code}`,
      { ends: ends.map(([number, item, place]) => ({ number, item, place, out: false })), cut: ends.length === read },
    ]),
  );
}

/** The first of a note's neighbours by one relation, in order, and how many there are in all. */
function endsOf(
  graph: Graph,
  note: Asked,
  relation: Relation,
  targets: Map<number, End>,
  said: Map<string, Said>,
  most: number,
): { ends: End[]; total: number } {
  const ends = new Map<number, End>();
  for (const key of namedBy(note, relation)) {
    const target = targets.get(key);
    if (target) ends.set(target.number, relation === "parent" ? { ...target, out: false } : target);
  }
  const named = [...ends.keys()];
  let cut = false;
  if (relation !== "parent") {
    for (const key of note.keys) {
      const back = said.get(`${key} ${relationCodes[relation]}`)!;
      cut ||= back.cut;
      for (const end of back.ends) {
        if (!ends.has(end.number)) ends.set(end.number, relation === "child" ? { ...end, out: true } : end);
      }
    }
  }
  ends.delete(note.number);
  const total = cut && relation !== "parent" ? countEnds(graph, note, relation, named) : ends.size;
  const ordered = [...ends.values()].sort((a, b) => a.place - b.place || (a.item < b.item ? -1 : 1));
  return { ends: ordered.slice(0, most), total };
}

function countEnds({ database }: Graph, note: Asked, relation: Exclude<Relation, "parent">, named: number[]): number {
  return database.get<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT source FROM graph_edges WHERE target IN (SELECT value FROM json_each(?1)) AND relation = ?2 AND source <> ?3
       UNION SELECT value FROM json_each(?4) WHERE value <> ?3
     )`,
    [JSON.stringify(note.keys), relationCodes[relation], note.number, JSON.stringify(named)],
  )!.count;
}

export function ancestors(graph: Graph, ids: string[], limit: number): Map<string, StoredNote[]> {
  const most = Math.max(0, Math.floor(limit));
  const asked = rowsOf<[number, string]>(
    graph.database,
    `SELECT json_group_array(json_array(k.id, k.item)) AS rows FROM json_each(?) AS j
     CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value WHERE k.note IS NOT NULL`,
    [JSON.stringify([...new Set(ids)]), graph.owner],
  );
  const owners = ownersAbove(
    graph,
    asked.map(([number]) => number),
    most,
  );
  return new Map(asked.map(([number, item]) => [item, notesByKey(graph, wayUp(number, owners, most))]));
}

/**
 * Who owns whom, among these notes and all above them. A note is visited once, so cycles end; level by level, so of each note
 * the first `most` steps are among the first rows.
 */
function ownersAbove({ database }: Graph, numbers: number[], most: number): Map<number, number> {
  const rows = rowsOf<[number, number]>(
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
    [JSON.stringify(numbers), Math.max(1, numbers.length) * (most + 1)],
  );
  return new Map(rows);
}

function wayUp(from: number, owners: Map<number, number>, most: number): number[] {
  const seen = new Set([from]);
  for (let owner = owners.get(from); owner !== undefined && !seen.has(owner); owner = owners.get(owner)) {
    if (seen.size > most) break;
    seen.add(owner);
  }
  seen.delete(from);
  return [...seen];
}
