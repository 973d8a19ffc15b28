import { afterAll, beforeAll, expect, it } from "vitest";
import { hashText } from "../../../text/hash.ts";
import { note } from "../../cases/graph.samples.ts";
import { noteItemId } from "../../graph.ts";
import { nameHash } from "../../rules/graph-text.ts";
import { postgresGraph } from "../graph/graph.ts";
import { postgresRecords } from "../records/records.ts";
import { prepareDatabase } from "./migrate.ts";
import { migrations } from "./schema.ts";
import { openTestDatabase, type TestDatabase } from "./server.samples.ts";
import { setOwner } from "./session/connections.ts";
import type { PostgresSession } from "./session/session.ts";

let database: TestDatabase;
let session: PostgresSession;

const [top, task] = [
  note("top"),
  note("task", { parent: "top", references: ["gone"], tags: ["todo"], aliases: ["t"] }),
];
const item = (key: string) => noteItemId("vault", key);
const json = (value: unknown) => `'${JSON.stringify(value)}'`;

/**
 * Rows as versions 1 and 2 wrote them: two notes, one below the other, a mention of a third that does not exist, and a
 * memory.
 */
const rows = `
INSERT INTO owners(workspace, name) VALUES('old', 'me');
INSERT INTO shelves(owner, shelf, revision) VALUES(1, 4, 1);
INSERT INTO graph_origins(owner, id, name, note_count, tag_count, reference_count) VALUES(1, 1, 'vault', 2, 1, 1);
INSERT INTO graph_keys(owner, id, origin, item, note, alias) VALUES
  (1, 1, 1, '${item("top")}', true, NULL), (1, 2, 1, '${item("task")}', true, NULL),
  (1, 3, 1, '${item("gone")}', false, NULL), (1, 4, 1, '${item("t")}', false, 2);
INSERT INTO graph_notes(owner, key, origin, sheet, hash, written, name, parent, place, refs, fields, aliases, value_count, reference_count)
VALUES (1, 1, 1, '${hashText("sheet")}', 'h1', 'top', ${nameHash(0, "top")}, NULL, 2147483647, '{}', '{}', '{}', 0, 0),
  (1, 2, 1, '${hashText("sheet")}', 'h2', 'task', ${nameHash(0, "task")}, 1, 2147483647, '{3}', '{}', '{4}', 0, 1);
INSERT INTO graph_bodies(owner, key, item, origin, sheet, body, vocabulary) VALUES
  (1, 1, '${item("top")}', 1, 'sheet', ${json(top)}, '[[],[],[]]'),
  (1, 2, '${item("task")}', 1, 'sheet', ${json(task)}, '[["todo"],[],[]]');
INSERT INTO graph_aliases(owner, alias, key) VALUES(1, 4, 2);
INSERT INTO graph_edges(owner, target, relation, place, mark, source) VALUES(1, 1, 8, 2147483647, 7, 2), (1, 3, 10, 0, 7, 2);
INSERT INTO graph_tags(owner, origin, hash, name, notes) VALUES(1, 1, '${hashText("todo")}', 'todo', 1);
INSERT INTO record_revisions(owner, records) VALUES(1, 5);
INSERT INTO records(owner, id, type, created, changed, revision, body) VALUES(1, 'mem-a', 'memory', 1, 1, 5, '{"tag":"x","weight":3}');
INSERT INTO record_marks(owner, type, path, value, number, record) VALUES
  (1, 'memory', 'tag', '=x', NULL, 'mem-a'), (1, 'memory', 'weight', '+3', 3, 'mem-a');
`;

beforeAll(async () => {
  database = await openTestDatabase();
  const driver = await database.driver();
  const { searchPath } = await prepareDatabase(driver, database.address, migrations.slice(0, 2));
  const connection = await driver.connect();
  await connection.execute(`SET search_path = ${searchPath}`);
  await connection.send([{ sql: setOwner, values: ["1"] }]);
  await connection.execute(rows);
  // As a new process: nothing of another owner is seen by whoever migrates.
  await connection.send([{ sql: setOwner, values: [""] }]);
  connection.release();
  session = await database.session("old");
}, 60_000);
afterAll(async () => {
  await session.close();
  await database.close();
}, 60_000);

it("keeps the notes that versions 1 and 2 have written, and what leads from one to another", async () => {
  const graph = postgresGraph(session);
  const stored = { origin: "vault", sheet: "sheet" };
  expect(await graph.get("me", [item("top"), item("task")])).toEqual([
    { ...top, id: item("top"), ...stored },
    { ...task, id: item("task"), ...stored },
  ]);
  expect(await graph.hashes("me", "vault", "sheet")).toEqual(
    new Map([
      ["top", "h1"],
      ["task", "h2"],
    ]),
  );
  expect((await graph.called("me", "t")).map(({ key }) => key)).toEqual(["task"]);
  expect((await graph.named("me", "Task", 5)).map(({ key }) => key)).toEqual(["task"]);
  const { edges } = await graph.neighbours("me", [item("top")], ["child", "reference"], 5);
  expect(edges).toEqual([{ from: item("top"), to: item("task"), relation: "child", out: true }]);
  expect(await graph.origins("me")).toEqual([
    { origin: "vault", notes: 2, tagged: 1, values: 0, references: 1, dangling: 1 },
  ]);
  // What is written on top of it meets the same rows.
  await graph.write("me", "vault", { notes: [{ note: note("gone"), sheet: "sheet", hash: "h3" }], removed: ["top"] });
  expect((await graph.neighbours("me", [item("gone")], ["reference"], 5)).edges).toHaveLength(1);
  expect(await graph.hashes("me", "vault")).toEqual(
    new Map([
      ["task", "h2"],
      ["gone", "h3"],
    ]),
  );
});

it("keeps what records are filtered by", async () => {
  const records = postgresRecords(session);
  const found = async (filter: object) =>
    (await records.list("me", { type: "memory", limit: 9, ...filter })).records.map(({ id }) => id);
  expect(await found({ where: { tag: ["x"] } })).toEqual(["mem-a"]);
  expect(await found({ where: { tag: ["y"] } })).toEqual([]);
  expect(await found({ atLeast: { weight: 3 } })).toEqual(["mem-a"]);
  expect(await found({ without: [{ path: "tag" }] })).toEqual([]);
  expect(await records.purge("me", "mem-a")).toBe(true);
  expect(await session.of("me").get("SELECT count(*) AS marks FROM record_marks WHERE owner = $1")).toEqual({
    marks: 0,
  });
});
