import { afterAll, beforeAll, describe } from "vitest";
import { keyCases } from "../../cases/keys.cases.ts";
import { recordCases } from "../../cases/records.cases.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { statementCases } from "../engine/statement.cases.ts";
import { postgresKeys } from "./keys.ts";
import { postgresRecords } from "./records.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

recordCases(engineName, async () => postgresRecords(await database.session()));
describe("keys", () => keyCases(engineName, async () => postgresKeys(await database.session())));

statementCases(() => database);
