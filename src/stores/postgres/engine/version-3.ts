import { graphKeyTables } from "../graph/graph-tables.ts";
import { markTables } from "../records/record-tables.ts";
import { sqlHash } from "./stored-hash.ts";
import { ownedTable } from "./tables.ts";

/** Tables of versions 1 and 2 that version 3 replaces. */
export const tablesBeforeVersion3 = [
  ownedTable(
    "graph_keys",
    `id int NOT NULL, origin int NOT NULL, item text COLLATE "C" NOT NULL, note boolean NOT NULL, alias int, PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX graph_keys_item ON graph_keys(owner, item);
   CREATE INDEX graph_keys_alias ON graph_keys(owner, alias) WHERE alias IS NOT NULL;
   CREATE INDEX graph_keys_origin ON graph_keys(owner, origin);`,
  ownedTable(
    "graph_notes",
    `key int NOT NULL, origin int NOT NULL, sheet text COLLATE "C" NOT NULL, hash text NOT NULL, written text COLLATE "C" NOT NULL,
     name bigint, parent int, place int NOT NULL, refs int[] NOT NULL, fields int[] NOT NULL, aliases int[] NOT NULL,
     value_count int NOT NULL, reference_count int NOT NULL, PRIMARY KEY(owner, key)`,
  ),
  `CREATE INDEX graph_notes_sheet ON graph_notes(owner, origin, sheet);
   CREATE INDEX graph_notes_name ON graph_notes(owner, name) WHERE name IS NOT NULL;`,
  ownedTable(
    "graph_bodies",
    `key int NOT NULL, item text COLLATE "C" NOT NULL, origin int NOT NULL, sheet text NOT NULL, body text NOT NULL,
     vocabulary text NOT NULL, PRIMARY KEY(owner, key)`,
  ),
  "CREATE UNIQUE INDEX graph_bodies_item ON graph_bodies(owner, item);",
  ownedTable(
    "graph_edges",
    `target int NOT NULL, relation smallint NOT NULL, place int NOT NULL, mark bigint NOT NULL, source int NOT NULL,
     PRIMARY KEY(owner, target, relation, place, mark, source)`,
  ),
  ownedTable(
    "record_marks",
    `type text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
     number double precision, record text COLLATE "C" NOT NULL, PRIMARY KEY(owner, type, path, value, record)`,
  ),
  `CREATE INDEX record_marks_record ON record_marks(owner, record);
   CREATE INDEX record_marks_number ON record_marks(owner, type, path, number) WHERE number IS NOT NULL;`,
].join("\n");

/**
 * Row-level security hides all owners' rows from whoever migrates: it is off for the tables that are read and written.
 */
const seen = (tables: readonly string[], security: "FORCE" | "NO FORCE") =>
  tables.map((table) => `ALTER TABLE ${table} ${security} ROW LEVEL SECURITY;`).join("\n");

const graph = ["graph_keys", "graph_bodies", "graph_edges"];
/** The code of "child" at that time, see links/link-codes.ts. */
const child = 8;

/**
 * The notes graph and the marks of records in half of the bytes. What was written stays: indexes follow by what they
 * know of it.
 */
export const version3 = `
${seen([...graph, "graph_notes", "record_marks", "records"], "NO FORCE")}
CREATE TABLE moved_keys AS SELECT k.owner, ${sqlHash("b.sheet")} AS sheet, n.name, k.id, k.origin, k.alias, n.parent, n.place,
  n.value_count, n.reference_count, k.item, n.hash, n.written, nullif(n.refs, '{}') AS refs, nullif(n.fields, '{}') AS fields,
  nullif(n.aliases, '{}') AS aliases
FROM graph_keys AS k LEFT JOIN graph_notes AS n ON n.owner = k.owner AND n.key = k.id
LEFT JOIN graph_bodies AS b ON b.owner = k.owner AND b.key = n.key;
CREATE TABLE moved_bodies AS SELECT owner, key, sheet, nullif(vocabulary, '[[],[],[]]') AS vocabulary, body FROM graph_bodies;
CREATE TABLE moved_edges AS SELECT owner, mark, target, source, relation FROM graph_edges WHERE relation <> ${child};
CREATE TABLE moved_marks AS SELECT m.owner, r.revision, ${sqlHash("m.type || ' ' || m.path")} AS path,
  ${sqlHash("m.type || ' ' || m.path || ' ' || m.value")} AS value, m.number
FROM record_marks AS m JOIN records AS r ON r.owner = m.owner AND r.id = m.record;
DROP TABLE graph_keys, graph_notes, graph_bodies, graph_edges, record_marks;
${graphKeyTables}
${markTables}
${seen([...graph, "record_marks"], "NO FORCE")}
INSERT INTO graph_keys SELECT * FROM moved_keys;
INSERT INTO graph_bodies SELECT * FROM moved_bodies;
INSERT INTO graph_edges SELECT * FROM moved_edges;
INSERT INTO record_marks SELECT * FROM moved_marks;
DROP TABLE moved_keys, moved_bodies, moved_edges, moved_marks;
${seen([...graph, "record_marks", "records"], "FORCE")}
`;
