import { ownedTable } from "../engine/tables.ts";

/**
 * Records of users and agents; see records.ts for the meaning of a row. Times are milliseconds. `record_revisions` has
 * one row for each owner who ever wrote records or into the library: a writer locks it, so that revisions have neither
 * gaps nor duplicates.
 */
export const recordTables = [
  ownedTable(
    "record_revisions",
    `records bigint NOT NULL DEFAULT 0, library bigint NOT NULL DEFAULT 0, usage bigint NOT NULL DEFAULT 0, PRIMARY KEY(owner)`,
  ),
  ownedTable(
    "records",
    `id text COLLATE "C" NOT NULL, type text COLLATE "C" NOT NULL, created double precision NOT NULL,
     changed double precision NOT NULL, revision bigint NOT NULL, deleted double precision, slot text COLLATE "C", body text,
     PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX records_slot ON records(owner, slot) WHERE slot IS NOT NULL AND deleted IS NULL;
   CREATE UNIQUE INDEX records_revision ON records(owner, type, revision);
   CREATE INDEX records_created ON records(owner, type, created DESC, id);`,
].join("\n");

/**
 * The values by which records are filtered (rules/marks.ts), of deleted ones too, since version 3: a record by its
 * revision, `path` and `value` as hashes (`markHashes`), `number` for numeric values. Records have many in common, and
 * such entries of an index share one key: a mark takes some 80 bytes, with the texts it took 250.
 */
export const markTables = [
  ownedTable(
    "record_marks",
    "revision bigint NOT NULL, path bigint NOT NULL, value bigint NOT NULL, number double precision",
  ),
  `CREATE INDEX record_marks_value ON record_marks(owner, path, value);
   CREATE INDEX record_marks_record ON record_marks(owner, revision);
   CREATE INDEX record_marks_number ON record_marks(owner, path, number) WHERE number IS NOT NULL;`,
].join("\n");

/**
 * API keys are looked up by the hash of their secret, before the owner is known. So this table, like that of the
 * owners, belongs to no owner: it contains none of their texts, and only a workspace's service reads it.
 */
export const keyTables = `
CREATE TABLE keys(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, scope text NOT NULL, hash bytea NOT NULL, hint text NOT NULL,
  created double precision NOT NULL, expires double precision, used double precision, revoked double precision,
  UNIQUE(workspace, id), UNIQUE(workspace, hash)
);
CREATE INDEX keys_name ON keys(workspace, name);
CREATE INDEX keys_owner ON keys(workspace, owner, created DESC, number DESC);
`;
