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
import { exactly, nameHash, relationCodes } from "../../rules/graph-text.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import { isNote, sheetHash } from "./graph-tables.ts";

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
  const notes = new Set(described.map(({ item }) => item));
  const mentioned = newItems.filter((item) => !notes.has(item));
  const writes: Write[] = [
    ...(origins.length === 0 ? [addOrigin(origin, originName)] : []),
    ...removeNotes(old),
    addKeys(origin, mentioned, numbers),
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

type OldRow = Pick<NoteRow, "key" | "item" | "parent" | "place"> & {
  refs: number[] | null;
  fields: number[] | null;
  aliases: number[] | null;
  value_count: number;
  reference_count: number;
  vocabulary: string | null;
};

async function oldNotes(queries: TransactionQueries, keys: number[]): Promise<NoteRow[]> {
  if (keys.length === 0) return [];
  const rows = await queries.all<OldRow>(
    `SELECT k.id AS key, k.item, k.parent, k.place, k.refs, k.fields, k.aliases, k.value_count, k.reference_count, b.vocabulary
     FROM graph_keys AS k JOIN graph_bodies AS b ON b.owner = $1 AND b.key = k.id WHERE k.owner = $1 AND k.id = ANY($2)`,
    [keys],
  );
  return rows.map(({ refs, fields, aliases, value_count: values, reference_count: references, vocabulary, ...row }) => {
    const [tags] = vocabulary === null ? [[]] : (JSON.parse(vocabulary) as [string[]]);
    return {
      ...row,
      references: refs ?? [],
      fields: fields ?? [],
      aliases: aliases ?? [],
      counted: { tags, values, references },
    };
  });
}

/** Mentions and values: [target, relation, mark, source]. Children are found by their parent. */
function storedEdges(notes: readonly NoteRow[]): number[][] {
  return notes
    .flatMap(edgesOf)
    .filter(([, relation]) => relation !== relationCodes.child)
    .map(([target, relation, , mark, source]) => [target, relation, mark, source]);
}

/** Removes the statements and texts of notes; their rows of `graph_keys` are written again or emptied. */
function removeNotes(old: NoteRow[]): Write[] {
  if (old.length === 0) return [];
  const aliases = old.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key] as const));
  return [
    [
      `DELETE FROM graph_edges AS e USING unnest($2::int[], $3::smallint[], $4::bigint[], $5::int[]) AS j(target, relation, mark, source)
       WHERE e.owner = $1 AND e.target = j.target AND e.relation = j.relation AND e.mark = j.mark AND e.source = j.source`,
      columnsOf(storedEdges(old), 4),
    ],
    [
      `DELETE FROM graph_aliases AS a USING unnest($2::int[], $3::int[]) AS j(alias, key)
       WHERE a.owner = $1 AND a.alias = j.alias AND a.key = j.key`,
      columnsOf(aliases, 2),
    ],
    ["DELETE FROM graph_bodies WHERE owner = $1 AND key = ANY($2)", [old.map(({ key }) => key)]],
  ];
}

/** Keys that are mentioned, without a note. */
function addKeys(origin: number, items: string[], numbers: Map<string, number>): Write {
  return [
    "INSERT INTO graph_keys(owner, origin, id, item) SELECT $1, $2, j.* FROM unnest($3::int[], $4::text[]) AS j",
    [origin, items.map((item) => numbers.get(item)!), items],
  ];
}

/** The columns of a note in `graph_keys`, with their types. */
const noteColumns = {
  ...{ sheet: "bigint", hash: "text", written: "text", name: "bigint", parent: "int", place: "int" },
  ...{ refs: "int[]", fields: "int[]", aliases: "int[]", value_count: "int", reference_count: "int" },
};
const noteNames = Object.keys(noteColumns);

/** A note whose key was mentioned before, or which is there already, takes the place of what its row has. */
function addNotes(origin: number, added: NewNote[]): Write[] {
  const list = (keys: number[]) => (keys.length === 0 ? null : `{${keys}}`);
  const notes = added.map((each) => [
    ...[each.key, each.item, sheetHash(each.sheet), each.hash, exactly(each.note.key), nameHash(0, each.note.name)],
    ...[each.parent, each.place, list(each.references), list(each.fields), list(each.aliases)],
    ...[each.counted.values, each.counted.references],
  ]);
  const bodies = added.map(({ key, sheet, note, json }) => [
    ...[key, exactly(sheet), json ?? JSON.stringify(note), vocabularyOf(note)],
  ]);
  const aliases = added.flatMap(({ key, aliases }) => aliases.map((alias) => [alias, key]));
  // An array of arrays would have to be a rectangle: lists come as texts.
  const values = Object.values(noteColumns).map((type, i) => `$${i + 5}::${type === "int[]" ? "text" : type}[]`);
  const selected = Object.entries(noteColumns).map(([name, type]) => `j.${name}::${type}`);
  return [
    [
      `INSERT INTO graph_keys(owner, origin, id, item, ${noteNames}) SELECT $1, $2, j.id, j.item, ${selected}
       FROM unnest($3::int[], $4::text[], ${values}) AS j(id, item, ${noteNames})
       ON CONFLICT (owner, id) DO UPDATE SET alias = NULL, ${noteNames.map((name) => `${name} = excluded.${name}`)}`,
      [origin, ...columnsOf(notes, noteNames.length + 2)],
    ],
    [
      `INSERT INTO graph_bodies(owner, key, sheet, body, vocabulary)
       SELECT $1, j.* FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS j`,
      columnsOf(bodies, 4),
    ],
    [
      "INSERT INTO graph_aliases(owner, alias, key) SELECT $1, j.* FROM unnest($2::int[], $3::int[]) AS j",
      [...columnsOf(aliases, 2)],
    ],
    [
      `INSERT INTO graph_edges(owner, target, relation, mark, source)
       SELECT $1, j.* FROM unnest($2::int[], $3::smallint[], $4::bigint[], $5::int[]) AS j`,
      columnsOf(storedEdges(added), 4),
    ],
  ];
}

function vocabularyOf({ tags, inherited = [], fields }: NewNote["note"]): string | null {
  if (tags.length + inherited.length + fields.length === 0) return null;
  return JSON.stringify([tags, inherited, fields.map(({ name }) => name)]);
}

/**
 * A key means the note that has it; else, of the notes with this alias, the one with the shortest key, then the first
 * by key.
 */
function decideMeanings({ gone, aliases }: ReturnType<typeof meaningsToDecide<NewNote>>): Write[] {
  return [
    [`UPDATE graph_keys SET ${noteNames.map((name) => `${name} = NULL`)} WHERE owner = $1 AND id = ANY($2)`, [gone]],
    [
      `UPDATE graph_keys AS k SET alias = (
         SELECT a.key FROM graph_aliases AS a JOIN graph_keys AS n ON n.owner = $1 AND n.id = a.key
         WHERE a.owner = $1 AND a.alias = k.id ORDER BY length(n.written), n.written LIMIT 1
       ) WHERE k.owner = $1 AND k.id = ANY($2) AND NOT (${isNote("k")})`,
      [aliases],
    ],
  ];
}

/** Keys that no note has or mentions. */
function deleteUnused(old: NoteRow[]): Write {
  return [
    `DELETE FROM graph_keys AS k WHERE k.owner = $1 AND k.id = ANY($2) AND NOT (${isNote("k")}) AND k.alias IS NULL
     AND NOT EXISTS (SELECT 1 FROM graph_edges AS e WHERE e.owner = $1 AND e.target = k.id)
     AND NOT EXISTS (SELECT 1 FROM graph_keys AS c WHERE c.owner = $1 AND c.parent = k.id)`,
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
      `graph_bodies WHERE owner = $1 AND key IN ${keys}`,
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
