import type { ClientConfig, Pool, PoolClient } from "pg";
import type { DatabaseAddress } from "./address.ts";
import { type DatabaseConnection, type Driver, numberTypes, type SqlStatement, storableValue } from "./connection.ts";

const idleTimeout = 30_000;

const byteaType = 17;

/** Bytes come as "\\x" and hexadecimal digits. */
function toBytes(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text.slice(2), "hex");
  return new Uint8Array(buffer, byteOffset, length);
}

/** A pool of connections to a server. The package is loaded here, so that it costs nothing without a DATABASE_URL. */
export async function openServer(address: DatabaseAddress, failed: (error: Error) => void): Promise<Driver> {
  const { default: pg } = await import("pg");
  const types = {
    getTypeParser(oid: number, format?: "text" | "binary") {
      if (numberTypes.includes(oid)) return Number;
      return oid === byteaType ? toBytes : pg.types.getTypeParser(oid, format as "text");
    },
  };
  const each: ClientConfig = {
    connectionString: address.url,
    connectionTimeoutMillis: address.connectTimeout,
    statement_timeout: address.statementTimeout,
    query_timeout: address.networkTimeout,
    application_name: "dossier",
    keepAlive: true,
  };
  const pool: Pool = new pg.Pool({
    ...each,
    max: address.pool,
    idleTimeoutMillis: idleTimeout,
    allowExitOnIdle: true,
    // Statements sent together wait for one round trip, not for one each.
    pipeline: true,
    types,
  } as ConstructorParameters<typeof pg.Pool>[0]);
  // A connection that breaks while idle; the next caller gets another.
  pool.on("error", failed);
  const names = new Map<string, string>();
  const nameOf = (sql: string) => {
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `dossier_${names.size}`));
    return name;
  };
  const connections = new WeakMap<PoolClient, DatabaseConnection>();
  return {
    async connect() {
      const client = await pool.connect();
      let connection = connections.get(client);
      if (!connection) connections.set(client, (connection = overClient(client, nameOf)));
      return connection;
    },
    async beside({ notified, lost }) {
      const client = new pg.Client(each);
      client.on("notification", ({ payload = "" }) => notified(payload));
      // Reported by its end event, and to the caller that waits for an answer.
      client.on("error", () => undefined);
      client.on("end", lost);
      await client.connect();
      // Listening for notifications must not keep the process alive.
      (client as unknown as { unref(): void }).unref();
      return {
        all: async <Row>(sql: string, values: readonly unknown[]) =>
          (await client.query(sql, [...values])).rows as Row[],
        async execute(sql) {
          await client.query(sql);
        },
        close() {
          client.off("end", lost);
          void client.end().catch(() => undefined);
        },
      };
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

function overClient(client: PoolClient, nameOf: (sql: string) => string): DatabaseConnection {
  // While it is in use, a break is also reported to the waiting caller.
  client.on("error", () => undefined);
  const run = async ({ sql, values }: SqlStatement) => {
    const { rows, rowCount } = await client.query({
      name: nameOf(sql),
      text: sql,
      values: values.map(storableValue),
    });
    return { rows, affected: rowCount ?? 0 };
  };
  return {
    send: (statements) => Promise.allSettled(statements.map(run)),
    async execute(sql) {
      await client.query(sql);
    },
    release: (lost) => client.release(lost),
  };
}
