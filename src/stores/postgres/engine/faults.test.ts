import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sampleFile } from "../../cases/store.samples.ts";
import { readDatabaseUrl } from "./address.ts";
import { failure } from "./failure.samples.ts";
import { prepareDatabase } from "./migrate.ts";
import { openPostgresSession, openPostgresStore } from "./open.ts";
import { openProxy, type TestProxy } from "./proxy.samples.ts";
import { openTestDatabase, type TestDatabase, testDatabaseUrl, urlOf } from "./server.samples.ts";

/** A port of this machine that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("a database's URL", () => {
  it.each([
    ["", "not a URL"],
    ["mysql://me:hidden@host/db", "postgres://"],
    ["postgres://me:hidden@host", "no database"],
    ["postgres://me:hidden@host/db?schema=Not-A-Name", "schema"],
    ["postgres://me:hidden@host/db?pool=many", "pool"],
    ["postgres://me:hidden@ho st/db", "not a URL"],
  ])("that cannot be used is refused without being repeated: %s", async (url, problem) => {
    const error = await failure(openPostgresStore(url, { workspace: "w" }));
    expect(error.code).toBe("bad-database-url");
    expect(error.message).toContain(problem);
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("hidden");
  });

  it("gives schema, pool and timeouts, and keeps the rest for the driver", () => {
    const url = "postgres://me:se%40cret@host:5433/db?sslmode=require&schema=team&pool=3&statement_timeout=500";
    expect(readDatabaseUrl(url)).toEqual({
      schema: "team",
      pool: 3,
      statementTimeout: 500,
      networkTimeout: 5500,
      connectTimeout: 10_000,
      shown: "postgres://me@host:5433/db",
      url: "postgres://me:se%40cret@host:5433/db?sslmode=require",
    });
  });

  it("of a server that does not answer is a named failure without the password", async () => {
    const url = `postgres://me:se%40cret@127.0.0.1:${await closedPort()}/db`;
    const error = await failure(openPostgresStore(url, { workspace: "w" }));
    expect(error.code).toBe("database-unreachable");
    expect(error.message).toMatch(/postgres:\/\/me@127/);
    expect(`${error.message}${error.stack}`).not.toMatch(/se%40cret|se@cret/);
  });
});

describe.skipIf(testDatabaseUrl === undefined)("a PostgreSQL server", () => {
  let database: TestDatabase;
  let proxy: TestProxy;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    await (await database.session()).close();
    proxy = await openProxy(testDatabaseUrl!);
    url = urlOf(database, proxy.url);
  }, 60_000);
  afterEach(async () => {
    proxy.resume();
    proxy.onSend = undefined;
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await proxy.close();
    await database.close();
  }, 60_000);

  let count = 0;
  const open = async (parameters: Record<string, string> = {}) => {
    const own = new URL(url);
    for (const [name, value] of Object.entries(parameters)) own.searchParams.set(name, value);
    const workspace = `fault ${count++}`;
    const store = await openPostgresStore(own.href, { workspace });
    closing.push(() => store.close());
    return { store, workspace };
  };
  const change = (name: string) => ({
    files: [sampleFile(`${name}.ts`, [{ name, text: `export const ${name} = 1` }])],
    removed: [],
  });
  const paths = async (store: Awaited<ReturnType<typeof openPostgresStore>>) =>
    (await store.files("me")).map(({ path }) => path);

  it("that is restarted in the middle of a write: nothing is half-written, and the write is done again", async () => {
    const { store } = await open();
    await store.write("me", change("first"));
    // What it is cut at, one after the other: the first round trip, the rows, the end.
    const places = ["second.ts", "INSERT INTO items", "COMMIT"];
    proxy.onSend = (data) => {
      if (places[0] === undefined || !data.includes(places[0])) return;
      places.shift();
      proxy.cut();
      setTimeout(() => proxy.resume(), 20);
    };
    await store.write("me", change("second"));
    expect(places).toEqual([]);
    expect(await paths(store)).toEqual(["first.ts", "second.ts"]);
    expect(await store.revision("me")).toBeGreaterThan(1);
  });

  it("that stays away fails the write by name, and what was there is there", async () => {
    const { store, workspace } = await open();
    await store.write("me", change("first"));
    proxy.cut();
    const error = await failure(store.write("me", change("second")));
    expect(error.code).toBe("database-unreachable");
    proxy.resume();
    expect(await paths(store)).toEqual(["first.ts"]);
    const direct = await database.session(workspace);
    closing.push(() => direct.close());
    expect(await direct.of("me").all("SELECT path FROM files WHERE owner = $1")).toEqual([{ path: "first.ts" }]);
  }, 30_000);

  it("behind a network that hangs is given up in time, and asked again when it answers", async () => {
    const { store } = await open({ statement_timeout: "300", network_timeout: "600" });
    await store.write("me", change("first"));
    proxy.stall();
    const error = await failure(store.files("me"));
    expect(error.code).toBe("database-timeout");
    proxy.resume();
    expect(await paths(store)).toEqual(["first.ts"]);
  }, 30_000);

  it("stops a statement that takes too long", async () => {
    const own = new URL(url);
    own.searchParams.set("statement_timeout", "100");
    const session = await openPostgresSession(own.href, { workspace: "slow" });
    closing.push(() => session.close());
    const error = await failure(session.shared.all("SELECT pg_sleep(5)"));
    expect(error.code).toBe("database-timeout");
    expect(await session.shared.all("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("whose connections are all in use is busy, and serves again when one is free", async () => {
    const own = new URL(url);
    own.searchParams.set("pool", "1");
    own.searchParams.set("connect_timeout", "1");
    const session = await openPostgresSession(own.href, { workspace: "pool" });
    closing.push(() => session.close());
    let waiting: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await session.transaction("ada", async (queries) => {
      await queries.all("SELECT $1::bigint");
      waiting = Promise.allSettled([session.shared.all("SELECT 1")]);
      await queries.all("SELECT pg_sleep(2), $1::bigint");
    });
    const [refused] = (await waiting)!;
    expect(refused!.status).toBe("rejected");
    expect((refused as PromiseRejectedResult).reason.code).toBe("database-busy");
    expect(await session.shared.all("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  }, 30_000);

  it("lets one owner hold half of the connections at most, so that others are served", async () => {
    const own = new URL(url);
    own.searchParams.set("pool", "2");
    const session = await openPostgresSession(own.href, { workspace: "share" });
    closing.push(() => session.close());
    const order: string[] = [];
    const ask = (owner: string, seconds: number) =>
      session
        .transaction(owner, (queries) => queries.all(`SELECT pg_sleep(${seconds}), $1::bigint`))
        .then(() => order.push(owner));
    await Promise.all([ask("greedy", 0.6), ask("greedy", 0.6), ask("greedy", 0.6), ask("other", 0.1)]);
    expect(order[0]).toBe("other");
  }, 30_000);

  it("ends the transaction of a backend that is terminated, and the next call has another", async () => {
    const session = await database.session();
    closing.push(() => session.close());
    const error = await failure(
      session.transaction("ada", async (queries) => {
        await queries.run("INSERT INTO notes(owner, shelf, key, value) VALUES($1, 0, 'k', 'v')");
        await queries.all("SELECT pg_terminate_backend(pg_backend_pid()), $1::bigint");
      }),
    );
    expect(error.code).toBe("database-unreachable");
    expect(await session.of("ada").all("SELECT key FROM notes WHERE owner = $1")).toEqual([]);
  });

  it("refuses a wrong password and a database that is not there, without repeating the password", async () => {
    const own = new URL(url);
    own.pathname = "/no_such_database";
    own.password = "se%40cret";
    const error = await failure(openPostgresStore(own.href, { workspace: "w" }));
    expect(error.code).toBe("database-refused");
    expect(`${error.message}${error.stack}`).not.toMatch(/se%40cret|se@cret/);
  });

  it("gives a named failure where the role has no rights: no schema may be made, and one of others is not ours", async () => {
    const own = new URL(url);
    own.searchParams.set("schema", "pg_catalog");
    expect((await failure(openPostgresStore(own.href, { workspace: "w" }))).code).toBe("database-refused");
  });

  it("whose schema is of a newer version is left alone", async () => {
    const driver = await database.driver();
    const steps = ["CREATE TABLE one(a int)", "CREATE TABLE two(a int)"];
    const address = { ...database.address, schema: `${database.address.schema}_newer` };
    await prepareDatabase(driver, address, steps);
    const error = await failure(prepareDatabase(driver, address, steps.slice(0, 1)));
    expect(error.code).toBe("store-newer");
    const connection = await driver.connect();
    await connection.execute(`DROP SCHEMA "${address.schema}" CASCADE`);
    connection.release();
  });
});

const oldServer = "/usr/lib/postgresql/15/bin";

/** PostgreSQL refuses to run as root, and only root can become another user. */
describe.skipIf(!existsSync(oldServer) || process.getuid?.() !== 0)("a server that is too old", () => {
  it("is refused by name, before anything is made", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dossier-old-server-"));
    const run = (line: string) =>
      spawnSync("su", ["postgres", "-s", "/bin/sh", "-c", line], { encoding: "utf8", cwd: "/" });
    spawnSync("chown", ["postgres", folder]);
    const port = await closedPort();
    try {
      expect(run(`${oldServer}/initdb -D ${folder}/data -A trust -U postgres --no-sync`).status).toBe(0);
      const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
      run(`${oldServer}/pg_ctl -D ${folder}/data -l ${folder}/log -w -o "${options}" start`);
      const error = await failure(
        openPostgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, { workspace: "w" }),
      );
      expect(error.code).toBe("database-too-old");
      expect(error.message).toContain("PostgreSQL 15");
    } finally {
      run(`${oldServer}/pg_ctl -D ${folder}/data -m immediate stop`);
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
