import { afterAll, beforeAll } from "vitest";
import { graphCases } from "../../cases/graph.cases.ts";
import type { Store } from "../../store.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { postgresGraph } from "./graph.ts";
import { notesRevision } from "./note-shelf.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

graphCases(engineName, async () => {
  const session = await database.session();
  const shelf = () => ({ revision: (owner: string) => notesRevision(session, owner) });
  return { graph: postgresGraph(session), shelf, close: () => session.close() } as unknown as Store;
});
