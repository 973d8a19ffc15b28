import { afterAll, beforeAll, expect, it } from "vitest";
import { changesOf, note } from "../../cases/graph.samples.ts";
import { sampleFile } from "../../cases/store.samples.ts";
import { postgresStore } from "../engine/open.ts";
import { openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close(), 60_000);

it("has the server count a table that it never looked into when an owner's first items have come", async () => {
  const session = await database.session();
  const store = postgresStore(session);
  const file = (path: string, count: number) =>
    sampleFile(
      path,
      Array.from({ length: count }, (_, i) => ({ name: `name${i}`, text: `const name${i} = ${i}` })),
    );
  const counted = () =>
    session.shared.all<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace AND c.relname LIKE 'items\\__'
       AND c.relkind = 'r' AND c.reltuples > 0`,
    );
  await store.write("ada", { files: [file("few.ts", 20)], removed: [] });
  expect(await counted()).toEqual([]);
  await store.write("ada", { files: [file("many.ts", 600)], removed: [] });
  expect(await counted()).toHaveLength(1);
  const trips = session.roundTrips();
  await store.write("ada", { files: [file("more.ts", 20)], removed: [] });
  // The write alone: it is done once for an owner.
  expect(session.roundTrips() - trips).toBeLessThanOrEqual(4);
  await store.close();
}, 60_000);

it("has the server count the tables of the notes graph when an owner's first notes have come", async () => {
  const session = await database.session();
  const { graph } = postgresStore(session);
  const counted = () =>
    session.shared.all<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c WHERE c.relnamespace = current_schema()::regnamespace
       AND c.relname ~ '^graph_(keys|bodies)_.$' AND c.relkind = 'r' AND c.reltuples > 0`,
    );
  const notes = (count: number) => Array.from({ length: count }, (_, i) => note(`n${i}`));
  await graph.write("bob", "vault", changesOf(notes(20)));
  expect(await counted()).toEqual([]);
  await graph.write("bob", "vault", changesOf(notes(600)));
  expect(await counted()).toHaveLength(2);
  await session.close();
}, 60_000);
