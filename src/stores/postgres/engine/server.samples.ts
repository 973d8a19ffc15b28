import { randomBytes } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite-pgvector";
import { type DatabaseAddress, readDatabaseUrl } from "./address.ts";
import { type DatabaseConnection, type Driver, numberTypes, type SqlStatement, storableValue } from "./connection.ts";
import { openServer } from "./driver.ts";
import { prepareDatabase } from "./migrate.ts";
import { setOwner } from "./session/connections.ts";
import { openSession, type PostgresSession } from "./session/session.ts";

/** The server that tests use, if they are given one; else they run on PGlite, PostgreSQL inside this process. */
export const testDatabaseUrl = process.env.DOSSIER_TEST_DATABASE_URL;
export const engineName = testDatabaseUrl === undefined ? "PGlite" : "PostgreSQL";

export type TestDatabase = {
  address: DatabaseAddress;
  /** A driver of its own over the same database. */
  driver(): Promise<Driver>;
  /** A session of a workspace; without a name, one that nobody else has. */
  session(workspace?: string): Promise<PostgresSession>;
  /** Every statement that sessions have sent, with the values it had last. */
  sent: Map<string, { statement: SqlStatement; owner: number | undefined }>;
  close(): Promise<void>;
};

/** The address of a test's own schema, for other processes. */
export function urlOf({ address }: TestDatabase, server = testDatabaseUrl!): string {
  const url = new URL(server);
  url.searchParams.set("schema", address.schema);
  return url.href;
}

/** A schema of its own, so that test files do not meet. Tests in it do not meet as long as their workspaces differ. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const schema = `test_${randomBytes(6).toString("hex")}`;
  const url = new URL(testDatabaseUrl ?? "postgres://localhost/pglite");
  url.searchParams.set("schema", schema);
  const address = readDatabaseUrl(url.href);
  const inside = testDatabaseUrl === undefined ? await takePGlite() : undefined;
  const opened: Driver[] = [];
  const driver = async () => {
    const driver = inside ? overPGlite(inside, schema) : await openServer(address, () => undefined);
    opened.push(driver);
    return driver;
  };
  let count = 0;
  const sent: TestDatabase["sent"] = new Map();
  return {
    address,
    driver,
    sent,
    async session(workspace = `workspace ${count++}`) {
      const own = await driver();
      const { searchPath, server } = await prepareDatabase(own, address);
      return openSession(recording(own, sent), address, { workspace, searchPath, server });
    },
    async close() {
      const last = await driver();
      const connection = await last.connect();
      await connection.execute(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      connection.release();
      await Promise.all(opened.map((each) => each.close()));
      if (inside) freePGlites.push(inside);
    },
  };
}

type RecordingConnection = DatabaseConnection & { recordsInto?: TestDatabase["sent"] };

function recording(driver: Driver, sent: TestDatabase["sent"]): Driver {
  return {
    ...driver,
    async connect() {
      const connection: RecordingConnection = await driver.connect();
      if (!connection.recordsInto) {
        const { send } = connection;
        connection.send = (statements: readonly SqlStatement[]) => {
          let owner = connection.owner;
          for (const statement of statements) {
            if (statement.sql === setOwner) owner = Number(statement.values[0]) || undefined;
            connection.recordsInto!.set(statement.sql, { statement, owner });
          }
          return send(statements);
        };
      }
      // PGlite's one connection is every database's in turn.
      connection.recordsInto = sent;
      return connection;
    },
  };
}

/**
 * What a test file leaves the next one of its process takes: to make one takes seconds. Each has a schema of its own in
 * it.
 */
const freePGlites: PGlite[] = [];

async function takePGlite(): Promise<PGlite> {
  return freePGlites.pop() ?? openPGlite();
}

/** As a role that is no superuser, since nothing is hidden from those. */
async function openPGlite(): Promise<PGlite> {
  const database = await PGlite.create({ extensions: { vector, pg_trgm } });
  await database.exec(`
    CREATE EXTENSION vector; CREATE EXTENSION pg_trgm; CREATE ROLE dossier;
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO dossier', current_database()); END $$;
    SET ROLE dossier`);
  return database;
}

const queues = new WeakMap<PGlite, { connection: DatabaseConnection; schema: string; taken: Promise<void> }>();

/** PGlite has one connection: whoever wants it waits for the one before, in this process. */
export function overPGlite(database: PGlite, schema = ""): Driver {
  let queue = queues.get(database);
  if (!queue) {
    queue = { connection: oneConnection(database), schema, taken: Promise.resolve() };
    queues.set(database, queue);
  }
  const { connection } = queue;
  let ended = false;
  return {
    async connect() {
      const before = queue.taken;
      let free: () => void = () => undefined;
      queue.taken = new Promise((resolve) => {
        free = resolve;
      });
      await before;
      if (ended) {
        free();
        throw new Error("Client was closed and is not queryable");
      }
      // What the session remembers of the connection is kept on it, whoever uses it, until another file's schema is
      // asked.
      if (queue.schema !== schema) Object.assign(connection, { ready: false, owner: undefined });
      queue.schema = schema;
      connection.release = () => free();
      return connection;
    },
    async close() {
      ended = true;
    },
  };
}

function oneConnection(database: PGlite): DatabaseConnection {
  const parsers = Object.fromEntries(numberTypes.map((oid) => [oid, Number]));
  return {
    async send(statements) {
      const settled: PromiseSettledResult<{ rows: object[]; affected: number }>[] = [];
      for (const { sql, values } of statements) {
        const [one] = await Promise.allSettled([database.query<object>(sql, values.map(storableValue), { parsers })]);
        if (one!.status === "rejected") settled.push(one as PromiseRejectedResult);
        else {
          const { rows, affectedRows = 0 } = one!.value;
          settled.push({ status: "fulfilled", value: { rows, affected: affectedRows } });
        }
      }
      return settled;
    },
    async execute(sql) {
      await database.exec(sql);
    },
    release: () => undefined,
  };
}
