import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sampleFile } from "../../cases/store.samples.ts";
import { readDatabaseUrl } from "../engine/address.ts";
import { openPostgresSession, openPostgresStore, postgresStore } from "../engine/open.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { canStartClusters, startPrimary, startReplica, type TestCluster } from "./cluster.samples.ts";

const change = (name: string) => ({
  files: [sampleFile(`${name}.ts`, [{ name, text: `export const ${name} = 1` }])],
  removed: [],
});

describe("a URL with several hosts", () => {
  it("is one URL for each, shown as one, without the password", () => {
    const address = readDatabaseUrl("postgres://me:se%40cret@one,two:5433/db?target_session_attrs=read-write&pool=2");
    expect(address).toMatchObject({
      url: "postgres://me:se%40cret@one/db",
      otherUrls: ["postgres://me:se%40cret@two:5433/db"],
      shown: "postgres://me@one,two:5433/db",
      pool: 2,
    });
    expect(readDatabaseUrl("postgres://me@one:5432,two/db").otherUrls).toEqual(["postgres://me@two/db"]);
  });
});

describe.skipIf(!canStartClusters)("a primary with a streaming replica", () => {
  let primary: TestCluster;
  let replica: TestCluster;
  let session: PostgresSession;
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  beforeAll(async () => {
    process.on("warning", hear);
    primary = await startPrimary();
    await (await openPostgresSession(primary.url, { workspace: "w" })).close();
    replica = await startReplica(primary);
    session = await openPostgresSession(primary.url, { workspace: "w", replicaUrls: [replica.url] });
    await session.transaction("ada", (queries) => queries.run(insertNote, ["first"]));
  }, 120_000);
  afterAll(async () => {
    process.off("warning", hear);
    await session.close();
    replica.remove();
    primary.remove();
  }, 60_000);

  const insertNote = "INSERT INTO notes(owner, shelf, key, value) VALUES($1, 0, $2, '')";
  /** Which server answers, and with what. */
  const read = async () => {
    const rows = await session
      .of("ada")
      .all<{ port: number; key: string }>(
        "SELECT inet_server_port() AS port, key FROM notes WHERE owner = $1 ORDER BY key",
      );
    return { by: rows[0]!.port === replica.port ? "replica" : "primary", keys: rows.map(({ key }) => key) };
  };

  it("is read from the replica once that has what was written", async () => {
    await vi.waitFor(async () => expect(await read()).toEqual({ by: "replica", keys: ["first"] }), 10_000);
  });

  it("is read from the primary as long as the replica has not replayed the session's last write", async () => {
    replica.sql("SELECT pg_wal_replay_pause()");
    await session.transaction("ada", (queries) => queries.run(insertNote, ["second"]));
    for (let i = 0; i < 5; i++) {
      expect(await read()).toEqual({ by: "primary", keys: ["first", "second"] });
      await sleep(30);
    }
    // What another owner reads is there.
    await session.transaction("bob", (queries) => queries.run(insertNote, ["of bob"]));
    replica.sql("SELECT pg_wal_replay_resume()");
    await vi.waitFor(async () => expect((await read()).by).toBe("replica"), 10_000);
    expect((await read()).keys).toEqual(["first", "second"]);
    expect(warnings).toEqual([]);
  }, 30_000);

  it("keeps writes, transactions and what belongs to no owner on the primary", async () => {
    const where = "SELECT inet_server_port() AS port";
    const port = await session.transaction("ada", (queries) => queries.get<{ port: number }>(`${where}, $1::bigint`));
    expect(port).toMatchObject({ port: primary.port });
    expect(await session.shared.get(where)).toEqual({ port: primary.port });
    expect(await session.of("ada").run("UPDATE notes SET value = 'x' WHERE owner = $1 AND key = 'first'")).toBe(1);
    const store = postgresStore({ ...session, close: async () => undefined });
    for (const name of ["a", "b", "c"]) {
      await store.write("ada", change(name));
      expect((await store.files("ada")).at(-1)!.path).toBe(`${name}.ts`);
    }
  });

  it("answers on when the replica dies, says so once without a password, and uses it again when it is back", async () => {
    replica.kill();
    for (let i = 0; i < 10; i++) expect((await read()).by).toBe("primary");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^The database postgres:\/\/dossier@127.*Reads go to the primary/);
    expect(warnings.join()).not.toMatch(/se@cret|se%40cret/);
    replica.start();
    await vi.waitFor(async () => expect((await read()).by).toBe("replica"), { timeout: 20_000, interval: 200 });
  }, 60_000);

  it("does not read from a server that is no replica of it", async () => {
    const other = await startPrimary();
    warnings.length = 0;
    try {
      await (await openPostgresSession(other.url, { workspace: "w" })).close();
      const wrong = await openPostgresSession(primary.url, { workspace: "w", replicaUrls: [other.url] });
      expect(await wrong.of("ada").all("SELECT key FROM notes WHERE owner = $1")).toHaveLength(2);
      await wrong.close();
      expect(warnings.join()).toContain("replica of another database");
    } finally {
      other.remove();
    }
  }, 60_000);
});

describe.skipIf(!canStartClusters)("a primary that is killed under load, with synchronous replication", () => {
  it("is followed by its promoted replica: answers come again by themselves, and no acknowledged write is lost", async () => {
    const primary = await startPrimary();
    await (await openPostgresSession(primary.url, { workspace: "w" })).close();
    const replica = await startReplica(primary);
    primary.stop();
    primary.start({ synchronous_standby_names: "*", synchronous_commit: "on" });
    await vi.waitFor(() => expect(primary.sql("SELECT sync_state FROM pg_stat_replication")).toContain("sync"), 15_000);
    const url = primary.url.replace(/@([^/]*)/, (_, host) => `@${host},127.0.0.1:${replica.port}`);
    const store = await openPostgresStore(url, { workspace: "w", replicaUrls: [replica.url] });
    const began = performance.now();
    const answered = { reads: [] as number[], writes: [] as number[] };
    const failures = { reads: 0, writes: 0 };
    const acknowledged = new Map<string, string[]>();
    let isRunning = true;
    const lane = async (owner: string) => {
      const own: string[] = [];
      acknowledged.set(owner, own);
      for (let n = 0; isRunning; n++) {
        try {
          await store.write(owner, change(`item${n}`));
          own.push(`item${n}.ts`);
          answered.writes.push(performance.now());
        } catch {
          failures.writes++;
        }
      }
    };
    const reader = async (owner: string) => {
      while (isRunning) {
        try {
          await store.files(owner);
          answered.reads.push(performance.now());
        } catch {
          failures.reads++;
        }
        await sleep(10);
      }
    };
    const owners = Array.from({ length: 6 }, (_, i) => `owner ${i}`);
    const lanes = [...owners.map(lane), ...owners.map(reader)];
    try {
      await sleep(2000);
      const killed = performance.now();
      primary.kill();
      await sleep(1000);
      const promoting = performance.now();
      replica.promote();
      const promoted = performance.now();
      await vi.waitFor(() => expect(answered.writes.at(-1)).toBeGreaterThan(promoted + 1000), 30_000);
      isRunning = false;
      await Promise.all(lanes);
      const gap = (times: number[]) => {
        const around = times.filter((time, i) => time >= killed || (times[i + 1] ?? 0) >= killed).sort((a, b) => a - b);
        return Math.max(...around.slice(1).map((time, i) => time - around[i]!)) / 1000;
      };
      let [writes, reads] = [0, 0];
      for (const [owner, paths] of acknowledged) {
        const stored = new Set((await store.files(owner)).map(({ path }) => path));
        writes += paths.length;
        reads += paths.filter((path) => stored.has(path)).length;
      }
      console.log(
        `promotion began ${((promoting - killed) / 1000).toFixed(1)} s after the kill and took ${((promoted - promoting) / 1000).toFixed(1)} s; ` +
          `no answer to writes for ${gap(answered.writes).toFixed(1)} s, to reads for ${gap(answered.reads).toFixed(1)} s; ` +
          `writes acknowledged ${writes}, found ${reads}; failed writes ${failures.writes}, reads ${failures.reads}; ` +
          `${((performance.now() - began) / 1000).toFixed(0)} s of load`,
      );
      // Locks are the new primary's, too.
      const session = await openPostgresSession(url, { workspace: "w" });
      const release = await session.signals!.tryLock("root");
      expect(release).toBeDefined();
      await release!();
      await session.close();
      expect(writes).toBeGreaterThan(20);
      expect(reads).toBe(writes);
    } finally {
      isRunning = false;
      await Promise.allSettled(lanes);
      await store.close();
      replica.remove();
      primary.remove();
    }
  }, 180_000);
});
