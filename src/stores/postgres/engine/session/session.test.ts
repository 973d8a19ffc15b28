import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineName, openTestDatabase, type TestDatabase } from "../server.samples.ts";
import { ownedTable } from "../tables.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const session = await database.session();
  await session.close();
  const driver = await database.driver();
  const connection = await driver.connect();
  await connection.execute(
    `SET search_path = "${database.address.schema}"; ${ownedTable("things", 'name text COLLATE "C" NOT NULL, size bigint, bytes bytea, PRIMARY KEY(owner, name)')}`,
  );
  connection.ready = false;
  connection.release();
}, 60_000);
afterAll(() => database.close());

describe(`a session of ${engineName}`, () => {
  it("gives an owner its rows, as numbers, texts, arrays and bytes", async () => {
    const session = await database.session();
    const bytes = Uint8Array.of(0, 1, 255);
    await session.transaction("ada", (queries) =>
      queries.run(
        "INSERT INTO things(owner, name, size, bytes) SELECT $1, name, size, $4 FROM unnest($2::text[], $3::bigint[]) AS t(name, size)",
        [["a", 'b "\\{}', "c\0\ud800"], [1, null, 2 ** 40], bytes],
      ),
    );
    const rows = await session
      .of("ada")
      .all<{ name: string; size: number; bytes: Uint8Array }>(
        "SELECT name, size, bytes FROM things WHERE owner = $1 ORDER BY name",
      );
    expect(rows.map(({ name, size, bytes }) => [name, size, [...bytes]])).toEqual([
      ["a", 1, [0, 1, 255]],
      ['b "\\{}', null, [0, 1, 255]],
      ["c\ufffd\ufffd", 2 ** 40, [0, 1, 255]],
    ]);
    expect(await session.of("bob").all("SELECT * FROM things WHERE owner = $1")).toEqual([]);
    await session.close();
  });

  it("shows a statement that forgets the owner nothing of others, and one of no owner nothing at all", async () => {
    const session = await database.session();
    for (const owner of ["ada", "bob"]) {
      await session.transaction(owner, (queries) =>
        queries.run("INSERT INTO things(owner, name) VALUES($1, $2)", [owner]),
      );
    }
    const forgetful = "SELECT name FROM things WHERE $1::bigint IS NOT NULL";
    expect(await session.of("bob").all(forgetful)).toEqual([{ name: "bob" }]);
    expect(await session.shared.all("SELECT name FROM things")).toEqual([]);
    expect(await session.shared.all("SELECT name FROM things_0 UNION ALL SELECT name FROM things_1")).toEqual([]);
    await expect(
      session.transaction("bob", (queries) => queries.run("UPDATE things SET owner = owner + $1")),
    ).rejects.toThrow(/row-level security/);
    await expect(session.of("bob").all("SELECT name FROM things")).rejects.toThrow(/parameter/);
    await session.close();
  });

  it("undoes a transaction that fails, and sends what is asked for side by side in one round trip", async () => {
    const session = await database.session();
    await session.transaction("ada", (queries) => queries.run("INSERT INTO things(owner, name) VALUES($1, 'kept')"));
    const failing = session.transaction("ada", async (queries) => {
      await queries.run("INSERT INTO things(owner, name) VALUES($1, 'lost')");
      await queries.run("INSERT INTO things(owner, name) VALUES($1, 'kept')");
    });
    await expect(failing).rejects.toThrow(/duplicate/);
    const before = session.roundTrips();
    const counts = await Promise.all(
      [1, 2, 3].map((times) =>
        session.of("ada").get<{ n: number }>(`SELECT ${times} * count(*) AS n FROM things WHERE owner = $1`),
      ),
    );
    expect(counts).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(session.roundTrips() - before).toBe(1);
    await session.close();
  });

  it("fails the statement that is wrong and not those beside it", async () => {
    const session = await database.session();
    await session.transaction("ada", (queries) => queries.run("INSERT INTO things(owner, name) VALUES($1, 'x')"));
    const [wrong, right] = await Promise.allSettled([
      session.of("ada").all("SELECT nothing FROM things WHERE owner = $1"),
      session.of("ada").all("SELECT name FROM things WHERE owner = $1"),
    ]);
    expect(wrong.status).toBe("rejected");
    expect(right).toEqual({ status: "fulfilled", value: [{ name: "x" }] });
    await session.close();
  });
});
