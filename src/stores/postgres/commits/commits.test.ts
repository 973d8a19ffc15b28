import { afterAll, beforeAll } from "vitest";
import { commitCases } from "../../cases/commits.cases.ts";
import { postgresStore } from "../engine/open.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { statementCases } from "../engine/statement.cases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close(), 60_000);

commitCases(engineName, async () => postgresStore(await database.session()));

statementCases(() => database);
