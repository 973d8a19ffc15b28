import { DossierError } from "../../../errors.ts";
import type { Database } from "../engine/driver.ts";
import { librarySchema } from "../library/library-schema.ts";

/** "DosM" in ASCII: differs from the index's id, so that neither database is mistaken for the other. */
export const recordsApplicationId = 0x446f734d;
export const recordsVersion = 2;

/**
 * `body` is JSON, or null after a purge. Numbers of owners lead every key. A deleted record remembers its slot for a
 * restore, but does not hold it. `marks`: the values by which existing records are filtered, see rules/marks.ts.
 */
const schema = `
CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 0);
CREATE TABLE records(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, revision INTEGER NOT NULL,
  deleted INTEGER, slot TEXT, body TEXT
);
CREATE UNIQUE INDEX records_id ON records(owner, id);
CREATE UNIQUE INDEX records_slot ON records(owner, slot) WHERE slot IS NOT NULL AND deleted IS NULL;
CREATE UNIQUE INDEX records_revision ON records(owner, type, revision);
CREATE INDEX records_created ON records(owner, type, created DESC, id) WHERE deleted IS NULL;
CREATE INDEX records_deleted ON records(owner, type, created DESC, id) WHERE deleted IS NOT NULL AND body IS NOT NULL;
CREATE TABLE marks(
  owner INTEGER NOT NULL, type TEXT NOT NULL, path TEXT NOT NULL, value NOT NULL, record INTEGER NOT NULL,
  PRIMARY KEY(owner, type, path, value, record)
) WITHOUT ROWID;
`;

/**
 * Steps from one version to the next, by the version they start from. Every version must have a step: records are never
 * dropped.
 */
export type RecordSteps = Record<number, (database: Database) => void>;
const steps: RecordSteps = {
  1: (database) => database.execute(librarySchema + keysSchema),
};

/** Creates the tables in a new database, migrates an older one, and refuses a newer or a foreign one. */
export function migrateRecords(database: Database, version = recordsVersion, from: RecordSteps = steps): void {
  if (versionOf(database, version) === version) return;
  database.transaction("write", () => {
    // Checked again under the lock: another process may have done the work meanwhile.
    const currentVersion = versionOf(database, version);
    if (currentVersion === version) return;
    if (currentVersion === undefined) database.execute(schema + librarySchema + keysSchema);
    for (let current = currentVersion ?? version; current < version; current++) {
      const step = from[current];
      if (!step) throw new Error(`There is no way from version ${current} of the records to ${current + 1}.`);
      step(database);
    }
    database.execute(`PRAGMA application_id = ${recordsApplicationId}; PRAGMA user_version = ${version}`);
  });
}

/** The version of one of our databases; undefined for one without tables. */
function versionOf(database: Database, readable: number): number | undefined {
  if (database.get<{ count: number }>("SELECT count(*) AS count FROM sqlite_master")!.count === 0) return undefined;
  const { application_id: id } = database.get<{ application_id: number }>("PRAGMA application_id")!;
  if (id !== recordsApplicationId) {
    throw new DossierError(
      "records-damaged",
      `The file ${database.path} is a database, but does not hold our records.`,
    );
  }
  const { user_version: version } = database.get<{ user_version: number }>("PRAGMA user_version")!;
  if (version > readable) {
    throw new DossierError(
      "records-newer",
      `The records in ${database.path} were written by a newer Dossier (version ${version}; this one reads up to ${readable}).`,
    );
  }
  return version;
}

/** API keys are looked up by the hash of their secret; the secret itself is not stored. */
const keysSchema = `
CREATE TABLE keys(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL,
  hash BLOB NOT NULL, hint TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, used INTEGER, revoked INTEGER
);
CREATE UNIQUE INDEX keys_id ON keys(id);
CREATE UNIQUE INDEX keys_hash ON keys(hash);
CREATE INDEX keys_name ON keys(name);
CREATE INDEX keys_created ON keys(created DESC, number DESC);
CREATE INDEX keys_owner ON keys(owner, created DESC, number DESC);
`;
