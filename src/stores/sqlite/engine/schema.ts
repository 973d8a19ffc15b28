import type { Database } from "./driver.ts";

/** "Doss" in ASCII: identifies the databases of this program. */
export const applicationId = 0x446f7373;
// Versions 1 and 2 had no shelves, version 3 no notes graph. None of them was released, so they are emptied on opening.
export const schemaVersion = 10;

/** Bundles of answers, newest last. Exists since version 5. */
export const bundleTables = `
CREATE TABLE bundles(id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, given BLOB NOT NULL);
CREATE UNIQUE INDEX bundles_name ON bundles(owner, name);
`;

/**
 * Small facts of an owner, and large ones such as the learned vectors. Since version 10 the table has row numbers:
 * without them the values are in the tree of keys, and each look-up reads a megabyte of values to compare the keys
 * before them.
 */
export const metadataTable = `
CREATE TABLE notes(owner INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL);
CREATE UNIQUE INDEX notes_key ON notes(owner, key);
`;

/**
 * A covering index of items by file with the filtered columns, so that filters need not read the items. Exists since
 * version 8.
 */
export const fileIndex = "CREATE INDEX items_file ON items(owner, file, source, kind, language, test);";

/**
 * Vectors of language models, in the layout of the built-in ones, and the lease of the process that makes them. Exists
 * since version 7.
 */
export const modelTables = `
CREATE TABLE models(id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, name TEXT NOT NULL, dimensions INTEGER NOT NULL);
CREATE UNIQUE INDEX models_name ON models(owner, name);
CREATE TABLE model_vectors(
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- grows: what was read up to one is known
  file INTEGER NOT NULL, model INTEGER NOT NULL, items BLOB NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX model_vectors_file ON model_vectors(file, model);
CREATE INDEX model_vectors_model ON model_vectors(model, id);
CREATE TABLE leases(owner INTEGER PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL);
`;

/**
 * All columns are integers that refer to each other: words, paths and ids are stored once. Rows of file-wide tables are
 * found by owner first. Item and file numbers belong to exactly one owner.
 */
export const schema = `
CREATE TABLE owners(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 0,
  named INTEGER NOT NULL, -- 1 when items and files are found by name: otherwise no row of names and no trigram is theirs
  unit_count INTEGER NOT NULL DEFAULT 0, unit_length INTEGER NOT NULL DEFAULT 0,
  file_count INTEGER NOT NULL DEFAULT 0, file_length INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE files(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, path TEXT NOT NULL,
  base TEXT NOT NULL, -- last part of the path, lower case
  hash TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, language TEXT,
  items INTEGER NOT NULL,
  whole INTEGER, -- the item that is the whole file
  role TEXT -- since version 6
);
CREATE UNIQUE INDEX files_path ON files(owner, path);
CREATE INDEX files_base ON files(owner, base);
CREATE TABLE texts(file INTEGER PRIMARY KEY, text BLOB NOT NULL, imports BLOB NOT NULL);

CREATE TABLE names(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL,
  folded TEXT NOT NULL, -- lower case
  name TEXT NOT NULL, -- '' when it is the same as folded
  last INTEGER, -- for a name of several parts: the name that is its last part
  items INTEGER NOT NULL DEFAULT 0 -- how many items have this name; link targets may have none
);
CREATE UNIQUE INDEX names_name ON names(owner, folded, name);

CREATE TABLE items(
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: parts.ts relies on it
  owner INTEGER NOT NULL, key TEXT NOT NULL, file INTEGER NOT NULL,
  name INTEGER NOT NULL, title TEXT, -- a row of names; or 0, and the name itself
  source TEXT NOT NULL, kind TEXT NOT NULL,
  qualified TEXT NOT NULL, -- '+' and what follows the path, or '=' and the whole qualified name
  start INTEGER NOT NULL, stop INTEGER NOT NULL, language TEXT, signature TEXT, doc TEXT, hash TEXT NOT NULL,
  parent INTEGER, -- an item of the same file
  outside TEXT, -- the id of a parent in another file
  test INTEGER, changed INTEGER,
  place INTEGER NOT NULL DEFAULT 0, -- among the items of its file; since version 8
  decisions INTEGER -- since version 9
);
CREATE UNIQUE INDEX items_key ON items(owner, key);
CREATE INDEX items_name ON items(owner, name);
${fileIndex}
CREATE INDEX items_outside ON items(owner, outside) WHERE outside IS NOT NULL;

CREATE TABLE unit_terms(item INTEGER PRIMARY KEY, length INTEGER NOT NULL, terms BLOB NOT NULL);
CREATE TABLE file_terms(item INTEGER PRIMARY KEY, length INTEGER NOT NULL, terms BLOB NOT NULL);
-- Which items have which terms, see parts.ts and postings.ts.
CREATE TABLE parts(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, scope INTEGER NOT NULL, size INTEGER NOT NULL,
  items BLOB NOT NULL, removed BLOB NOT NULL
);
CREATE INDEX parts_scope ON parts(owner, scope);
CREATE TABLE blocks(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE links(
  owner INTEGER NOT NULL, file INTEGER NOT NULL, kind INTEGER NOT NULL, item INTEGER NOT NULL,
  target INTEGER NOT NULL, -- a name: the last part of what the source text says, or an item's id
  whole INTEGER NOT NULL, -- the whole of what the source text says, 0 when it is the target, -1 when the target is an id
  PRIMARY KEY(owner, file, kind, item, target, whole)
) WITHOUT ROWID;
CREATE INDEX links_target ON links(owner, target, kind);

-- One row per file: its items' numbers (uint32, little-endian) and their vectors one after the other, all of one length.
CREATE TABLE vectors(file INTEGER PRIMARY KEY, items BLOB NOT NULL, data BLOB NOT NULL);

-- Git's history. A commit's files are a JSON list of numbers: 8 * path + change, and after a rename the path it had before.
CREATE TABLE commits(
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, sha TEXT NOT NULL, time INTEGER NOT NULL,
  author TEXT NOT NULL, email TEXT NOT NULL, message TEXT NOT NULL, files TEXT NOT NULL, insertions INTEGER, deletions INTEGER
);
CREATE UNIQUE INDEX commits_sha ON commits(owner, sha);
CREATE INDEX commits_time ON commits(owner, time);
-- Every path that a commit touched, with all that happened to it (touches.ts).
CREATE TABLE commit_paths(
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, path TEXT NOT NULL, touches BLOB NOT NULL
);
CREATE UNIQUE INDEX commit_paths_path ON commit_paths(owner, path);

-- The notes graph. A key is whatever notes are called by or name, whether or not such a note exists: notes come and go, keys stay put.
CREATE TABLE graph_origins(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, name TEXT NOT NULL, note_count INTEGER NOT NULL DEFAULT 0,
  tag_count INTEGER NOT NULL DEFAULT 0, value_count INTEGER NOT NULL DEFAULT 0, reference_count INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX graph_origins_name ON graph_origins(owner, name);
CREATE TABLE graph_sheets(id INTEGER PRIMARY KEY, origin INTEGER NOT NULL, name TEXT NOT NULL);
CREATE UNIQUE INDEX graph_sheets_name ON graph_sheets(origin, name);
CREATE TABLE graph_keys(
  id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, origin INTEGER NOT NULL,
  item TEXT NOT NULL, -- the item id of a note with this key: what keys are told apart by
  note INTEGER, -- the note that has this key
  alias INTEGER -- when there is none: the key of the note that it is an alias of
);
CREATE UNIQUE INDEX graph_keys_item ON graph_keys(owner, item);
CREATE INDEX graph_keys_alias ON graph_keys(alias) WHERE alias IS NOT NULL;
CREATE INDEX graph_keys_dangling ON graph_keys(origin) WHERE note IS NULL AND alias IS NULL;
CREATE TABLE graph_notes(
  id INTEGER PRIMARY KEY, sheet INTEGER NOT NULL, hash TEXT NOT NULL,
  key INTEGER NOT NULL, written TEXT NOT NULL, -- its key, and how the origin writes that (graph-keys.ts)
  name INTEGER, -- hash of owner and folded name, NULL when the name is empty
  parent INTEGER, -- the key of its parent
  links TEXT NOT NULL -- JSON: keys it mentions, keys that are values of its fields, keys that are its aliases
);
CREATE INDEX graph_notes_sheet ON graph_notes(sheet);
CREATE INDEX graph_notes_name ON graph_notes(name) WHERE name IS NOT NULL;
-- Apart, so that walking the graph does not read past the texts.
CREATE TABLE graph_bodies(note INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE graph_aliases(alias INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY(alias, key)) WITHOUT ROWID;
-- What notes say of a key. In the order in which it is asked for: children by place, others by the item id, whose beginning is the mark.
CREATE TABLE graph_edges(
  target INTEGER NOT NULL, relation INTEGER NOT NULL, place INTEGER NOT NULL, mark INTEGER NOT NULL,
  source INTEGER NOT NULL, -- the key of the note that says it
  PRIMARY KEY(target, relation, place, mark, source)
) WITHOUT ROWID;
CREATE TABLE graph_tags(
  origin INTEGER NOT NULL, name TEXT NOT NULL, notes INTEGER NOT NULL, PRIMARY KEY(origin, name)
) WITHOUT ROWID;

${metadataTable}${bundleTables}${modelTables}`;

/** Each owner has its own trigram tables, so that another owner's rows affect neither results nor statistics. */
export function createNameTables(database: Database, owner: number): void {
  for (const column of ["name", "path"]) {
    const table = `${column}s_${owner}`;
    database.execute(`
      CREATE VIRTUAL TABLE ${table} USING fts5(${column}, content='', contentless_delete=1, tokenize="trigram");
      CREATE VIRTUAL TABLE ${column}s_count_${owner} USING fts5vocab(${table}, row);
    `);
  }
}
