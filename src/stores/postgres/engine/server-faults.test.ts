import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DossierError } from "../../../errors.ts";
import { sampleFile } from "../../cases/store.samples.ts";
import { canStartClusters, startPrimary, type TestCluster } from "../replicas/cluster.samples.ts";
import { failure } from "./failure.samples.ts";
import { openPostgresSession, openPostgresStore } from "./open.ts";
import { openProxy } from "./proxy.samples.ts";

const change = (name: string, text = `export const ${name} = 1`) => ({
  files: [sampleFile(`${name}.ts`, [{ name, text }])],
  removed: [],
});

/** All that an error could tell, down to its causes. */
function allWords(error: unknown): string {
  const own = error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)}` : String(error);
  return error instanceof Error && error.cause ? `${own} ${allWords(error.cause)}` : own;
}

describe.skipIf(!canStartClusters)("a server of one's own", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startPrimary();
  }, 60_000);
  afterAll(() => cluster.remove());

  it("refuses a wrong password by name, and nobody repeats it", async () => {
    const hba = join(cluster.folder.outside, "data", "pg_hba.conf");
    const trusted = "local all postgres trust\nhost all postgres 127.0.0.1/32 trust\n";
    writeFileSync(hba, `${trusted}host all all 127.0.0.1/32 scram-sha-256\n`);
    cluster.sql("SELECT pg_reload_conf()");
    await (await openPostgresSession(cluster.url, { workspace: "w" })).close();
    for (const password of ["wr%40ng-word", ""]) {
      const url = new URL(cluster.url);
      url.password = password;
      const error = await failure(openPostgresSession(url.href, { workspace: "w" }));
      expect(error.code).toBe("database-refused");
      expect(allWords(error)).not.toMatch(/wr(@|%40)ng-word/);
    }
    // The same on a connection that is opened later, when the password was changed meanwhile.
    const store = await openPostgresStore(cluster.url, { workspace: "w" });
    await store.write("ada", change("before"));
    cluster.sql("ALTER ROLE dossier PASSWORD 'another'");
    cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'dossier'");
    const later = await failure(store.write("ada", change("after")));
    expect(later.code).toBe("database-refused");
    expect(allWords(later)).not.toMatch(/se(@|%40)cret/);
    cluster.sql("ALTER ROLE dossier PASSWORD 'se@cret'");
    expect((await store.files("ada")).map(({ path }) => path)).toEqual(["before.ts"]);
    await store.close();
  }, 60_000);

  it("that is really restarted in a transaction: nothing is half-written, and what may be repeated is done again once", async () => {
    const session = await openPostgresSession(cluster.url, { workspace: "restart" });
    const insert = "INSERT INTO notes(owner, shelf, key, value) VALUES($1, 0, $2, '')";
    const keys = () => session.of("ada").all("SELECT key FROM notes WHERE owner = $1 ORDER BY key");
    const interrupted = (key: string, idempotent: boolean) => {
      let attempts = 0;
      return session
        .transaction(
          "ada",
          async (queries) => {
            await queries.run(insert, [`${key} 1`]);
            if (attempts++ === 0) {
              cluster.stop();
              cluster.start();
            }
            await queries.run(insert, [`${key} 2`]);
          },
          { idempotent },
        )
        .then(() => attempts);
    };
    const error = await failure(interrupted("once", false));
    expect(error.code).toBe("database-unreachable");
    expect(await keys()).toEqual([]);
    expect(await interrupted("again", true)).toBe(2);
    expect(await keys()).toEqual([{ key: "again 1" }, { key: "again 2" }]);
    await session.close();
  }, 60_000);

  it("behind a network that hangs at the end of a write: a named error, all or nothing, and the next write is served", async () => {
    const proxy = await openProxy(cluster.url);
    const url = new URL(proxy.url);
    url.searchParams.set("network_timeout", "800");
    const direct = await openPostgresStore(cluster.url, { workspace: "hang" });
    await direct.write("ada", change("first"));
    const store = await openPostgresStore(url.href, { workspace: "hang" });
    // It is sent by name when it was sent before: the first one says the word.
    proxy.onSend = (data) => {
      if (data.includes("COMMIT")) proxy.stall();
    };
    const error = await failure(store.write("ada", change("second")));
    expect(error.code).toBe("database-timeout");
    expect(allWords(error)).not.toMatch(/se(@|%40)cret/);
    proxy.onSend = undefined;
    proxy.resume();
    await store.write("ada", change("third"));
    expect((await direct.files("ada")).map(({ path }) => path)).toEqual(["first.ts", "third.ts"]);
    expect(await direct.revision("ada")).toBe(2);
    await Promise.all([store.close(), direct.close()]);
    await proxy.close();
  }, 60_000);

  it("ends a transaction that its process left open, so that nobody waits for its locks for ever", async () => {
    const url = new URL(cluster.url);
    url.searchParams.set("network_timeout", "500");
    const session = await openPostgresSession(url.href, { workspace: "left" });
    const other = await openPostgresSession(cluster.url, { workspace: "left" });
    const lock =
      "INSERT INTO shelves(owner, shelf) VALUES($1, 0) ON CONFLICT (owner, shelf) DO UPDATE SET revision = 1";
    const left = session.transaction("ada", async (queries) => {
      await queries.run(lock);
      // The process is there, and does nothing more: as one that is stopped, or cut off.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await queries.run(lock);
    });
    const [first] = await Promise.all([
      failure(left),
      new Promise((resolve) => setTimeout(resolve, 200)).then(() =>
        other.transaction("ada", (queries) => queries.run(lock)),
      ),
    ]);
    expect(first.code).toBe("database-unreachable");
    await Promise.all([session.close(), other.close()]);
  }, 60_000);

  /** A disk of 60 MB in the server's folder; only root can make one. */
  const smallDisk = () => {
    const { outside } = cluster.folder;
    const { uid, gid } = statSync(outside);
    const place = join(outside, "small");
    mkdirSync(place, { recursive: true });
    const options = `size=60m,uid=${uid},gid=${gid}`;
    return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place]).status === 0 ? place : undefined;
  };

  it("whose disk is full says so, has nothing half-written, is read on, and takes writes again when there is room", async ({
    skip,
  }) => {
    const place = smallDisk();
    if (!place) return skip("only root can make a small disk");
    try {
      const filler = join(place, "filler");
      cluster.sql(`CREATE TABLESPACE small LOCATION '${cluster.folder.inside}/small'`);
      cluster.createDatabase("small", "TABLESPACE small");
      writeFileSync(filler, Buffer.alloc(10_000_000));
      const store = await openPostgresStore(cluster.url.replace(/\/[^/]*$/, "/small"), { workspace: "w" });
      const acknowledged: string[] = [];
      const noise = () => Array.from({ length: 4000 }, () => Math.random().toString(36).slice(2)).join(" ");
      let full: DossierError | undefined;
      for (let n = 0; n < 400 && !full; n++) {
        const name = `file${String(n).padStart(3, "0")}`;
        const outcome = await store.write("ada", change(name, noise())).catch((error: unknown) => error);
        if (outcome === undefined) acknowledged.push(`${name}.ts`);
        else full = outcome as DossierError;
      }
      expect(full?.code).toBe("disk-full");
      const paths = async () => (await store.files("ada")).map(({ path }) => path);
      expect(await paths()).toEqual(acknowledged);
      expect(await store.revision("ada")).toBe(acknowledged.length);
      rmSync(filler);
      await store.write("ada", change("last"));
      expect(await paths()).toEqual([...acknowledged, "last.ts"]);
      await store.close();
    } finally {
      cluster.stop();
      spawnSync("umount", [place]);
      cluster.kill();
    }
  }, 120_000);
});
