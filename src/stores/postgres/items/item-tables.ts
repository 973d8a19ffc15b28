import { ownedTable } from "../engine/tables.ts";

/**
 * Items, files and their search data: as in SQLite, numbers that refer to each other. Each shelf of an owner has its
 * own numbers and revision; a writer locks the row of `shelves`, so numbers are unique.
 */
export const itemTables = [
  ownedTable(
    "shelves",
    `shelf smallint NOT NULL, revision bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0, -- grows with every note written
  unit_count int NOT NULL DEFAULT 0, unit_length bigint NOT NULL DEFAULT 0,
  file_count int NOT NULL DEFAULT 0, file_length bigint NOT NULL DEFAULT 0,
  last_file int NOT NULL DEFAULT 0, last_item int NOT NULL DEFAULT 0, -- never given twice: search/posting-parts.ts relies on it
  last_name int NOT NULL DEFAULT 0, last_part int NOT NULL DEFAULT 0,
  PRIMARY KEY(owner, shelf)`,
  ),
  ownedTable(
    "files",
    `shelf smallint NOT NULL, id int NOT NULL, path text COLLATE "C" NOT NULL,
  base text COLLATE "C" NOT NULL, -- last part of the path, lower case
  hash text NOT NULL, size bigint NOT NULL, modified float8 NOT NULL, language text,
  items int NOT NULL, first int NOT NULL, last int NOT NULL, -- its items are among the numbers first..last
  whole int, -- the item that is the whole file
  role text,
  PRIMARY KEY(owner, shelf, id)`,
  ),
  `CREATE UNIQUE INDEX files_path ON files(owner, shelf, path);
CREATE INDEX files_base ON files(owner, shelf, base);
`,
  ownedTable(
    "texts",
    `shelf smallint NOT NULL, file int NOT NULL, text bytea STORAGE EXTERNAL NOT NULL, imports bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY(owner, shelf, file)`,
  ),
  ownedTable(
    "names",
    `shelf smallint NOT NULL, id int NOT NULL,
  folded text COLLATE "C" NOT NULL, -- lower case
  name text COLLATE "C" NOT NULL, -- '' when it is the same as folded
  last int, -- for a name of several parts: the name that is its last part
  items int NOT NULL DEFAULT 0, -- how many items have this name; link targets may have none
  PRIMARY KEY(owner, shelf, id)`,
  ),
  `CREATE UNIQUE INDEX names_name ON names(owner, shelf, folded, name);
`,
  ownedTable(
    "items",
    `shelf smallint NOT NULL, id int NOT NULL, key text COLLATE "C" NOT NULL, file int NOT NULL,
  name int NOT NULL, title text, -- a row of names; or 0, and the name itself
  source text NOT NULL, kind text NOT NULL,
  qualified text NOT NULL, -- '+' and what follows the path, or '=' and the whole qualified name
  start int NOT NULL, stop int NOT NULL, language text, signature text, doc text, hash text NOT NULL,
  parent int, -- an item of the same file
  outside text COLLATE "C", -- the id of a parent in another file
  test smallint, changed float8,
  PRIMARY KEY(owner, shelf, id)`,
  ),
  `CREATE UNIQUE INDEX items_key ON items(owner, shelf, key);
CREATE INDEX items_name ON items(owner, shelf, name) WHERE name > 0;
CREATE INDEX items_outside ON items(owner, shelf, outside) WHERE outside IS NOT NULL;
`,
  // Rows repeat their file and their target many times: a deduplicated index takes a few bytes per row.
  ownedTable(
    "links",
    `file int NOT NULL, item int NOT NULL,
  target int NOT NULL, -- a name: the last part of what the source text says, or an item's id
  whole int NOT NULL, -- the whole of what the source text says, 0 when it is the target, -1 when the target is an id
  shelf smallint NOT NULL, kind smallint NOT NULL`,
  ),
  `CREATE INDEX links_file ON links(owner, shelf, file);
CREATE INDEX links_target ON links(owner, shelf, target);
`,
  ownedTable(
    "notes",
    `shelf smallint NOT NULL, key text COLLATE "C" NOT NULL, value bytea NOT NULL, PRIMARY KEY(owner, shelf, key)`,
  ),
].join("");
