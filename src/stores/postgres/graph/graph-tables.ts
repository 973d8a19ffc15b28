import { exactly } from "../../rules/graph-text.ts";
import { storedHash } from "../engine/stored-hash.ts";
import { ownedTable } from "../engine/tables.ts";

/**
 * The notes graph (rules/graph-rows.ts). A key is any name that notes have or mention; keys and origins are numbered
 * within their owner. Names of sheets and tags may be long, so they are found by their hash. `body` is the note as
 * JSON, never parsed by the server: PostgreSQL's JSON has no NUL.
 */
export const graphTables = [
  ownedTable(
    "graph_origins",
    `id int NOT NULL, name text COLLATE "C" NOT NULL, note_count bigint NOT NULL DEFAULT 0, tag_count bigint NOT NULL DEFAULT 0,
     value_count bigint NOT NULL DEFAULT 0, reference_count bigint NOT NULL DEFAULT 0, PRIMARY KEY(owner, id)`,
  ),
  "CREATE UNIQUE INDEX graph_origins_name ON graph_origins(owner, name);",
  ownedTable("graph_aliases", "alias int NOT NULL, key int NOT NULL, PRIMARY KEY(owner, alias, key)"),
  ownedTable(
    "graph_tags",
    `origin int NOT NULL, hash text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, notes bigint NOT NULL,
     PRIMARY KEY(owner, origin, hash)`,
  ),
].join("\n");

/**
 * Since version 3, in few rows and columns: a row costs PostgreSQL 28 bytes beside its values, an entry of an index 12,
 * an empty array 13. So a key and its note are one row, empty lists are NULL, and numbers come first, so that none is
 * padded.
 */
export const graphKeyTables = [
  // Keys, and the note of each where there is one. `item`: item id of a note with this key. `written`: the key as the
  // origin spells it. `hash` and the columns after it are the note's, NULL without one. `sheet` is a hash, `name` the
  // hash of the folded name, NULL when that is empty. Without a note of its own, `alias` is the key of the note with
  // this alias.
  ownedTable(
    "graph_keys",
    `sheet bigint, name bigint, id int NOT NULL, origin int NOT NULL, alias int, parent int, place int, value_count int,
     reference_count int, item text COLLATE "C" NOT NULL, hash text, written text COLLATE "C", refs int[], fields int[], aliases int[],
     PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX graph_keys_item ON graph_keys(owner, item);
   CREATE INDEX graph_keys_alias ON graph_keys(owner, alias) WHERE alias IS NOT NULL;
   CREATE INDEX graph_keys_sheet ON graph_keys(owner, origin, sheet);
   CREATE INDEX graph_keys_dangling ON graph_keys(owner, origin) WHERE hash IS NULL AND alias IS NULL;
   CREATE INDEX graph_keys_name ON graph_keys(owner, name) WHERE name IS NOT NULL;
   CREATE INDEX graph_keys_parent ON graph_keys(owner, parent, place, item) WHERE parent IS NOT NULL;`,
  // A separate table, so that walking the graph does not read texts. `vocabulary` is JSON: tags, inherited tags, names
  // of fields; NULL for a note without any.
  ownedTable(
    "graph_bodies",
    "key int NOT NULL, sheet text NOT NULL, vocabulary text, body text NOT NULL, PRIMARY KEY(owner, key)",
  ),
  // Mentions of a key by notes, and notes that have it as a value, by the item id, whose beginning is the mark.
  // Children are found by their parent.
  ownedTable(
    "graph_edges",
    `mark bigint NOT NULL, target int NOT NULL, source int NOT NULL, relation smallint NOT NULL,
     PRIMARY KEY(owner, target, relation, mark, source)`,
  ),
].join("\n");

/** Whether a row of `graph_keys` has a note, as SQL. */
export const isNote = (row: string): string => `${row}.hash IS NOT NULL`;

/** The key of the note that a row of `graph_keys` resolves to, as SQL. */
export const resolvedKey = (row: string): string => `CASE WHEN ${isNote(row)} THEN ${row}.id ELSE ${row}.alias END`;

export const sheetHash = (sheet: string): string => storedHash(exactly(sheet));
