import { DossierError } from "../../../errors.ts";
import type { DatabaseAddress } from "./address.ts";
import type { DatabaseConnection, Driver, SqlResult } from "./connection.ts";
import { asDatabaseFailure, isConnectionLost } from "./failures.ts";
import { foreignTable, refuseCreation, type SchemaCreation } from "./foreign-tables.ts";
import { migrations } from "./schema.ts";

const oldestServer = 160_000;
/** The first release of pgvector with iterative scans of a filtered index. */
const oldestVector = [0, 8];
const extensions = ["vector", "pg_trgm"] as const;

type Found = {
  version: number;
  schema: boolean;
  table: boolean;
  /** A foreign table, where ours are missing. */
  foreign: string | null;
  extensions: Record<string, [version: string, schema: string]>;
};

/**
 * Checks the server and migrates our schema to this program's version: forward only, in one transaction, one process at
 * a time. Returns the search path: our schema, then those of the extensions.
 */
export async function prepareDatabase(
  driver: Driver,
  address: DatabaseAddress,
  steps: readonly string[] = migrations,
  creation: SchemaCreation = "always",
): Promise<{ searchPath: string; server: string }> {
  let connection: DatabaseConnection | undefined;
  let lost = false;
  try {
    connection = await driver.connect();
    const before = await look(connection, address.schema);
    const server = `PostgreSQL ${Math.floor(before.version / 10_000)}.${before.version % 10_000}`;
    if (before.version < oldestServer) {
      throw new DossierError("database-too-old", `The database ${address.shown} is ${server}; it takes 16 or newer.`);
    }
    refuseCreation(address, before, creation);
    const prepared = await withExtensions(connection, address, before);
    const searchPath = [address.schema, ...new Set(extensions.map((name) => prepared.extensions[name]![1]))]
      .map((name) => `"${name}"`)
      .join(", ");
    await migrate(connection, address, prepared, searchPath, steps);
    return { searchPath, server: `${server}, pgvector ${prepared.extensions.vector![0]}` };
  } catch (error) {
    lost = isConnectionLost(error);
    throw asDatabaseFailure(error, address);
  } finally {
    connection?.release(lost);
  }
}

async function look(connection: DatabaseConnection, schema: string): Promise<Found> {
  const [row] = await rowsOf<Found>(
    connection,
    `SELECT current_setting('server_version_num')::int AS version, to_regnamespace($1) IS NOT NULL AS schema,
       to_regclass($2) IS NOT NULL AS table,
       CASE WHEN to_regclass($2) IS NULL THEN (${foreignTable}) END AS foreign,
       (SELECT coalesce(jsonb_object_agg(extname, jsonb_build_array(extversion, nspname)), '{}')
        FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace) AS extensions`,
    [`"${schema}"`, `"${schema}".version`],
  );
  return row!;
}

async function withExtensions(connection: DatabaseConnection, address: DatabaseAddress, before: Found): Promise<Found> {
  const missing = extensions.filter((name) => !before.extensions[name]);
  for (const name of missing) await createExtension(connection, address, name);
  const after = missing.length > 0 ? await look(connection, address.schema) : before;
  const [version, least] = [after.extensions.vector![0], oldestVector.join(".")];
  if (isOlder(version.split(".").map(Number), oldestVector)) {
    throw new DossierError(
      "database-too-old",
      `The database ${address.shown} has the extension vector ${version}; it takes ${least} or newer.`,
    );
  }
  return after;
}

function isOlder([major = 0, minor = 0]: number[], [leastMajor = 0, leastMinor = 0]: number[]): boolean {
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

async function createExtension(connection: DatabaseConnection, address: DatabaseAddress, name: string): Promise<void> {
  try {
    await connection.execute(`CREATE EXTENSION IF NOT EXISTS ${name}`);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new DossierError(
      "extension-missing",
      `The database ${address.shown} lacks the extension ${name}, and it could not be created (${message}).`,
      { cause: error },
    );
  }
}

async function migrate(
  connection: DatabaseConnection,
  { schema, shown }: DatabaseAddress,
  state: Found,
  searchPath: string,
  steps: readonly string[],
): Promise<void> {
  const versionNow = async () =>
    (await rowsOf<{ version: number }>(connection, `SELECT version FROM "${schema}".version`))[0]?.version ?? 0;
  const refuseNewer = (version: number) => {
    if (version <= steps.length) return;
    throw new DossierError(
      "store-newer",
      `The schema ${schema} of ${shown} was made by a newer Dossier (version ${version}; this one knows up to ${steps.length}).`,
    );
  };
  const current = state.table ? await versionNow() : 0;
  refuseNewer(current);
  if (current === steps.length) return;
  await connection.execute("BEGIN");
  try {
    // A second process waits here and then finds the work done.
    await rowsOf(connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`schema ${schema} of dossier`]);
    const { schema: exists, table } = await look(connection, schema);
    // Not IF NOT EXISTS: that requires the right to create even where there is nothing to create.
    if (!exists) await connection.execute(`CREATE SCHEMA "${schema}"`);
    await connection.execute(`SET LOCAL search_path = ${searchPath}`);
    if (!table) await connection.execute("CREATE TABLE version(version int NOT NULL); INSERT INTO version VALUES(0)");
    const from = await versionNow();
    refuseNewer(from);
    for (const step of steps.slice(from)) await connection.execute(step);
    await connection.execute(`UPDATE version SET version = ${steps.length}`);
    await connection.execute("COMMIT");
  } catch (error) {
    if (!isConnectionLost(error)) await connection.execute("ROLLBACK");
    throw error;
  }
}

async function rowsOf<Row>(
  connection: DatabaseConnection,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const [settled] = (await connection.send([{ sql, values }])) as [PromiseSettledResult<SqlResult>];
  if (settled.status === "rejected") throw settled.reason;
  return settled.value.rows as Row[];
}
