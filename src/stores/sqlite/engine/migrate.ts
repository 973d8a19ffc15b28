import { DossierError } from "../../../errors.ts";
import type { Database } from "./driver.ts";
import { applicationId, bundleTables, fileIndex, metadataTable, modelTables, schema, schemaVersion } from "./schema.ts";

/**
 * Steps from one schema version to the next, by the version they start from. The index is made from the user's files,
 * so a database whose version has no step is emptied instead: the next indexing fills it again.
 */
export type MigrationSteps = Record<number, (database: Database) => void>;

const steps: MigrationSteps = {
  4: (database) => database.execute(bundleTables),
  5: (database) => database.execute("ALTER TABLE files ADD COLUMN role TEXT"),
  6: (database) => database.execute(modelTables),
  7: (database) =>
    database.execute(`
      ALTER TABLE items ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
      UPDATE items SET place = id - (SELECT f.first FROM files AS f WHERE f.id = items.file);
      ${fileIndex}
      ALTER TABLE files DROP COLUMN first;
      ALTER TABLE files DROP COLUMN last;
    `),
  8: (database) => database.execute("ALTER TABLE items ADD COLUMN decisions INTEGER"),
  9: (database) =>
    database.execute(`
      ALTER TABLE notes RENAME TO notes_9;
      ${metadataTable}
      INSERT INTO notes SELECT owner, key, value FROM notes_9;
      DROP TABLE notes_9;
    `),
};

/**
 * Migrates the database to this version: creates the tables in a new one, migrates an older one, and refuses a foreign
 * one.
 */
export function migrate(database: Database, version = schemaVersion, from: MigrationSteps = steps): void {
  const state = stateOf(database);
  if (state === version) return;
  refuseNewer(database, state, version);
  if (database.readOnly) {
    throw new DossierError(
      "not-indexed",
      `The index ${database.path} is not ready to be read: it is empty or of an older version.`,
    );
  }
  database.transaction("write", () => {
    // Checked again under the lock: another process may have done the work meanwhile.
    let current = stateOf(database);
    refuseNewer(database, current, version);
    if (current === version) return;
    if (current === "empty") database.execute(schema);
    while (typeof current === "number" && current < version) {
      const step = from[current];
      if (!step) {
        dropEverything(database);
        database.execute(schema);
        break;
      }
      step(database);
      current++;
    }
    database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  });
}

/** The version of one of our databases, or "empty" for one without tables. */
function stateOf(database: Database): number | "empty" {
  const tables = database.get<{ count: number }>("SELECT count(*) AS count FROM sqlite_master")!.count;
  if (tables === 0) return "empty";
  const id = database.get<{ application_id: number }>("PRAGMA application_id")!.application_id;
  if (id !== applicationId) {
    throw new DossierError("store-damaged", `The file ${database.path} is a database, but not one of Dossier's.`);
  }
  return database.get<{ user_version: number }>("PRAGMA user_version")!.user_version;
}

function refuseNewer(database: Database, state: number | "empty", version: number): void {
  if (state === "empty" || state <= version) return;
  throw new DossierError(
    "store-newer",
    `The index ${database.path} was made by a newer Dossier (schema ${state}; this one reads up to ${version}).`,
  );
}

function dropEverything(database: Database): void {
  const virtual = "sql LIKE 'CREATE VIRTUAL TABLE%'";
  const tablesWhere = (condition: string) =>
    database.all<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND ${condition}`,
    );
  // Virtual tables first: dropping one drops its shadow tables.
  for (const { name } of tablesWhere(virtual)) database.execute(`DROP TABLE "${name.replaceAll('"', '""')}"`);
  for (const { name } of tablesWhere("true")) database.execute(`DROP TABLE "${name.replaceAll('"', '""')}"`);
}
