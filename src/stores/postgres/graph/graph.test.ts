import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { relations } from "../../../note.ts";
import { graphCases } from "../../cases/graph.cases.ts";
import { changesOf, note } from "../../cases/graph.samples.ts";
import { noteItemId } from "../../graph.ts";
import { postgresStore } from "../engine/open.ts";
import { engineName, openTestDatabase, type TestDatabase } from "../engine/server.samples.ts";
import { statementCases } from "../engine/statement.cases.ts";
import { postgresGraph } from "./graph.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close(), 60_000);

graphCases(engineName, async () => postgresStore(await database.session()));

describe("the graph's round trips", () => {
  it("are at most 10 for a thousand notes, and one or two for a question", async () => {
    const session = await database.session();
    const graph = postgresGraph(session);
    const trips = async (work: () => Promise<unknown>) => {
      const before = session.roundTrips();
      await work();
      return session.roundTrips() - before;
    };
    const ids = Array.from({ length: 1000 }, (_, i) => noteItemId("vault", `n${i}`));
    const notes = ids.map((_, i) =>
      note(`n${i}`, { parent: i === 0 ? "top" : `n${i >> 1}`, references: ["n0"], tags: ["t"], aliases: [`a${i}`] }),
    );
    expect(await trips(() => graph.write("me", "vault", changesOf(notes)))).toBeLessThanOrEqual(10);
    expect(await trips(() => graph.write("me", "vault", changesOf(notes, ["n7"])))).toBeLessThanOrEqual(10);
    expect(await trips(() => graph.get("me", ids))).toBe(1);
    expect(await trips(() => graph.ancestors("me", ids, 9))).toBe(1);
    expect(await trips(() => graph.neighbours("me", ids, relations, 2000))).toBe(1);
    // Where there are more than were read, they are counted.
    expect(await trips(() => graph.neighbours("me", ids, relations, 5))).toBe(2);
    expect(await trips(() => graph.called("me", "a5"))).toBe(2);
    expect(await trips(() => graph.named("me", "n5", 9))).toBe(1);
    await session.close();
  });
});

statementCases(() => database);
