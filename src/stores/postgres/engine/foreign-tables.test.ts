import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readDatabaseUrl } from "./address.ts";
import type { SchemaCreation } from "./foreign-tables.ts";
import { prepareDatabase } from "./migrate.ts";
import { overPGlite } from "./server.samples.ts";

// A database of its own, emptied after each test: on a server other tests have tables.
let database: PGlite;
beforeAll(async () => {
  database = await PGlite.create({ extensions: { vector, pg_trgm } });
}, 60_000);
afterEach(async () => {
  await database.exec(
    "DROP EXTENSION IF EXISTS vector, pg_trgm CASCADE; DROP SCHEMA IF EXISTS dossier, shop, a CASCADE",
  );
  const left = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$|public$)'";
  expect((await database.query(left)).rows).toEqual([]);
});
afterAll(() => database.close());

const address = readDatabaseUrl("postgres://me:hidden@host/app");
const prepare = (creation: SchemaCreation) =>
  prepareDatabase(overPGlite(database), address, ["CREATE TABLE ours(a int)"], creation);
const exists = async (sql: string) => (await database.query(sql)).rows.length > 0;
const hasSchema = () => exists("SELECT FROM pg_namespace WHERE nspname = 'dossier'");

describe("a schema that is missing", () => {
  it("is made in a database without tables, also where extensions have theirs", async () => {
    await database.exec("CREATE EXTENSION vector; CREATE EXTENSION pg_trgm");
    await prepare("where-empty");
    expect(await hasSchema()).toBe(true);
  });

  it("is not made beside somebody's tables, views or sequences, nor is an extension, unless it was asked for", async () => {
    await database.exec("CREATE SCHEMA shop; CREATE TABLE shop.orders(id serial)");
    await expect(prepare("where-empty")).rejects.toMatchObject({
      code: "database-not-ours",
      message: expect.stringContaining("(shop.orders)"),
    });
    expect(await hasSchema()).toBe(false);
    expect(await exists("SELECT FROM pg_extension WHERE extname = 'vector'")).toBe(false);
    await prepare("always");
    expect(await hasSchema()).toBe(true);
    // From then on it is there, whoever asks.
    await prepare("where-empty");
    await prepare("never");
  });

  it("is taken where it was made empty, and is not where others have tables in it", async () => {
    await database.exec("CREATE SCHEMA a; CREATE TABLE a.orders(id int); CREATE SCHEMA dossier");
    await prepare("where-empty");
    await database.exec("DROP SCHEMA dossier CASCADE; CREATE SCHEMA dossier; CREATE TABLE dossier.people(id int)");
    await expect(prepare("where-empty")).rejects.toMatchObject({
      message: expect.stringContaining("(dossier.people)"),
    });
  });

  it("is never made for who only reads", async () => {
    await expect(prepare("never")).rejects.toMatchObject({ code: "not-found" });
    expect(await hasSchema()).toBe(false);
  });
});
