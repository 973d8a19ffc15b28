import type { Relation } from "../../../note.ts";
import type { Neighbours } from "../../graph.ts";
import { atMostNotes, markOf, relationCodes } from "../../rules/graph-text.ts";
import {
  addStatement,
  type Ends,
  endsOf,
  neighboursFrom,
  noStatements,
  readOfEach,
  slotOf,
  statementCodes,
} from "../../rules/graph-walk.ts";
import type { Queries } from "../engine/session/session.ts";
import { isNote, resolvedKey } from "./graph-tables.ts";

type Asked = [
  key: number,
  item: string,
  parent: number | null,
  references: number[] | null,
  fields: number[] | null,
  aliases: number[],
];
type Said = [target: number, code: number, source: number, place: number];
type Meaning = [named: number, key: number, item: string];

export async function neighbours(
  queries: Queries,
  ids: string[],
  relations: readonly Relation[],
  limit: number,
): Promise<Neighbours> {
  const uniqueRelations = [...new Set(relations)];
  const most = atMostNotes(limit);
  const limitOfEach = readOfEach(most);
  // In one statement, so that everything is of one moment: the notes, the statements about them (only the first for
  // each key and relation), and the meanings of all keys on either side.
  const row = await queries.get<{ asked: Asked[] | null; said: Said[] | null; meanings: Meaning[] | null }>(
    `WITH asked AS MATERIALIZED (
       SELECT j.line, k.id AS key, k.item, k.parent, k.refs, k.fields,
         ARRAY(SELECT a.id FROM graph_keys AS a WHERE a.owner = $1 AND a.alias = k.id) AS aliases
       FROM unnest($2::text[]) WITH ORDINALITY AS j(item, line)
       JOIN graph_keys AS k ON k.owner = $1 AND k.item = j.item AND ${isNote("k")}
     ), said AS MATERIALIZED (
       SELECT t.target, r.code, e.source, e.place FROM (SELECT unnest(key || aliases) AS target FROM asked) AS t
       CROSS JOIN unnest($3::smallint[]) AS r(code) CROSS JOIN LATERAL (
         (SELECT source, 0 AS place FROM graph_edges WHERE owner = $1 AND target = t.target AND relation = r.code
          ORDER BY mark, source LIMIT $4)
         UNION ALL
         (SELECT id, place FROM graph_keys WHERE owner = $1 AND parent = t.target AND r.code = ${relationCodes.child}
          ORDER BY place, item LIMIT $4)
       ) AS e
     ), named AS (
       SELECT unnest(array_append(refs || fields, parent)) AS key FROM asked UNION SELECT source FROM said
     )
     SELECT (SELECT json_agg(json_build_array(key, item, parent, refs, fields, aliases) ORDER BY line) FROM asked) AS asked,
       (SELECT json_agg(json_build_array(target, code, source, place)) FROM said) AS said,
       (SELECT json_agg(json_build_array(k.id, m.id, m.item)) FROM named JOIN graph_keys AS k ON k.owner = $1 AND k.id = named.key
        JOIN graph_keys AS m ON m.owner = $1 AND m.id = ${resolvedKey("k")}) AS meanings`,
    [[...new Set(ids)], statementCodes(uniqueRelations), limitOfEach],
  );
  const notes = (row?.asked ?? []).map(([key, item, parent, references, fields, aliases]) => ({
    ...{ key, item, parent, references: references ?? [], fields: fields ?? [] },
    keys: [key, ...aliases],
  }));
  const statements = noStatements();
  for (const statement of row?.said ?? []) addStatement(statements, ...statement);
  for (const [slot, ofSlot] of statements.bySlot) if (ofSlot.length === limitOfEach) statements.cut.add(slot);
  const meanings = new Map((row?.meanings ?? []).map(([mentioned, key, item]) => [mentioned, { key, item }]));
  const ends = endsOf(notes, uniqueRelations, statements, meanings);
  const totals = await countEnds(
    queries,
    ends.filter(({ uncounted }) => uncounted),
  );
  return neighboursFrom(ends, most, ({ note, uncounted }) => totals.get(slotOf(note.key, uncounted!.code))!);
}

/** Number of statements about notes of which not everything was read, by note and relation. */
async function countEnds(queries: Queries, cut: Ends[]): Promise<Map<number, number>> {
  if (cut.length === 0) return new Map();
  const counts = cut.map(({ note, uncounted }) => {
    const { keys, code, named } = uncounted!;
    return {
      slot: slotOf(note.key, code),
      note: note.key,
      code,
      keys,
      named: named.map(({ key }) => key),
      marks: named.map(({ item }) => markOf(item)),
    };
  });
  // Notes that the note mentions itself are counted once, whether or not they mention it too.
  const rows = await queries.all<{ slot: number; count: number }>(
    `SELECT w.slot, (
       SELECT count(DISTINCT e.source) FROM graph_edges AS e
       WHERE e.owner = $1 AND e.target IN (SELECT json_array_elements_text(w.keys)::int) AND e.relation = w.code AND e.source <> w.note
     ) + (
       SELECT count(*) FROM graph_keys AS c WHERE w.code = ${relationCodes.child}
       AND c.owner = $1 AND c.parent IN (SELECT json_array_elements_text(w.keys)::int) AND c.id <> w.note
     ) + (
       SELECT count(*) FROM ROWS FROM (json_array_elements_text(w.named), json_array_elements_text(w.marks)) AS j(source, mark)
       WHERE NOT EXISTS (
         SELECT 1 FROM graph_edges AS e WHERE e.owner = $1 AND e.target IN (SELECT json_array_elements_text(w.keys)::int)
         AND e.relation = w.code AND e.mark = j.mark::bigint AND e.source = j.source::int
       )
     ) AS count
     FROM json_to_recordset($2::json) AS w(slot bigint, note int, code smallint, keys json, named json, marks json)`,
    [JSON.stringify(counts)],
  );
  return new Map(rows.map(({ slot, count }) => [slot, count]));
}
