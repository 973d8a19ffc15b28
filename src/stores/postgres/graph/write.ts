import { hashText } from "../../../text/hash.ts";
import type { GraphChange } from "../../graph.ts";
import {
  type CountChange,
  countChange,
  describeChange,
  edgesOf,
  meaningsToDecide,
  type NewNote,
  type NoteRow,
  perhapsUnused,
  unknownItems,
  withNumbers,
} from "../../rules/graph-rows.ts";
import { exactly, nameHash } from "../../rules/graph-text.ts";
import type { TransactionQueries } from "../engine/session.ts";
import { sheetHash } from "./graph-tables.ts";

/** The statements, in order. All are computed before any is sent, so that errors in the notes show first. */
type Write = [sql: string, values: unknown[]];

/** Within a transaction that holds the lock of the owner's notes. */
export async function writeGraph(queries: TransactionQueries, originName: string, change: GraphChange): Promise<void> {
  const { added: described, outdated, items } = describeChange(originName, change);
  const [existing, origins, highest] = await Promise.all([
    queries.all<{ item: string; id: number }>("SELECT item, id FROM graph_keys WHERE owner = $1 AND item = ANY($2)", [
      items,
    ]),
    queries.all<{ id: number }>("SELECT id FROM graph_origins WHERE owner = $1 AND name = $2", [exactly(originName)]),
    queries.get<{ key: number; origin: number }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM graph_keys WHERE owner = $1) AS key,
         (SELECT coalesce(max(id), 0) FROM graph_origins WHERE owner = $1) AS origin`,
    ),
  ]);
  const numbers = new Map(existing.map(({ item, id }) => [item, id]));
  const origin = origins[0]?.id ?? highest!.origin + 1;
  const old = await oldNotes(
    queries,
    [...outdated].flatMap((item) => numbers.get(item) ?? []),
  );

  // Numbered in the order in which they come, so that they are read in it.
  const unknown = unknownItems(described, numbers);
  const newItems = [
    ...new Set([...described.map(({ item }) => item).filter((item) => !numbers.has(item)), ...unknown]),
  ];
  for (const [i, item] of newItems.entries()) numbers.set(item, highest!.key + 1 + i);
  const added = described.map((each) => withNumbers(each, numbers));
  const newKeys = new Set(newItems.map((item) => numbers.get(item)!));
  const writes: Write[] = [
    ...(origins.length === 0 ? [addOrigin(origin, originName)] : []),
    ...takeOut(old),
    addKeys(origin, newItems, numbers, new Set(described.map(({ item }) => item))),
    ...addNotes(origin, added),
    ...decideMeanings(meaningsToDecide(added, old, newKeys)),
    ...(old.length > 0 ? [deleteUnused(old)] : []),
    ...saveCounts(origin, countChange(added, old)),
  ];
  await Promise.all(writes.map(([sql, values]) => queries.run(sql, values)));
}

function addOrigin(origin: number, name: string): Write {
  return ["INSERT INTO graph_origins(owner, id, name) VALUES($1, $2, $3)", [origin, exactly(name)]];
}

type OldRow = Omit<NoteRow, "counted" | "references"> & {
  refs: number[];
  value_count: number;
  reference_count: number;
  vocabulary: string;
};

async function oldNotes(queries: TransactionQueries, keys: number[]): Promise<NoteRow[]> {
  if (keys.length === 0) return [];
  const rows = await queries.all<OldRow>(
    `SELECT n.key, b.item, n.parent, n.place, n.refs, n.fields, n.aliases, n.value_count, n.reference_count, b.vocabulary
     FROM graph_notes AS n JOIN graph_bodies AS b ON b.owner = $1 AND b.key = n.key WHERE n.owner = $1 AND n.key = ANY($2)`,
    [keys],
  );
  return rows.map(({ refs, value_count: values, reference_count: references, vocabulary, ...row }) => {
    const [tags] = JSON.parse(vocabulary) as [string[]];
    return { ...row, references: refs, counted: { tags, values, references } };
  });
}

/** Removes notes with their statements. */
function takeOut(old: NoteRow[]): Write[] {
  if (old.length === 0) return [];
  const edges = old.flatMap(edgesOf);
  const aliases = old.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key] as const));
  const keys = old.map(({ key }) => key);
  return [
    [
      `DELETE FROM graph_edges AS e USING unnest($2::int[], $3::smallint[], $4::int[], $5::bigint[], $6::int[])
         AS j(target, relation, place, mark, source)
       WHERE e.owner = $1 AND e.target = j.target AND e.relation = j.relation AND e.place = j.place AND e.mark = j.mark
         AND e.source = j.source`,
      columnsOf(edges, 5),
    ],
    [
      `DELETE FROM graph_aliases AS a USING unnest($2::int[], $3::int[]) AS j(alias, key)
       WHERE a.owner = $1 AND a.alias = j.alias AND a.key = j.key`,
      columnsOf(aliases, 2),
    ],
    ["DELETE FROM graph_bodies WHERE owner = $1 AND key = ANY($2)", [keys]],
    ["DELETE FROM graph_notes WHERE owner = $1 AND key = ANY($2)", [keys]],
  ];
}

function addKeys(origin: number, items: string[], numbers: Map<string, number>, notes: Set<string>): Write {
  return [
    `INSERT INTO graph_keys(owner, id, origin, item, note)
     SELECT $1, j.id, $2, j.item, j.note FROM unnest($3::int[], $4::text[], $5::boolean[]) AS j(id, item, note)`,
    [origin, items.map((item) => numbers.get(item)!), items, items.map((item) => notes.has(item))],
  ];
}

function addNotes(origin: number, added: NewNote[]): Write[] {
  const literal = (keys: number[]) => `{${keys}}`;
  const notes = added.map((each) => [
    each.key,
    sheetHash(each.sheet),
    each.hash,
    exactly(each.note.key),
    nameHash(0, each.note.name),
    each.parent,
    each.place,
    literal(each.references),
    literal(each.fields),
    literal(each.aliases),
    each.counted.values,
    each.counted.references,
  ]);
  const bodies = added.map(({ key, item, sheet, note, json }) => [
    ...[key, item, exactly(sheet), json ?? JSON.stringify(note), vocabularyOf(note)],
  ]);
  const aliases = added.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key]));
  return [
    [
      `INSERT INTO graph_notes(owner, origin, key, sheet, hash, written, name, parent, place, refs, fields, aliases, value_count,
         reference_count)
       SELECT $1, $2, key, sheet, hash, written, name, parent, place, refs::int[], fields::int[], aliases::int[], value_count,
         reference_count
       FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::int[], $10::text[], $11::text[],
         $12::text[], $13::int[], $14::int[])
         AS j(key, sheet, hash, written, name, parent, place, refs, fields, aliases, value_count, reference_count)`,
      [origin, ...columnsOf(notes, 12)],
    ],
    [
      `INSERT INTO graph_bodies(owner, origin, key, item, sheet, body, vocabulary)
       SELECT $1, $2, j.* FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[]) AS j`,
      [origin, ...columnsOf(bodies, 5)],
    ],
    [
      "INSERT INTO graph_aliases(owner, alias, key) SELECT $1, j.* FROM unnest($2::int[], $3::int[]) AS j",
      [...columnsOf(aliases, 2)],
    ],
    [
      `INSERT INTO graph_edges(owner, target, relation, place, mark, source)
       SELECT $1, j.* FROM unnest($2::int[], $3::smallint[], $4::int[], $5::bigint[], $6::int[]) AS j`,
      columnsOf(added.flatMap(edgesOf), 5),
    ],
  ];
}

function vocabularyOf({ tags, inherited = [], fields }: NewNote["note"]): string {
  return JSON.stringify([tags, inherited, fields.map(({ name }) => name)]);
}

/** A key means the note that has it; else, of the notes with this alias, the one with the shortest key, then the first by key. */
function decideMeanings({ appeared, gone, aliases }: ReturnType<typeof meaningsToDecide<NewNote>>): Write[] {
  return [
    [
      "UPDATE graph_keys SET note = true, alias = NULL WHERE owner = $1 AND id = ANY($2)",
      [appeared.map(({ key }) => key)],
    ],
    ["UPDATE graph_keys SET note = false WHERE owner = $1 AND id = ANY($2)", [gone]],
    [
      `UPDATE graph_keys AS k SET alias = (
         SELECT a.key FROM graph_aliases AS a JOIN graph_notes AS n ON n.owner = a.owner AND n.key = a.key
         WHERE a.owner = $1 AND a.alias = k.id ORDER BY length(n.written), n.written LIMIT 1
       ) WHERE k.owner = $1 AND k.id = ANY($2) AND NOT k.note`,
      [aliases],
    ],
  ];
}

/** Keys that no note has or mentions. */
function deleteUnused(old: NoteRow[]): Write {
  return [
    `DELETE FROM graph_keys AS k WHERE k.owner = $1 AND k.id = ANY($2) AND NOT k.note AND k.alias IS NULL
     AND NOT EXISTS (SELECT 1 FROM graph_edges AS e WHERE e.owner = $1 AND e.target = k.id)`,
    [perhapsUnused(old)],
  ];
}

function saveCounts(origin: number, change: CountChange): Write[] {
  const tags = change.byTag.map(([name, by]) => [hashText(name), name, by]);
  return [
    [
      `UPDATE graph_origins SET note_count = note_count + $3, tag_count = tag_count + $4, value_count = value_count + $5,
       reference_count = reference_count + $6 WHERE owner = $1 AND id = $2`,
      [origin, change.notes, change.tags, change.values, change.references],
    ],
    [
      `INSERT INTO graph_tags(owner, origin, hash, name, notes)
       SELECT $1, $2, j.* FROM unnest($3::text[], $4::text[], $5::bigint[]) AS j
       ON CONFLICT (owner, origin, hash) DO UPDATE SET notes = graph_tags.notes + excluded.notes`,
      [origin, ...columnsOf(tags, 3)],
    ],
    [
      "DELETE FROM graph_tags WHERE owner = $1 AND origin = $2 AND hash = ANY($3) AND notes = 0",
      [origin, tags.map(([hash]) => hash)],
    ],
  ];
}

/** Removes an origin with all its notes, within a transaction; false when there is none of this name. */
export async function forgetOrigin(queries: TransactionQueries, name: string): Promise<boolean> {
  const sql = "SELECT id FROM graph_origins WHERE owner = $1 AND name = $2";
  const origin = (await queries.get<{ id: number }>(sql, [exactly(name)]))?.id;
  if (origin === undefined) return false;
  const keys = "(SELECT id FROM graph_keys WHERE owner = $1 AND origin = $2)";
  await Promise.all(
    [
      `graph_edges WHERE owner = $1 AND target IN ${keys}`,
      `graph_aliases WHERE owner = $1 AND alias IN ${keys}`,
      "graph_bodies WHERE owner = $1 AND key IN (SELECT key FROM graph_notes WHERE owner = $1 AND origin = $2)",
      "graph_notes WHERE owner = $1 AND origin = $2",
      "graph_keys WHERE owner = $1 AND origin = $2",
      "graph_tags WHERE owner = $1 AND origin = $2",
      "graph_origins WHERE owner = $1 AND id = $2",
    ].map((condition) => queries.run(`DELETE FROM ${condition}`, [origin])),
  );
  return true;
}

/** Rows as the columns that `unnest` takes. */
function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}
