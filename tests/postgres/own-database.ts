import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { testDatabaseUrl } from "../../src/stores/postgres/engine/server.samples.ts";

/** The user that may create databases on the test server; without a password, as scripts/postgres.ts sets it up. */
const admin = process.env.DOSSIER_TEST_ADMIN ?? "postgres";

/** A database that nobody else uses, for programs that are told nothing but its address. */
export type OwnDatabase = {
  /** As the role that owns nothing. */
  url: string;
  /** Statements of whoever runs the server. */
  sql(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Variables as on another machine: nothing is shared but the database and the folder. */
  machine(): { DATABASE_URL: string; DOSSIER_HOME: string; DOSSIER_BACKGROUND: "off" };
  close(): Promise<void>;
};

async function asAdmin(database: string): Promise<pg.Client> {
  const url = new URL(testDatabaseUrl!);
  const client = new pg.Client({ host: url.hostname, port: Number(url.port), user: admin, database });
  await client.connect();
  return client;
}

/**
 * Why tests of whole programs cannot run here; undefined where they can. They need a server: PGlite lives in one
 * process.
 */
export async function missingServer(): Promise<string | undefined> {
  if (testDatabaseUrl === undefined) return "needs a server: npm run -s postgres -- start";
  try {
    await (await asAdmin("postgres")).end();
    return undefined;
  } catch (error) {
    return `needs a role that may make databases (DOSSIER_TEST_ADMIN): ${(error as Error).message}`;
  }
}

export async function ownDatabase(): Promise<OwnDatabase> {
  const name = `dossier_${randomBytes(5).toString("hex")}`;
  const url = new URL(testDatabaseUrl!);
  const role = url.username;
  url.pathname = `/${name}`;
  const postgres = await asAdmin("postgres");
  await postgres.query(`CREATE DATABASE ${name}`);
  const own = await asAdmin(name);
  await own.query(
    `CREATE EXTENSION vector; CREATE EXTENSION pg_trgm; GRANT CREATE ON DATABASE ${name} TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`,
  );
  const homes: string[] = [];
  return {
    url: url.href,
    machine() {
      const home = mkdtempSync(join(tmpdir(), "dossier-home-"));
      homes.push(home);
      return { DATABASE_URL: url.href, DOSSIER_HOME: home, DOSSIER_BACKGROUND: "off" };
    },
    sql: async (statement, values) => (await own.query(statement, values)).rows,
    async close() {
      for (const home of homes) rmSync(home, { recursive: true, force: true });
      await own.end();
      await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await postgres.end();
    },
  };
}
