import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DossierError } from "../../../errors.ts";
import type { DatabaseAddress } from "./address.ts";
import type { Driver } from "./connection.ts";
import { prepareDatabase } from "./migrate.ts";
import { migrations } from "./schema.ts";
import { engineName, openTestDatabase, overPGlite, type TestDatabase } from "./server.samples.ts";

let database: TestDatabase;
let driver: Driver;
const schemas: string[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  driver = await database.driver();
}, 60_000);
afterAll(async () => {
  const connection = await driver.connect();
  for (const schema of schemas) await connection.execute(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  connection.release();
  await database.close();
}, 60_000);

function schemaOf(name: string): DatabaseAddress {
  const schema = `${database.address.schema}_${name}`;
  schemas.push(schema);
  return { ...database.address, schema };
}

/** Every table with its columns, and every index and policy, of a schema. */
async function shapeOf({ schema }: DatabaseAddress): Promise<unknown[]> {
  const connection = await driver.connect();
  const settled = await connection.send([
    {
      sql: `SELECT table_name || '.' || column_name || ' ' || data_type AS part FROM information_schema.columns WHERE table_schema = $1
        UNION ALL SELECT replace(indexdef, $1, '') FROM pg_indexes WHERE schemaname = $1
        UNION ALL SELECT tablename || policyname || qual FROM pg_policies WHERE schemaname = $1 ORDER BY 1`,
      values: [schema],
    },
  ]);
  connection.release();
  return settled.map((each) => (each.status === "fulfilled" ? each.value.rows : each.reason));
}

describe(`migrations on ${engineName}`, () => {
  it("lead from every earlier version to the same tables as a new schema has", async () => {
    const whole = schemaOf("new");
    await prepareDatabase(driver, whole);
    const expected = await shapeOf(whole);
    for (let version = 1; version < migrations.length; version++) {
      const old = schemaOf(`from_${version}`);
      await prepareDatabase(driver, old, migrations.slice(0, version));
      await prepareDatabase(driver, old);
      expect(await shapeOf(old)).toEqual(expected);
    }
    expect(JSON.stringify(expected)).toContain("items.key text");
  }, 60_000);

  it("do each step once, also when two processes come at the same time, and nothing when one fails", async () => {
    const address = schemaOf("steps");
    const steps = ["CREATE TABLE one(a int)", "ALTER TABLE one ADD COLUMN b int"];
    await prepareDatabase(driver, address, steps.slice(0, 1));
    const broken = [...steps, "CREATE TABLE three(a nonsense)"];
    await expect(prepareDatabase(driver, address, broken)).rejects.toThrow(/nonsense/);
    expect(JSON.stringify(await shapeOf(address))).not.toContain("one.b");
    const other = await database.driver();
    await Promise.all([prepareDatabase(driver, address, steps), prepareDatabase(other, address, steps)]);
    expect(JSON.stringify(await shapeOf(address))).toContain("one.b");
  }, 60_000);

  it("need an extension that is there or can be made: else it is named, and how to have it", async () => {
    const bare = await PGlite.create({ extensions: { pg_trgm } });
    const error = await prepareDatabase(overPGlite(bare), database.address).catch((thrown: unknown) => thrown);
    await bare.close();
    expect(error).toBeInstanceOf(DossierError);
    expect((error as DossierError).code).toBe("extension-missing");
    expect((error as DossierError).message).toContain("vector");
    expect((error as DossierError).fix).toContain("CREATE EXTENSION");
  }, 60_000);
});
