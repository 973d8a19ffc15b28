import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { say } from "../../cases/library.samples.ts";
import { note } from "../../cases/records.samples.ts";
import { allSucceed, bundleProgram, printed, runProgram } from "../../sqlite/engine/child.samples.ts";
import { openTestDatabase, type TestDatabase, testDatabaseUrl, urlOf } from "../engine/server.samples.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { postgresLibrary } from "../library/library.ts";
import { postgresKeys } from "./keys.ts";
import { postgresRecords } from "./records.ts";

/** A writer counts in one shared record and adds its own; `die` says after each acknowledged write which it was. */
const program = `
import { openPostgresSession } from "../engine/open.ts";
import { postgresRecords } from "./records.ts";
import { postgresLibrary } from "../library/library.ts";

const [, , role, url, workspace, name, thread] = process.argv as string[];
const session = await openPostgresSession(url!, { workspace: workspace! });
const store = postgresRecords(session);
const library = postgresLibrary(session);
const note = (id: string, body: unknown, slot?: string) =>
  ({ id: "mem-" + id, type: "memory" as const, created: 1, changed: 1, body, slot });
if (role === "count") {
  for (let i = 0; i < 40; i++) {
    await store.change("me", "mem-shared", (record) => ({ ...record, body: { count: (record.body as { count: number }).count + 1 } }));
    await store.write("me", [note(name + i, { writer: name })]);
  }
} else if (role === "say") {
  for (let i = 0; i < 40; i++) {
    await library.addMessages("me", thread!, [{ role: "user", blocks: [{ type: "text", text: name + i }], at: i }]);
    await library.putDocument("me", { path: "shared", content: name + " " + i, at: i });
  }
} else if (role === "race") {
  let won = 0;
  for (let i = 0; i < 20; i++) {
    try {
      await store.write("me", [note("slot" + i + name, { name }, "slot" + i)]);
      won++;
    } catch (error) {
      if ((error as { code?: string }).code !== "conflict") throw error;
    }
  }
  console.log("won " + won);
} else if (role === "die") {
  for (let i = 0; ; i++) {
    await store.write("me", [note(name + i + "a", { pair: i }), note(name + i + "b", { pair: i })]);
    process.stdout.write("acknowledged " + i + "\\n");
  }
} else if (role === "hang") {
  // Stops inside the transaction, as if the power went.
  await session.transaction("me", async (queries) => {
    await queries.run("UPDATE records SET body = 'null' WHERE owner = $1 AND id = $2", ["mem-shared"]);
    await queries.run("UPDATE record_revisions SET records = records + 100 WHERE owner = $1");
    console.log("inside");
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  });
}
await session.close();
`;

// PGlite is one process; what several do needs a server.
describe.skipIf(testDatabaseUrl === undefined)("several processes on one database", () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-postgres-processes-"));
  let database: TestDatabase;
  let child: string;
  let url: string;
  let count = 0;
  beforeAll(async () => {
    database = await openTestDatabase();
    child = await bundleProgram(folder, "child", program, import.meta.url);
    url = urlOf(database);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.close();
  }, 60_000);

  async function workspace<T>(work: (session: PostgresSession, name: string) => Promise<T>): Promise<T> {
    const name = `processes ${count++}`;
    const session = await database.session(name);
    try {
      return await work(session, name);
    } finally {
      await session.close();
    }
  }

  it("may make the schema at the same moment", async () => {
    const otherUrl = new URL(url);
    otherUrl.searchParams.set("schema", `${database.address.schema}_fresh`);
    await allSucceed(Array.from({ length: 4 }, () => runProgram(child, "open", otherUrl.href, "w")));
    const connection = await (await database.driver()).connect();
    await connection.execute(`DROP SCHEMA "${database.address.schema}_fresh" CASCADE`);
    connection.release();
  }, 60_000);

  it("change one record in turn, lose no count and no revision, and see each other's writes", async () => {
    await workspace(async (session, name) => {
      const store = postgresRecords(session);
      await store.write("me", [note("shared", { count: 0 })]);
      await allSucceed(["one", "two", "three"].map((each) => runProgram(child, "count", url, name, each)));
      expect(await store.get("me", ["mem-shared"])).toMatchObject([{ body: { count: 120 } }]);
      expect(await store.ids("me", { type: "memory", where: { writer: ["one", "two", "three"] } })).toHaveLength(120);
      expect(await store.revision("me")).toBe(241);
      const revisions = (await store.changedSince("me", "memory", 0, 999)).map(({ revision }) => revision);
      expect(new Set(revisions).size).toBe(121);
    });
  }, 60_000);

  it("append to one thread and write one document in turn, and lose nothing", async () => {
    await workspace(async (session, name) => {
      const library = postgresLibrary(session);
      const { id } = await library.createThread("me", { title: "t", at: 1 });
      await library.addMessages("me", id, [say("first")]);
      await allSucceed(["one", "two"].map((each) => runProgram(child, "say", url, name, each, id)));
      const messages = await library.messages("me", id, { from: 1, limit: 999 });
      expect(messages.map(({ number }) => number)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1));
      expect((await library.document("me", "shared"))?.version).toBe(80);
      expect(await library.revision("me")).toBe(2 + 160);
    });
  }, 60_000);

  it("never hold one slot both", async () => {
    await workspace(async (session, name) => {
      const all = ["x", "y", "z"].map((each) => runProgram(child, "race", url, name, each));
      await allSucceed(all);
      const won = all.map((each) => Number(/won (\d+)/.exec(each.output())![1]));
      expect(won.reduce((sum, one) => sum + one, 0)).toBe(20);
      expect((await postgresRecords(session).list("me", { type: "memory", limit: 99 })).total).toBe(20);
    });
  }, 60_000);

  it("lose nothing that was acknowledged, and write no half, when one is killed while it writes", async () => {
    await workspace(async (session, name) => {
      const store = postgresRecords(session);
      for (const round of ["a", "b", "c"]) {
        const { total: had } = await store.list("me", { type: "memory", limit: 0 });
        const dying = runProgram(child, "die", url, name, round);
        await printed(dying, "acknowledged 20");
        dying.process.kill("SIGKILL");
        await dying.ended;
        const acknowledged = dying.output().trimEnd().split("\n").length;
        // This waits for the transaction of the dead one, if the server still has it.
        await store.change("me", `mem-${round}0a`, (record) => record);
        const { total } = await store.list("me", { type: "memory", limit: 0 });
        expect((total - had) % 2).toBe(0);
        expect(total - had).toBeGreaterThanOrEqual(2 * acknowledged);
        expect(total - had).toBeLessThanOrEqual(2 * (acknowledged + 1));
      }
    });
  }, 60_000);

  it("lose only the unfinished transaction when a process is killed inside it", async () => {
    await workspace(async (session, name) => {
      const store = postgresRecords(session);
      await store.write("me", [note("shared", { count: 1 })]);
      const hanging = runProgram(child, "hang", url, name);
      await printed(hanging, "inside");
      expect(await store.get("me", ["mem-shared"])).toMatchObject([{ body: { count: 1 } }]);
      hanging.process.kill("SIGKILL");
      await hanging.ended;
      await store.write("me", [note("other")]);
      expect(await store.revision("me")).toBe(2);
      expect(await store.get("me", ["mem-shared"])).toMatchObject([{ body: { count: 1 } }]);
    });
  }, 60_000);

  it("refuse a key from the moment another revokes it", async () => {
    await workspace(async (session, name) => {
      const other = await database.session(name);
      const { secret, info } = await postgresKeys(session).create({ name: "k", owner: "me", scope: "read", at: 1 });
      expect(await postgresKeys(other).find(secret)).toEqual(info);
      await postgresKeys(other).revoke(info.id, 5);
      expect(await postgresKeys(session).find(secret)).toMatchObject({ revoked: 5 });
      await other.close();
    });
  });
});
