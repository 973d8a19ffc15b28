import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { relations } from "../../../note.ts";
import { graphCases } from "../../cases/graph.cases.ts";
import { changesOf, note } from "../../cases/graph.samples.ts";
import { noteItemId } from "../../graph.ts";
import { bundleProgram, printed, runProgram } from "../engine/child.samples.ts";
import { type Database, openDatabase } from "../engine/driver.ts";
import { openSqliteStore } from "../engine/open.ts";
import { graphStore } from "./graph.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-graph-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newPath = () => join(folder, `${count++}.db`);
const id = (key: string) => noteItemId("vault", key);

graphCases("SQLite", () => openSqliteStore(newPath()));

async function emptyDatabase(): Promise<Database> {
  const path = newPath();
  await (await openSqliteStore(path)).close();
  return openDatabase(path);
}

describe("the graph's tables", () => {
  it("keep nothing of notes that are gone", async () => {
    const database = await emptyDatabase();
    const graph = graphStore(database);
    const notes = Array.from({ length: 300 }, (_, i) =>
      note(`n${i}`, {
        aliases: [`alias ${i % 50}`, `other ${i}`],
        parent: `n${i >> 2}`,
        references: [`n${i * 7}`, `alias ${i}`],
        fields: [{ name: "f", values: [{ text: "v", note: `value ${i}` }] }],
        tags: [`t${i % 5}`],
      }),
    );
    const rows = () =>
      ["sheets", "keys", "notes", "bodies", "aliases", "edges", "tags"].map(
        (table) => database.get<{ count: number }>(`SELECT count(*) AS count FROM graph_${table}`)!.count,
      );
    await graph.write("me", "vault", changesOf(notes));
    const once = rows();
    await graph.write("me", "vault", changesOf(notes.toReversed()));
    expect(rows()).toEqual(once);
    await graph.write(
      "me",
      "vault",
      changesOf(
        [],
        notes.slice(1).map(({ key }) => key),
      ),
    );
    // The keys of the note that is left: its own, two aliases, a value.
    expect(rows()).toEqual([1, 4, 1, 1, 2, 4, 1]);
    await graph.write("me", "vault", changesOf([], ["n0"]));
    expect(rows()).toEqual([0, 0, 0, 0, 0, 0, 0]);
    database.close();
  });

  it("are never read whole to answer a question or to write a change", async () => {
    const database = await emptyDatabase();
    const statements = new Set<string>();
    const watched: Database = {
      ...database,
      run: (sql, values) => database.run(seen(sql), values),
      get: (sql, values) => database.get(seen(sql), values),
      all: (sql, values) => database.all(seen(sql), values),
    };
    const seen = (sql: string) => {
      statements.add(sql);
      return sql;
    };
    const graph = graphStore(watched);
    const notes = Array.from({ length: 500 }, (_, i) =>
      note(`n${i}`, { parent: "n0", references: ["hub"], aliases: i === 0 ? ["hub"] : [] }),
    );
    await graph.write("me", "vault", changesOf(notes));
    await graph.write("me", "vault", changesOf(notes.slice(0, 20), ["n100"]));
    await graph.get("me", [id("n1")]);
    await graph.called("me", "hub");
    await graph.named("me", "n1", 5);
    await graph.hashes("me", "vault");
    await graph.hashes("me", "vault", "sheet");
    await graph.neighbours("me", [id("n0"), id("n1")], relations, 10);
    await graph.ancestors("me", [id("n1")], 5);
    await graph.origins("me");
    await graph.tags("me", 5);
    expect(statements.size).toBeGreaterThan(20);
    const steps = [...statements].flatMap((sql) => {
      const numbered = new Set(sql.match(/\?\d/g)).size;
      const values = Array<null>(numbered || sql.split("?").length - 1).fill(null);
      return database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values).map(({ detail }) => detail);
    });
    expect(steps.filter((step) => /^SEARCH .* USING/.test(step)).length).toBeGreaterThan(20);
    // What is given as JSON, what was found above, and what another step yields are read whole, tables are not.
    const whole = steps.filter(
      (step) =>
        /^SCAN /.test(step) &&
        !/VIRTUAL TABLE|CONSTANT ROW|ROWS? VALUES CLAUSE|^SCAN (up|\(subquery-\d+\))$/.test(step),
    );
    expect(whole).toEqual([]);
    database.close();
  });
});

/**
 * A writer gives two notes the same name again and again, and now and then a third; a reader checks that it never sees
 * two names.
 */
const program = `
import { noteItemId } from "../../graph.ts";
import { changesOf, note } from "../../cases/graph.samples.ts";
import { openSqliteStore } from "../engine/open.ts";

const [, , role, path] = process.argv as string[];
const id = (key: string) => noteItemId("vault", key);
const store = await openSqliteStore(path!);
if (role === "write") {
  for (let number = 1; number <= 60; number++) {
    const pair = ["left", "right"].map((key) => note(key, { name: "n" + number, parent: "top", references: ["left", "right"] }));
    await store.graph.write("me", "vault", changesOf(number % 2 ? [...pair, note("top")] : pair, number % 2 ? [] : ["top"]));
    if (number === 1) console.log("begun");
  }
  console.log("written");
} else {
  let seen = 0;
  for (let turn = 0; turn < 300; turn++) {
    const names = (await store.graph.get("me", [id("left"), id("right")])).map((note) => note.name);
    if (names.length !== 2 || names[0] !== names[1]) throw new Error("a half-written pair: " + names);
    const { edges } = await store.graph.neighbours("me", [id("top"), id("left")], ["child", "reference"], 9);
    if (edges.length !== 1 && edges.length !== 3) throw new Error("half-written edges: " + JSON.stringify(edges));
    seen += names.length;
  }
  console.log("seen " + seen);
}
await store.close();
`;

describe("several processes on one graph", () => {
  it("read whole changes while another writes, and what it wrote last without opening anew", async () => {
    const child = await bundleProgram(folder, "graph-child", program, import.meta.url);
    const path = newPath();
    const store = await openSqliteStore(path);
    const writer = runProgram(child, "write", path);
    await printed(writer, "begun");
    expect(await store.graph.get("me", [id("left")])).toHaveLength(1);
    const reader = runProgram(child, "read", path);
    const codes = await Promise.all([writer.ended, reader.ended]);
    expect({ codes, errors: writer.errors() + reader.errors() }).toEqual({ codes: [0, 0], errors: "" });
    expect(reader.output()).toContain("seen 600");
    expect(await store.graph.get("me", [id("left"), id("right")])).toMatchObject([{ name: "n60" }, { name: "n60" }]);
    await store.check();
    await store.close();
  });
});
