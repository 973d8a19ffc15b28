import { afterAll, beforeAll } from "vitest";
import { libraryCases } from "../../cases/library.cases.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { statementCases } from "../engine/statement.cases.ts";
import { postgresLibrary } from "./library.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

libraryCases(engineName, async () => postgresLibrary(await database.session()));

statementCases(() => database);
