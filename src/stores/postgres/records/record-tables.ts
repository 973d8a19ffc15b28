import { ownedTable } from "../engine/tables.ts";

/**
 * What users and agents wrote down; see records.ts for what a row means. Times are milliseconds. `record_revisions` has one row for each owner
 * who ever wrote records or into the library: whoever writes locks it, so that revisions grow without a gap or a double.
 * `record_marks` are the values that records are filtered by (rules/marks.ts), of deleted ones too; `number` where the value is one.
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
  ownedTable(
    "record_marks",
    `type text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
     number double precision, record text COLLATE "C" NOT NULL, PRIMARY KEY(owner, type, path, value, record)`,
  ),
  `CREATE INDEX record_marks_record ON record_marks(owner, record);
   CREATE INDEX record_marks_number ON record_marks(owner, type, path, number) WHERE number IS NOT NULL;`,
].join("\n");

/**
 * Keys are found by the hash of their secret, before anybody knows whose they are. So this table, like that of the owners, belongs to no owner:
 * it holds no text of theirs, and only a workspace's service looks into it.
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
