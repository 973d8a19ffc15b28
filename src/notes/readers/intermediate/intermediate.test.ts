import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import { folder } from "../../../../tests/workspace.ts";
import type { Note } from "../../../note.ts";
import { tanaIntermediate } from "./intermediate.ts";
import { addNode, emptyTif } from "./nodes.ts";
import { emptySchema, tifNotes } from "./notes.ts";

const samples = join(process.env.DOSSIER_DATA ?? "", "tana", "tif");

async function read(place: string): Promise<{ notes: Map<string, Note>; warnings: string[] }> {
  const notes = new Map<string, Note>();
  const warnings: string[] = [];
  const sheets = await tanaIntermediate.list(place);
  const reading = { warn: (sentence: string) => void warnings.push(sentence) };
  for await (const batch of tanaIntermediate.read(
    place,
    sheets.map(({ name }) => name),
    reading,
  )) {
    for (const note of batch.notes) notes.set(note.key, note);
  }
  return { notes, warnings };
}

function file(content: object): string {
  const text = JSON.stringify({ version: "TanaIntermediateFile V0.1", ...content });
  return join(folder({ "notes.tif.json": text }), "notes.tif.json");
}

it("is read in UTF-16 where a byte order mark says so", async () => {
  const place = file({ nodes: [{ uid: "a", name: "Größe 数", type: "node" }] });
  const little = Buffer.from(`\ufeff${readFileSync(place, "utf8")}`, "utf16le");
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    writeFileSync(place, bytes);
    expect(await tanaIntermediate.recognises(place)).toBeTruthy();
    expect((await read(place)).notes.get("a")?.name).toBe("Größe 数");
  }
});

async function notesOf(nodes: unknown[], more: object = {}): Promise<Map<string, Note>> {
  return (await read(file({ nodes, ...more }))).notes;
}

describe("Tana Intermediate Format", () => {
  it("yields nodes within nodes as notes with parents, places, times and states", async () => {
    const notes = await notesOf([
      {
        uid: "a",
        name: "Pier",
        description: "The <i>outer</i> one, [[b]]",
        type: "node",
        createdAt: 5,
        editedAt: 9,
        children: [
          { uid: "b", name: "Lamp", type: "node", todoState: "todo" },
          { uid: "c", name: "Rail", type: "node", todoState: "done" },
        ],
      },
    ]);
    expect([...notes.values()]).toEqual([
      {
        key: "a",
        name: "Pier",
        text: "The *outer* one, Lamp",
        tags: [],
        fields: [],
        references: ["b"],
        created: 5,
        changed: 9,
      },
      { key: "b", name: "Lamp", tags: [], fields: [], parent: "a", order: 0, references: [], done: false },
      { key: "c", name: "Rail", tags: [], fields: [], parent: "a", order: 1, references: [], done: true },
    ]);
  });

  it("replaces links by names, aliases and dates, but not in code", async () => {
    const notes = await notesOf([
      { uid: "x", name: "See [[y]], [the lamp]([[y]]), [[date:03-31-2022]] and `[[y]]` or ```[[y]]```", type: "node" },
      { uid: "y", name: "<b>Lamp</b> of [[z]]", type: "node" },
      { uid: "z", name: "Pier", type: "node" },
      { uid: "code", name: "f([[y]]) < 3", type: "codeblock", codeLanguage: "c" },
      { uid: "tz", name: "[[date:2022-03-10 20:30[Europe/Oslo]]] now", type: "node" },
      { uid: "unknown", name: "[[Nobody]] knows", type: "node" },
      { uid: "span", name: 'on <span data-inlineref-date=\'{"dateTimeString":"2022-03-31"}\'></span>', type: "node" },
      { uid: "03-31-2022", name: "03-31-2022", type: "date" },
    ]);
    expect(notes.get("x")!.name).toBe("See **Lamp** of Pier, the lamp, 2022-03-31 and `[[y]]` or ```[[y]]```");
    expect(notes.get("x")!.references).toEqual(["y", "03-31-2022"]);
    expect(notes.get("code")).toMatchObject({ name: "Code (c)", text: "```c\nf([[y]]) < 3\n```", references: [] });
    expect(notes.get("tz")!.name).toBe("2022-03-10 20:30 now");
    expect(notes.get("unknown")).toMatchObject({ name: "Nobody knows", references: ["Nobody"] });
    expect(notes.get("span")).toMatchObject({ name: "on 2022-03-31", references: ["03-31-2022"] });
    expect(notes.get("03-31-2022")!.name).toBe("2022-03-31");
  });

  it("takes a field for a part of the note it is in, and its children for the values", async () => {
    const notes = await notesOf(
      [
        {
          uid: "project",
          name: "Lanterns",
          type: "node",
          supertags: ["tag", "other"],
          children: [
            { name: "Owner", type: "field", children: [{ name: "[[anna]]", refs: ["anna"], type: "node" }] },
            {
              name: "Budget",
              type: "field",
              children: [
                { name: 1200, type: "node" },
                { name: "", type: "node" },
              ],
            },
            {
              name: "Offer",
              type: "field",
              children: [
                {
                  uid: "offer",
                  name: "Bergen",
                  type: "node",
                  children: [{ uid: "detail", name: "cheap", type: "node" }],
                },
              ],
            },
            { name: "Remark", type: "field", children: [{ name: "asked [[anna]] twice", type: "node" }] },
            { name: "Empty", type: "field", children: [] },
            { name: "[[olav]]", type: "node" },
          ],
        },
        { uid: "anna", name: "Anna", type: "node" },
        { uid: "olav", name: "Olav", type: "node" },
      ],
      {
        supertags: [{ uid: "tag", name: "#project" }],
        attributes: [{ name: "Budget", dataType: "number" }, { name: "Owner", dataType: "any" }, null],
      },
    );
    expect([...notes.keys()]).toEqual(["project", "offer", "detail", "anna", "olav"]);
    expect(notes.get("project")).toEqual({
      key: "project",
      name: "Lanterns",
      tags: ["project", "other"],
      fields: [
        { name: "Owner", values: [{ text: "Anna", note: "anna" }] },
        { name: "Budget", type: "number", values: [{ text: "1200" }] },
        { name: "Offer", values: [{ text: "Bergen", note: "offer" }] },
        { name: "Remark", values: [{ text: "asked Anna twice" }] },
      ],
      references: ["anna", "olav"],
    });
    expect(notes.get("offer")).toMatchObject({ parent: "project", order: 0 });
    expect(notes.get("detail")!.parent).toBe("offer");
  });

  it("takes a plain value for a note when something refers to it", async () => {
    const field = { name: "Place", type: "field", children: [{ uid: "bergen", name: "Bergen", type: "node" }] };
    const [alone, referred] = [[], [{ uid: "b", name: "To [[bergen]]", type: "node" }]].map((others) => [
      { uid: "a", name: "Offer", type: "node", children: [field] },
      ...others,
    ]);
    expect((await notesOf(alone!)).get("a")!.fields[0]!.values).toEqual([{ text: "Bergen" }]);
    const notes = await notesOf(referred!);
    expect(notes.get("a")!.fields[0]!.values).toEqual([{ text: "Bergen", note: "bergen" }]);
    expect(notes.get("bergen")!.parent).toBe("a");
  });

  it("shows images, and takes a field at the top for a note", async () => {
    const notes = await notesOf([
      { uid: "i", name: "Pier", type: "image", mediaUrl: "https://x.example/p.png" },
      {
        uid: "f",
        name: "Holder",
        type: "field",
        children: [
          { name: "[[i]]", type: "node" },
          { uid: "v", name: "Jack", type: "node" },
        ],
      },
    ]);
    expect(notes.get("i")!.text).toBe("![Pier](https://x.example/p.png)");
    expect(notes.get("f")).toMatchObject({ name: "Holder", references: ["i"] });
    expect(notes.get("v")!.parent).toBe("f");
  });

  it("gives nodes without a uid, or with one that is taken, keys of their own that stay the same", async () => {
    const nodes = [
      { name: "one", type: "node", children: [{ name: "below", type: "node" }] },
      { uid: "u", name: "two" },
      { uid: "u", name: "three" },
    ];
    const notes = await notesOf(nodes);
    expect([...notes.values()].map(({ name }) => name)).toEqual(["one", "below", "two", "three"]);
    expect([...(await notesOf(nodes)).keys()]).toEqual([...notes.keys()]);
  });

  it("passes over what is no node, and says how much", async () => {
    const { notes, warnings } = await read(
      file({ nodes: [5, null, { uid: "a", name: null, children: [[], { uid: "b", name: "B" }] }] }),
    );
    expect([...notes.keys()]).toEqual(["a", "b"]);
    expect(warnings).toEqual(["3 entries are no nodes, and were passed over."]);
  });

  it("recognises its files wherever the version stands, and no others", async () => {
    const root = folder({
      "last.json":
        '{"nodes":[{"uid":"a","name":"A","type":"node","createdAt":1,"editedAt":1}],"version":"TanaIntermediateFile V0.1"}',
      "other.json": '{"version":"1.0.0","nodes":[]}',
      "text.json": "nodes",
    });
    expect(await tanaIntermediate.recognises(join(root, "last.json"))).toBe(true);
    expect(await tanaIntermediate.recognises(file({ nodes: [] }))).toBe(true);
    for (const name of ["other.json", "text.json", "missing.json", ""]) {
      expect(await tanaIntermediate.recognises(join(root, name))).toBe(false);
    }
  });

  it.each([
    [
      '{"version":"TanaIntermediateFile V3","contents":{}}',
      /TanaIntermediateFile V3; only TanaIntermediateFile V0.1 and TanaIntermediateFile V2 can/,
    ],
    ['{"formatVersion":1,"docs":[]}', /is a Tana workspace export, not a file in Tana Intermediate Format/],
    ['{"nodes":{}}', /not a file in Tana Intermediate Format/],
    ['{"version":"TanaIntermediateFile V0.1","nodes":[{"uid":"a"}', /breaks off/],
    ["", /empty/],
  ])("refuses %s with a sentence", async (content, sentence) => {
    const place = join(folder({ "x.json": content }), "x.json");
    await expect(read(place)).rejects.toMatchObject({ code: "bad-input", message: expect.stringMatching(sentence) });
  });

  it("never fails on nodes in which anything may be wrong, and gives every key once", () => {
    const uid = fc.constantFrom("a", "b", "c", "~0", "__proto__");
    const text = fc.oneof(
      fc.string(),
      uid.map((id) => `[[${id}]]`),
      uid.map((id) => `[x]([[${id}]]) <b>`),
      fc.constant("[[date:01-02-2023]]"),
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.record(
          {
            uid: fc.oneof(uid, fc.jsonValue()),
            name: fc.oneof(text, fc.jsonValue()),
            description: text,
            type: fc.constantFrom("node", "field", "image", "codeblock", "date", "odd", 3),
            refs: fc.oneof(fc.array(uid), fc.jsonValue()),
            supertags: fc.oneof(fc.array(uid), fc.jsonValue()),
            todoState: fc.constantFrom("todo", "done", 1),
            children: fc.oneof(fc.array(tie("node"), { maxLength: 4 }), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(fc.array(node, { maxLength: 5 }), (nodes) => {
        const notes = notesFrom(nodes);
        const keys = new Set(notes.map(({ key }) => key));
        expect(keys.size).toBe(notes.length);
        for (const note of notes) {
          expect(typeof note.name).toBe("string");
          expect(note.name).not.toContain("\n");
          expect(note.parent === undefined || keys.has(note.parent)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("reads ten thousand levels, in time that grows with the number of nodes", () => {
    const deep = (count: number) => {
      let node: object = { name: "end" };
      for (let at = 0; at < count; at++) node = { uid: `u${at}`, name: `[[u${at - 1}]] x`, children: [node] };
      return [node];
    };
    expect(notesFrom(deep(10_000))).toHaveLength(10_001);
    expect(growth(notesFrom, deep(500), deep(6_000))).toBeLessThan(36);
  });
});

function notesFrom(nodes: unknown[]): Note[] {
  const tif = emptyTif();
  for (const [place, node] of nodes.entries()) addNode(tif, node, place);
  return [...tifNotes(tif, emptySchema())];
}

describe.runIf(existsSync(samples))("the sample files of Tana's import tools", () => {
  it("are all recognised and read", async () => {
    const names = readdirSync(samples);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      expect(await tanaIntermediate.recognises(join(samples, name))).toBe(true);
      const { notes, warnings } = await read(join(samples, name));
      expect(notes.size).toBeGreaterThan(0);
      expect(warnings).toEqual([]);
      for (const note of notes.values()) {
        expect(note.name).not.toBe("");
        expect(note.name.replace(/`+[^`]*`+/g, "")).not.toMatch(/\[\[|<\/?b>/);
        for (const key of note.references) expect(notes.has(key)).toBe(true);
      }
    }
  });
});
