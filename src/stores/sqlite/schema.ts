import type { LinkKind } from "../../item.ts";
import type { Database } from "./driver.ts";

/** "Doss" in ASCII: tells our databases from anyone else's. */
export const applicationId = 0x446f7373;
// Versions 1 and 2 had no shelves and were never released; they are emptied on opening.
export const schemaVersion = 3;

/**
 * Everything is integers that point at each other; words, paths and ids are stored once.
 * Rows of the file-wide tables are found by owner first; item and file numbers belong to exactly one owner.
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
  items INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, -- its items are among the numbers first..last
  whole INTEGER -- the item that is the whole file
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
  test INTEGER, changed INTEGER
);
CREATE UNIQUE INDEX items_key ON items(owner, key);
CREATE INDEX items_name ON items(owner, name);
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

CREATE TABLE notes(owner INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY(owner, key)) WITHOUT ROWID;
`;

/** Trigram tables are the owner's own: another owner's rows can reach neither results nor statistics. */
export function createNameTables(database: Database, owner: number): void {
  for (const column of ["name", "path"]) {
    const table = `${column}s_${owner}`;
    database.execute(`
      CREATE VIRTUAL TABLE ${table} USING fts5(${column}, content='', contentless_delete=1, tokenize="trigram");
      CREATE VIRTUAL TABLE ${column}s_count_${owner} USING fts5vocab(${table}, row);
    `);
  }
}

/** Numbers stored on disk: never change one, only add. */
export const linkCodes: Record<LinkKind, number> = {
  contains: 0,
  imports: 1,
  calls: 2,
  references: 3,
  extends: 4,
  implements: 5,
  tests: 6,
  touches: 7,
  child: 8,
  parent: 9,
  reference: 10,
  field: 11,
};
