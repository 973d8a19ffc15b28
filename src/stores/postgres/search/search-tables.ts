import { ownedTable } from "../engine/tables.ts";

/**
 * Analysed text, its postings (search/postings.ts, search/posting-parts.ts) and vectors. Packed columns are not
 * compressed again.
 */
export const searchTables = [
  ownedTable(
    "terms",
    `shelf smallint NOT NULL, scope smallint NOT NULL, item int NOT NULL, length int NOT NULL, terms bytea NOT NULL,
  PRIMARY KEY(owner, shelf, scope, item)`,
  ),
  ownedTable(
    "parts",
    `shelf smallint NOT NULL, scope smallint NOT NULL, id int NOT NULL, size bigint NOT NULL, items bytea NOT NULL, removed bytea NOT NULL,
  PRIMARY KEY(owner, shelf, scope, id)`,
  ),
  ownedTable(
    "blocks",
    `shelf smallint NOT NULL, part int NOT NULL, first bigint NOT NULL, data bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY(owner, shelf, part, first)`,
  ),
  // One row per file: its items' numbers (uint32, little-endian) and their vectors one after the other, all of one
  // length.
  ownedTable(
    "vectors",
    `shelf smallint NOT NULL, file int NOT NULL, items bytea STORAGE EXTERNAL NOT NULL, data bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY(owner, shelf, file)`,
  ),
  ownedTable(
    "models",
    `shelf smallint NOT NULL, id int NOT NULL, name text COLLATE "C" NOT NULL, dimensions int NOT NULL, PRIMARY KEY(owner, shelf, id)`,
  ),
  `CREATE UNIQUE INDEX models_name ON models(owner, shelf, name);
`,
  // Components are int8, which a halfvec represents exactly. Each length of vectors has an index of its own, created
  // with the first model of that length.
  ownedTable(
    "model_vectors",
    `shelf smallint NOT NULL, model int NOT NULL, item int NOT NULL, dimensions int NOT NULL, vector halfvec NOT NULL,
  PRIMARY KEY(owner, shelf, model, item)`,
  ),
  ownedTable(
    "leases",
    `shelf smallint NOT NULL, holder text NOT NULL, until bigint NOT NULL, PRIMARY KEY(owner, shelf)`,
  ),
].join("");
