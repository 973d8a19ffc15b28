import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Note } from "../../../note.ts";
import { type Database, openDatabase } from "../../../stores/sqlite/engine/driver.ts";
import { batchSize } from "../reader.ts";
import { tanaExport } from "../tana/export.ts";
import { type SampleDoc, writeIndex } from "./supertag.samples.ts";
import { supertag } from "./supertag.ts";

const day = Date.UTC(2026, 1, 2);

const doc = (
  id: string,
  name: string | undefined,
  owner: string | undefined,
  more: Partial<SampleDoc> & Record<string, unknown> = {},
): SampleDoc => {
  const { children, modifiedTs, ...props } = more;
  return {
    id,
    props: {
      created: day,
      ...(name === undefined ? {} : { name }),
      ...(owner === undefined ? {} : { _ownerId: owner }),
      ...props,
    },
    ...(children ? { children: children as string[] } : {}),
    modifiedTs: (modifiedTs as number[] | undefined) ?? [day + 1],
  };
};

/** Tags as Tana states them: a tuple of a metanode. */
const tagged = (id: string, ...tags: string[]): SampleDoc[] => [
  doc(`${id}-meta`, undefined, id, { _docType: "metanode", children: [`${id}-tags`] }),
  doc(`${id}-tags`, undefined, `${id}-meta`, { _docType: "tuple", children: ["SYS_A13", ...tags] }),
];

const workspace: SampleDoc[] = [
  doc("ws0000000001", "Root node for file:ws0000000001", undefined, {
    children: ["home00000001", "ws0000000001_STASH"],
  }),
  doc("ws0000000001_STASH", "Library", "ws0000000001", { children: ["ada000000001"] }),
  doc("ws0000000001_TRASH", "Deleted Nodes", "ws0000000001", { children: ["binned000001"] }),
  doc("ws0000000001_SCHEMA", "Schema", "ws0000000001", { children: ["tagProject01"] }),
  doc("tagThing0001", "thing", "ws0000000001_SCHEMA", { _docType: "tagDef" }),
  doc("tagProject01", "project", "ws0000000001_SCHEMA", { _docType: "tagDef" }),
  ...tagged("tagProject01", "SYS_T01", "tagThing0001"),
  doc("tagPerson001", "person", "ws0000000001_SCHEMA", { _docType: "tagDef" }),
  doc("attrOwner001", "Owner", "ws0000000001_SCHEMA", { _docType: "attrDef" }),
  doc("attrBudget01", "Budget", "ws0000000001_SCHEMA", { _docType: "attrDef" }),
  doc("home00000001", "Home", "ws0000000001", { _docType: "home", children: ["atlas0000001"] }),
  doc("atlas0000001", "Atlas", "home00000001", {
    description: "Maps for <b>everyone</b>",
    children: ["atlas-owner1", "atlas-budget", "legend000001", "ada000000001"],
    _done: day + 5,
  }),
  ...tagged("atlas0000001", "tagProject01"),
  doc("atlas-owner1", undefined, "atlas0000001", { _docType: "tuple", children: ["attrOwner001", "ada000000001"] }),
  doc("atlas-budget", undefined, "atlas0000001", { _docType: "tuple", children: ["attrBudget01", "nineHundred1"] }),
  doc("nineHundred1", "900", "atlas-budget"),
  doc("legend000001", 'Legend by <span data-inlineref-node="ada000000001"></span>', "atlas0000001"),
  doc("ada000000001", "Ada", "ws0000000001_STASH"),
  ...tagged("ada000000001", "tagPerson001"),
  doc("binned000001", "Atlas, first try", "ws0000000001_TRASH", { children: ["binnedChild1"] }),
  doc("binnedChild1", "Also binned", "binned000001"),
];

let folder: string;
let place: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dossier-supertag-"));
  place = join(folder, "tana-index.db");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(
  signal?: AbortSignal,
): Promise<{ notes: Map<string, Note>; warnings: string[]; batches: number[] }> {
  const notes = new Map<string, Note>();
  const warnings: string[] = [];
  const batches: number[] = [];
  const [sheet] = await supertag.list(place);
  for await (const batch of supertag.read(place, [sheet!.name], {
    warn: (sentence) => warnings.push(sentence),
    signal,
  })) {
    batches.push(batch.notes.length);
    for (const note of batch.notes) notes.set(note.key, note);
  }
  return { notes, warnings, batches };
}

/** Everything about the folder that someone could change. */
async function state(): Promise<unknown> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return {
        name,
        size,
        mtimeMs,
        hash: createHash("sha256")
          .update(await readFile(path))
          .digest("hex"),
      };
    }),
  );
}

describe("an index of supertag-cli", () => {
  it("is read with its tags, inheritance, fields, owners, mentions and what is done", async () => {
    await writeIndex(place, workspace);
    const { notes, warnings } = await read();
    expect(warnings).toEqual([]);
    expect([...notes.keys()].sort()).toEqual(["ada000000001", "atlas0000001", "home00000001", "legend000001"]);
    expect(notes.get("atlas0000001")).toEqual({
      key: "atlas0000001",
      name: "Atlas",
      text: "Maps for **everyone**",
      tags: ["project"],
      inherited: ["thing"],
      fields: [
        { name: "Owner", values: [{ text: "Ada", note: "ada000000001" }] },
        { name: "Budget", values: [{ text: "900" }] },
      ],
      parent: "home00000001",
      order: 0,
      references: ["ada000000001"],
      created: day,
      changed: day + 1,
      done: true,
    });
    expect(notes.get("legend000001")).toMatchObject({ name: "Legend by Ada", references: ["ada000000001"] });
  });

  it("gives the same notes as the export that it was made from", async () => {
    await writeIndex(place, workspace);
    const exported = join(folder, "export.json");
    await writeFile(exported, JSON.stringify({ formatVersion: 1, editors: [], docs: workspace }));
    const notes = new Map<string, Note>();
    for await (const batch of tanaExport.read(exported, ["export.json"], { warn: () => undefined })) {
      for (const note of batch.notes) notes.set(note.key, note);
    }
    expect((await read()).notes).toEqual(notes);
  });

  it("is read where only its tables say something: nodes from the live API have no doc", async () => {
    await writeIndex(place, workspace, (database) => {
      database.run(
        "INSERT INTO nodes (id, name, node_type, created, updated) VALUES ('fresh0000001', 'Fresh', 'node', 7, 8)",
      );
      database.run(
        "INSERT INTO nodes (id, name, node_type, parent_id) VALUES ('below0000001', 'Below', 'node', 'fresh0000001')",
      );
      database.run(
        "INSERT INTO nodes (id, name, node_type) VALUES ('def000000001', 'A tag', 'tagDef'), ('old000000001', 'Old', 'trash')",
      );
      tag(database, "fresh0000001", "tagProject01", "project");
      tag(database, "fresh0000001", "elsewhere001", "idea");
      database.run(
        "INSERT INTO supertag_parents (child_tag_id, parent_tag_id) VALUES ('elsewhere001', 'tagThing0001')",
      );
      database.run(
        "INSERT INTO supertag_fields (tag_id, tag_name, field_name, field_label_id, inferred_data_type) VALUES ('elsewhere001', 'idea', 'Rating', 'l', 'number')",
      );
      value(database, "t1", "fresh0000001", "Owner", "ada000000001", "Ada");
      value(database, "t2", "fresh0000001", "Rating", "nowhere00001", "5");
      value(database, "t2", "fresh0000001", "Rating", "nowhere00002", "6");
      database.run(
        `INSERT INTO "references" (from_node, to_node, reference_type) VALUES ('fresh0000001', 'legend000001', 'inline_ref')`,
      );
      database.run(
        `INSERT INTO "references" (from_node, to_node, reference_type) VALUES ('fresh0000001', 'home00000001', 'parent')`,
      );
    });
    const { notes, warnings } = await read();
    expect(notes.get("fresh0000001")).toEqual({
      key: "fresh0000001",
      name: "Fresh",
      tags: ["project", "idea"],
      inherited: ["thing"],
      fields: [
        { name: "Owner", values: [{ text: "Ada", note: "ada000000001" }] },
        { name: "Rating", type: "number", values: [{ text: "5" }, { text: "6" }] },
      ],
      references: ["legend000001"],
      created: 7,
      changed: 8,
    });
    expect(notes.get("below0000001")).toMatchObject({ name: "Below", parent: "fresh0000001" });
    expect(notes.has("def000000001") || notes.has("old000000001")).toBe(false);
    expect(warnings).toEqual([]);
  });

  it("believes its tables where they are newer than its docs", async () => {
    await writeIndex(place, workspace, (database) => {
      database.run("UPDATE nodes SET name = 'Atlas II', updated = ? WHERE id = 'atlas0000001'", [day + 99]);
      database.run("DELETE FROM tag_applications WHERE data_node_id = 'atlas0000001'");
      tag(database, "atlas0000001", "tagPerson001", "person");
      database.run("UPDATE nodes SET name = 'Legend, unsigned' WHERE id = 'legend000001'");
    });
    const { notes } = await read();
    expect(notes.get("atlas0000001")).toMatchObject({ name: "Atlas II", tags: ["person"], changed: day + 99 });
    expect(notes.get("atlas0000001")).not.toHaveProperty("inherited");
    expect(notes.get("legend000001")).toMatchObject({ name: "Legend, unsigned", references: [] });
  });

  it("is never changed, whether it is at rest or in use", async () => {
    await writeIndex(place, workspace);
    const before = await state();
    expect(await supertag.recognises(place)).toBe(true);
    expect((await read()).notes.size).toBe(4);
    expect(await state()).toEqual(before);

    const user = await openDatabase(place);
    user.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
    user.run("UPDATE nodes SET name = 'Atlas in use' WHERE id = 'atlas0000001'");
    const inUse = await state();
    expect(await supertag.recognises(place)).toBe(true);
    expect((await read()).notes.get("atlas0000001")!.name).toBe("Atlas in use");
    expect(await state()).toEqual(inUse);
    user.close();
  });

  it("is read while another program has it locked, as it was before", async () => {
    await writeIndex(place, workspace);
    const user = await openDatabase(place);
    user.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
    user.run("UPDATE nodes SET name = 'Half done' WHERE id = 'atlas0000001'");
    expect((await read()).notes.get("atlas0000001")!.name).toBe("Atlas");
    user.execute("ROLLBACK");
    user.close();
  });

  it("has a stamp that changes with it, and only then", async () => {
    await writeIndex(place, workspace);
    const [first] = await supertag.list(place);
    await read();
    expect(await supertag.list(place)).toEqual([first]);
    await utimes(place, new Date(day), new Date(day));
    const [touched] = await supertag.list(place);
    expect(touched!.stamp).not.toBe(first!.stamp);
    await writeFile(`${place}-wal`, "");
    await utimes(`${place}-wal`, new Date(day), new Date(day));
    expect((await supertag.list(place))[0]!.stamp).not.toBe(touched!.stamp);
  });

  it("yields batches, and stops between them", async () => {
    const many = Array.from({ length: batchSize * 2 + 5 }, (_, at) => doc(`n${at}`, `Note ${at}`, undefined));
    await writeIndex(place, many);
    expect((await read()).batches).toEqual([batchSize, batchSize, 5]);
    const stop = new AbortController();
    let batches = 0;
    const reading = { warn: () => undefined, signal: stop.signal };
    const all = (async () => {
      for await (const _ of supertag.read(place, ["tana-index.db"], reading)) if (++batches === 1) stop.abort();
    })();
    await expect(all).rejects.toMatchObject({ name: "AbortError" });
    expect(batches).toBe(1);
  });

  it("reads nothing of a sheet that was not asked for", async () => {
    await writeIndex(place, workspace);
    for await (const _ of supertag.read(place, ["other.db"], { warn: () => undefined })) throw new Error("read");
  });
});

describe("an index with faults", () => {
  it("loses only what is broken: JSON that is none, names that are none, numbers without bounds", async () => {
    await writeIndex(place, workspace, (database) => {
      const insert =
        "INSERT INTO nodes (id, name, parent_id, node_type, created, raw_data) VALUES (?, ?, ?, 'node', ?, ?)";
      database.run(insert, ["broken000001", "Broken", "atlas0000001", 1, '{"id": "broken000001", "props": {']);
      database.run(insert, ["list00000001", "A list", null, 1, "[1, 2]"]);
      database.run(insert, [
        "odd000000001",
        null,
        null,
        1,
        '{"props": {"name": 7, "_ownerId": 12}, "children": "[\\"legend000001\\"]"}',
      ]);
      database.execute("INSERT INTO nodes (id, name, created) VALUES ('huge00000001', 'Huge', 9223372036854775807)");
      database.execute(
        "INSERT INTO nodes (id, name) VALUES ('bytes0000001', CAST(x'ff4120' AS TEXT)), ('blob00000001', x'0102')",
      );
      database.execute("INSERT INTO nodes (id, name) VALUES (NULL, 'No id'), ('', 'Empty id')");
    });
    const { notes, warnings } = await read();
    expect(notes.get("broken000001")).toMatchObject({ name: "Broken", parent: "atlas0000001" });
    expect(notes.get("list00000001")).toMatchObject({ name: "A list" });
    expect(notes.get("odd000000001")).toMatchObject({ name: "7", references: ["legend000001"] });
    expect(notes.get("huge00000001")).toMatchObject({ name: "Huge" });
    expect(notes.get("bytes0000001")).toMatchObject({ name: "\ufffdA" });
    expect(notes.get("atlas0000001")).toMatchObject({ name: "Atlas" });
    expect(warnings).toEqual([
      expect.stringContaining("Of 2 nodes in tana-index.db only the name could be read"),
      expect.stringContaining("no nodes"),
    ]);
  });

  it("survives owners and supertags in circles, and ten thousand levels", async () => {
    const deep = Array.from({ length: 10_000 }, (_, at) =>
      doc(`d${at}`, `Level ${at}`, at === 0 ? undefined : `d${at - 1}`),
    );
    await writeIndex(
      place,
      [
        ...deep,
        doc("a", "A", "b", { children: ["b"] }),
        doc("b", "B", "a", { children: ["a"] }),
        doc("self", "Self", "self", { children: ["self"] }),
        doc("tagA", "ta", undefined, { _docType: "tagDef" }),
        doc("tagB", "tb", undefined, { _docType: "tagDef" }),
        ...tagged("tagA", "SYS_T01", "tagB"),
        ...tagged("tagB", "SYS_T01", "tagA"),
        ...tagged("a", "tagA"),
      ],
      (database) => {
        database.run("INSERT INTO nodes (id, name, parent_id) VALUES ('x', 'X', 'y'), ('y', 'Y', 'x')");
      },
    );
    const { notes } = await read();
    expect(notes.get("d9999")).toMatchObject({ parent: "d9998" });
    expect(notes.get("a")).toMatchObject({ tags: ["ta"], inherited: ["tb"] });
    for (const key of ["b", "self", "x", "y"]) expect(notes.has(key)).toBe(true);
  });

  it("of an older version is read as far as it goes, and says what is missing", async () => {
    await writeIndex(place, workspace, (database) => {
      database.execute(
        'DROP TABLE field_values; DROP TABLE supertag_parents; DROP TABLE supertag_fields; DROP TABLE "references"',
      );
      database.execute("ALTER TABLE nodes DROP COLUMN done_at");
      database.execute("ALTER TABLE tag_applications DROP COLUMN tag_name");
    });
    const { notes, warnings } = await read();
    expect(notes.get("atlas0000001")).toMatchObject({ tags: ["project"], done: true });
    expect(warnings).toEqual([
      expect.stringMatching(/another version of supertag-cli.*supertag_parents.*field_values/),
    ]);
  });

  it("whose tables are not what they are called is refused in a sentence", async () => {
    const database = await openDatabase(place);
    database.execute(
      "CREATE TABLE nodes (id TEXT PRIMARY KEY, name TEXT, raw_data TEXT) WITHOUT ROWID; INSERT INTO nodes VALUES ('a', 'A', '{}')",
    );
    database.close();
    await expect(read()).rejects.toMatchObject({ code: "not-readable", message: expect.stringContaining(place) });
  });

  it("without docs at all is read from its tables", async () => {
    await writeIndex(place, workspace, (database) => database.execute("ALTER TABLE nodes DROP COLUMN raw_data"));
    const { notes } = await read();
    expect(notes.get("atlas0000001")).toMatchObject({ name: "Atlas", tags: ["project"], inherited: ["thing"] });
  });
});

describe("what is no index", () => {
  const cases: [string, () => Promise<void>, string, string][] = [
    ["a text", () => writeFile(place, "hello, this is not a database at all"), "bad-input", "not an SQLite database"],
    ["an empty file", () => writeFile(place, ""), "bad-input", "is empty"],
    ["a folder", () => mkdir(place).then(() => undefined), "bad-input", "not a file"],
    ["nothing", async () => undefined, "not-found", "does not exist"],
  ];
  it.each(cases)("is refused in a sentence: %s", async (_, make, code, sentence) => {
    await make();
    expect(await supertag.recognises(place)).toBe(false);
    await expect(supertag.list(place)).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) });
    await expect(drain()).rejects.toMatchObject({ code });
  });

  const databases: [string, (database: Database) => void][] = [
    ["of another application", (database) => database.execute("CREATE TABLE notes (id, name)")],
    ["with a table nodes of its own", (database) => database.execute("CREATE TABLE nodes (id, name)")],
    [
      "whose nodes are a query without end",
      (database) =>
        database.execute(`CREATE TABLE tag_applications (data_node_id, tag_id);
          CREATE VIEW nodes AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, id AS name, id AS raw_data FROM n`),
    ],
  ];
  it.each(databases)("is refused: a database %s", async (_, make) => {
    const database = await openDatabase(place);
    make(database);
    database.close();
    expect(await supertag.recognises(place)).toBe(false);
    await expect(drain()).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("not an index of supertag-cli"),
    });
  });

  it("is refused when most of it is missing, and says what to do", async () => {
    await writeIndex(place, workspace);
    await truncate(place, 6000);
    expect(await supertag.recognises(place)).toBe(false);
    await expect(drain()).rejects.toMatchObject({ code: "bad-input", message: expect.stringContaining("damaged") });
  });

  async function drain(): Promise<void> {
    for await (const _ of supertag.read(place, ["tana-index.db"], { warn: () => undefined }));
  }
});

const data = process.env.DOSSIER_DATA;
describe.skipIf(!data)("a real workspace", () => {
  it("has the same notes in the index as in the export", async () => {
    const exported = join(data!, "tana", "workspace.json");
    const json = JSON.parse(await readFile(exported, "utf8"));
    await writeIndex(place, (json.storeData ?? json).docs);
    const notes = new Map<string, Note>();
    for await (const batch of tanaExport.read(exported, ["workspace.json"], { warn: () => undefined })) {
      // That nothing owns a note is not said by an index: nodes of the live API have no owner there.
      for (const { loose, ...note } of batch.notes) notes.set(note.key, loose === false ? { ...note, loose } : note);
    }
    expect(notes.size).toBeGreaterThan(3000);
    expect((await read()).notes).toEqual(notes);
  });
});

function tag(database: Database, node: string, id: string, name: string): void {
  database.run("INSERT INTO tag_applications (tuple_node_id, data_node_id, tag_id, tag_name) VALUES ('', ?, ?, ?)", [
    node,
    id,
    name,
  ]);
}

function value(database: Database, tuple: string, node: string, field: string, id: string, text: string): void {
  database.run(
    "INSERT INTO field_values (tuple_id, parent_id, field_def_id, field_name, value_node_id, value_text) VALUES (?, ?, '', ?, ?, ?)",
    [tuple, node, field, id, text],
  );
}
