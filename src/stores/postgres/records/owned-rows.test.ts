import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesOf, note as graphNote } from "../../cases/graph.samples.ts";
import { say } from "../../cases/library.samples.ts";
import { note } from "../../cases/records.samples.ts";
import { openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { postgresGraph } from "../graph/graph.ts";
import { postgresLibrary } from "../library/library.ts";
import { postgresRecords } from "./records.ts";

let database: TestDatabase;
let session: PostgresSession;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await database.session();
  for (const owner of ["ann", "bob"]) await fill(owner);
}, 60_000);
afterAll(async () => {
  await session.close();
  await database.close();
}, 60_000);

/** A row in every table of records, library and graph. */
async function fill(owner: string): Promise<void> {
  await postgresRecords(session).write(owner, [note("a", { tag: owner })]);
  const library = postgresLibrary(session);
  await library.putDocument(owner, { path: "a", content: owner, at: 1 });
  const { id } = await library.createThread(owner, { title: owner, at: 1 });
  await library.addMessages(owner, id, [say(owner)]);
  await library.addReference(owner, id, { kind: "item", target: "x", source: "user-added", priority: 1, at: 1 });
  await library.recordUsage(owner, [{ item: "x", kind: "useful", at: 1 }]);
  const notes = [graphNote("a", { tags: ["t"], aliases: ["b"], references: ["c"] })];
  await postgresGraph(session).write(owner, "vault", changesOf(notes));
}

const tables = [
  ...["record_revisions", "records", "record_marks"],
  ...["documents", "contents", "threads", "messages", "thread_references", "usage"],
  ...["graph_origins", "graph_keys", "graph_bodies", "graph_aliases", "graph_edges", "graph_tags"],
];

describe("row-level security", () => {
  it.each(tables)(
    "shows a statement on %s that forgets the owner only what is the owner's, and nobody nothing",
    async (table) => {
      const count = `SELECT count(*) AS rows, count(DISTINCT owner) AS owners FROM ${table}`;
      const [seen] = await session
        .of("ann")
        .all<{ rows: number; owners: number }>(`${count} WHERE $1::bigint IS NOT NULL`);
      expect(seen!.rows).toBeGreaterThan(0);
      expect(seen!.owners).toBe(1);
      expect(await session.shared.get(count)).toEqual({ rows: 0, owners: 0 });
      const all = session.of("ann").all(`SELECT * FROM ${table} WHERE owner <> $1`);
      expect(await all).toEqual([]);
    },
  );

  it.each(tables)("lets a statement on %s that forgets the owner delete nothing of another's", async (table) => {
    const undone = new Error("undone");
    const work = session.transaction("ann", async (queries) => {
      const deletedRows = await queries.run(`DELETE FROM ${table} WHERE $1::bigint IS NOT NULL`);
      expect(deletedRows).toBeGreaterThan(0);
      throw undone;
    });
    await expect(work).rejects.toBe(undone);
    const rows = await session.of("bob").all(`SELECT 1 FROM ${table} WHERE owner = $1`);
    expect(rows.length).toBeGreaterThan(0);
  });

  it("keeps the same owner of two workspaces apart", async () => {
    const other = await database.session();
    expect(await postgresRecords(other).ids("ann", { type: "memory" })).toEqual([]);
    await postgresRecords(other).write("ann", [note("z")]);
    expect(await postgresRecords(session).ids("ann", { type: "memory" })).toEqual(["mem-a"]);
    await other.close();
  });
});

describe("round trips of records and library", () => {
  const trips = async (work: () => Promise<unknown>) => {
    const before = session.roundTrips();
    await work();
    return session.roundTrips() - before;
  };

  it("are at most 20 for a write of a thousand, and three for a read", async () => {
    const records = postgresRecords(session);
    const library = postgresLibrary(session);
    const thousand = Array.from({ length: 1000 }, (_, i) => i);
    const notes = thousand.map((i) => note(`n${i}`, { tag: `t${i % 7}`, weight: i }));
    expect(await trips(() => records.write("ann", notes))).toBeLessThanOrEqual(6);
    expect(await trips(() => records.write("ann", notes, { removed: ["mem-n0"] }))).toBeLessThanOrEqual(6);
    expect(await trips(() => records.list("ann", { type: "memory", where: { tag: ["t1"] }, limit: 9 }))).toBe(1);
    expect(await trips(() => records.purge("ann", notes.map(({ id }) => id).slice(0, 500)))).toBeLessThanOrEqual(10);
    const { id } = await library.createThread("ann", { title: "long", at: 1 });
    const thousandMessages = thousand.map((i) => say(`m${i}`, { id: `given ${i}` }));
    expect(await trips(() => library.addMessages("ann", id, thousandMessages))).toBeLessThanOrEqual(8);
    expect(await trips(() => library.addMessages("ann", id, thousandMessages))).toBeLessThanOrEqual(8);
    expect(await trips(() => library.messages("ann", id, { last: 500 }))).toBe(2);
    expect(await trips(() => library.putDocument("ann", { path: "b", content: "b", at: 1 }))).toBeLessThanOrEqual(6);
    expect(await trips(() => library.documents("ann", { limit: 9 }))).toBe(1);
    expect(await trips(() => library.documentsSince("ann", 0, 500))).toBe(2);
    expect(await trips(() => library.references("ann", id))).toBe(2);
    expect(
      await trips(() =>
        library.recordUsage(
          "ann",
          thousand.map((i) => ({ item: `i${i}`, kind: "cited", at: i })),
        ),
      ),
    ).toBeLessThanOrEqual(5);
  });

  it("purging leaves no row version behind that a statement could still read", async () => {
    const records = postgresRecords(session);
    await records.write("ann", [note("secret", { text: "SECRET" })]);
    await records.purge("ann", "mem-secret");
    const sql = "SELECT count(*) AS rows FROM records WHERE owner = $1 AND body LIKE '%SECRET%'";
    expect(await session.of("ann").get(sql)).toEqual({ rows: 0 });
    const marks = `SELECT count(*) AS rows FROM record_marks AS m WHERE owner = $1 AND NOT EXISTS (
      SELECT 1 FROM records AS r WHERE r.owner = $1 AND r.revision = m.revision AND r.body IS NOT NULL)`;
    expect(await session.of("ann").get(marks)).toEqual({ rows: 0 });
  });
});
