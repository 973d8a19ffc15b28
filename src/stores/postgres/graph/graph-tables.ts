import { hashText } from "../../../text/hash.ts";
import { exactly } from "../../rules/graph-text.ts";
import { ownedTable } from "../engine/tables.ts";

/**
 * The notes graph (rules/graph-rows.ts). A key is any name that notes have or mention; keys and origins are numbered within their owner.
 * Names of sheets and tags may be long, so they are found by their hash. `body` is the note as JSON, never parsed by the server:
 * PostgreSQL's JSON has no NUL.
 */
export const graphTables = [
  ownedTable(
    "graph_origins",
    `id int NOT NULL, name text COLLATE "C" NOT NULL, note_count bigint NOT NULL DEFAULT 0, tag_count bigint NOT NULL DEFAULT 0,
     value_count bigint NOT NULL DEFAULT 0, reference_count bigint NOT NULL DEFAULT 0, PRIMARY KEY(owner, id)`,
  ),
  "CREATE UNIQUE INDEX graph_origins_name ON graph_origins(owner, name);",
  // `item`: the item id of a note with this key. `note`: whether it exists; else `alias` is the key of the note with this alias.
  ownedTable(
    "graph_keys",
    `id int NOT NULL, origin int NOT NULL, item text COLLATE "C" NOT NULL, note boolean NOT NULL, alias int, PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX graph_keys_item ON graph_keys(owner, item);
   CREATE INDEX graph_keys_alias ON graph_keys(owner, alias) WHERE alias IS NOT NULL;
   CREATE INDEX graph_keys_origin ON graph_keys(owner, origin);`,
  // `sheet`: its hash. `written`: the key as the origin spells it. `name`: hash of the folded name, NULL when it is empty. The other
  // numbers are keys and counts.
  ownedTable(
    "graph_notes",
    `key int NOT NULL, origin int NOT NULL, sheet text COLLATE "C" NOT NULL, hash text NOT NULL, written text COLLATE "C" NOT NULL,
     name bigint, parent int, place int NOT NULL, refs int[] NOT NULL, fields int[] NOT NULL, aliases int[] NOT NULL,
     value_count int NOT NULL, reference_count int NOT NULL, PRIMARY KEY(owner, key)`,
  ),
  `CREATE INDEX graph_notes_sheet ON graph_notes(owner, origin, sheet);
   CREATE INDEX graph_notes_name ON graph_notes(owner, name) WHERE name IS NOT NULL;`,
  // A separate table, so that walking the graph does not read texts, and with everything that a reader of notes needs: every table in a
  // statement costs the server a millisecond of planning. `vocabulary` is JSON: tags, inherited tags, names of fields.
  ownedTable(
    "graph_bodies",
    `key int NOT NULL, item text COLLATE "C" NOT NULL, origin int NOT NULL, sheet text NOT NULL, body text NOT NULL,
     vocabulary text NOT NULL, PRIMARY KEY(owner, key)`,
  ),
  "CREATE UNIQUE INDEX graph_bodies_item ON graph_bodies(owner, item);",
  ownedTable("graph_aliases", "alias int NOT NULL, key int NOT NULL, PRIMARY KEY(owner, alias, key)"),
  // Statements of notes about a key, in reading order: children by place, others by the item id, whose beginning is the mark.
  ownedTable(
    "graph_edges",
    `target int NOT NULL, relation smallint NOT NULL, place int NOT NULL, mark bigint NOT NULL, source int NOT NULL,
     PRIMARY KEY(owner, target, relation, place, mark, source)`,
  ),
  ownedTable(
    "graph_tags",
    `origin int NOT NULL, hash text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, notes bigint NOT NULL,
     PRIMARY KEY(owner, origin, hash)`,
  ),
].join("\n");

/** The key of the note that a row of `graph_keys` resolves to, as SQL. */
export const resolvedKey = (row: string): string => `CASE WHEN ${row}.note THEN ${row}.id ELSE ${row}.alias END`;

export const sheetHash = (sheet: string): string => hashText(exactly(sheet));
