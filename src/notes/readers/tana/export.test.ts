import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../../../tests/workspace.ts";
import type { Note } from "../../../note.ts";
import { tanaExport } from "./export.ts";

const fixture = join(import.meta.dirname, "../../../../fixtures/notes/tana/workspace.json");

type Read = { notes: Map<string, Note>; warnings: string[]; batches: number[] };

async function read(place: string, signal?: AbortSignal): Promise<Read> {
  const notes = new Map<string, Note>();
  const warnings: string[] = [];
  const batches: number[] = [];
  const sheets = await tanaExport.list(place);
  const reading = { warn: (sentence: string) => warnings.push(sentence), ...(signal && { signal }) };
  for await (const batch of tanaExport.read(
    place,
    sheets.map(({ name }) => name),
    reading,
  )) {
    batches.push(batch.notes.length);
    for (const note of batch.notes) notes.set(note.key, note);
  }
  return { notes, warnings, batches };
}

/** A file with an export of these docs. */
function exported(docs: unknown[], wrap: (content: object) => object = (content) => content): string {
  return join(folder({ "export.json": JSON.stringify(wrap({ formatVersion: 1, editors: [], docs })) }), "export.json");
}

async function notesOf(docs: unknown[]): Promise<Map<string, Note>> {
  return (await read(exported(docs))).notes;
}

const doc = (id: string, owner: string | undefined, name: unknown, more: object = {}, children: string[] = []) => ({
  id,
  props: { ...(owner && { _ownerId: owner }), name, ...more },
  children,
});
const tuple = (id: string, owner: string, ...children: string[]) =>
  doc(id, owner, undefined, { _docType: "tuple" }, children);

describe("a Tana export", () => {
  it("yields the notes a user wrote, and nothing of schema, settings, commands, views and trash", async () => {
    const { notes } = await read(fixture);
    expect([...notes.keys()].sort()).toEqual([
      "childOfLost1",
      "codeBlinker1",
      "day202501020",
      "homeHarbour1",
      "imagePier001",
      "inboxCallBck",
      "journal00001",
      "linkAlmanac1",
      "listReading1",
      "lostChapter1",
      "meetKickoff1",
      "meetNotes001",
      "persAnnaBerg",
      "persOlavLund",
      "projLanterns",
      "searchOpen01",
      "taskMount001",
      "taskOrder001",
      "topicTidal01",
      "userAnna0001",
      "valOffer0001",
      "valRemark002",
      "year20250001",
    ]);
  });

  it("describes a note with tags, inherited tags, typed fields, parent, place, references and times", async () => {
    const { notes } = await read(fixture);
    expect(notes.get("projLanterns")).toEqual({
      key: "projLanterns",
      name: "Lantern renewal",
      text: "Replaces the lamps of the outer pier, see Tidal range",
      tags: ["project"],
      inherited: ["work item"],
      fields: [
        { name: "Status", type: "options", values: [{ text: "Active" }] },
        {
          name: "Owner",
          type: "reference",
          values: [
            { text: "Anna Berg", note: "persAnnaBerg" },
            { text: "Olav Lund", note: "persOlavLund" },
          ],
        },
        { name: "Budget", type: "number", values: [{ text: "12000" }] },
        { name: "Start", type: "date", values: [{ text: "2025-01-02", note: "day202501020" }] },
        {
          name: "Remarks",
          values: [
            { text: "Agreed with Olav Lund" },
            { text: "Three offers were asked for", note: "valRemark002" },
            { text: "Order the lamps", note: "taskOrder001" },
          ],
        },
      ],
      parent: "homeHarbour1",
      order: 1,
      references: ["topicTidal01", "persOlavLund"],
      created: expect.any(Number),
      changed: expect.any(Number),
    });
  });

  it("puts the names of what is referred to into names, before it drops the HTML", async () => {
    const { notes } = await read(fixture);
    const meeting = notes.get("meetKickoff1")!;
    expect(meeting.name).toBe("Kick-off with Anna Berg about Lantern renewal on 2025-01-02");
    expect(meeting.references).toEqual(["persAnnaBerg", "projLanterns", "day202501020"]);
    expect(notes.get("meetNotes001")!.name).toBe('The **old** lamps stay until "spring" & no longer');
    expect(notes.get("linkAlmanac1")!.name).toBe("[Tide almanac](https://almanac.example/tides)");
  });

  it("takes the owner for the parent, and what another note lists for a reference", async () => {
    const { notes } = await read(fixture);
    expect(notes.get("topicTidal01")!.parent).toBeUndefined();
    expect(notes.get("listReading1")!.references).toEqual(["topicTidal01"]);
    expect(notes.get("searchOpen01")!.references).toEqual(["taskMount001"]);
    expect(notes.get("valRemark002")!.parent).toBe("projLanterns");
    expect(notes.get("valOffer0001")!.parent).toBe("valRemark002");
    const below = [...notes.values()].filter(({ parent }) => parent === "projLanterns");
    const inOrder = below.sort((one, other) => one.order! - other.order!).map(({ key, order }) => `${order} ${key}`);
    expect(inOrder).toEqual(["0 taskOrder001", "1 valRemark002", "2 taskMount001", "3 codeBlinker1", "4 imagePier001"]);
  });

  it("reads checkboxes, due dates, code, images, and arrays that come as strings", async () => {
    const { notes } = await read(fixture);
    expect(notes.get("taskOrder001")!.done).toBe(true);
    expect(notes.get("taskMount001")!.done).toBe(false);
    expect(notes.get("topicTidal01")!.done).toBeUndefined();
    expect(notes.get("taskMount001")!.fields).toEqual([
      { name: "Due date", type: "date", values: [{ text: "2025-03-01" }] },
    ]);
    expect(notes.get("codeBlinker1")).toMatchObject({
      name: "Code (javascript)",
      text: "```javascript\nblink(3);\nwait(2);\n```",
    });
    expect(notes.get("imagePier001")!.text).toBe("![Outer pier](https://images.example/pier.jpg)");
    expect(notes.get("persOlavLund")!.changed).toBe(1736000000000);
  });

  it("leaves off tags that are in the trash", async () => {
    const { notes } = await read(fixture);
    expect(notes.get("taskOrder001")!.tags).toEqual(["task"]);
  });

  it("keeps what is said of a note that the export left out, and says so", async () => {
    const { notes, warnings } = await read(fixture);
    expect(notes.get("lostChapter1")).toMatchObject({ name: "", tags: ["project"], references: [] });
    expect(notes.get("childOfLost1")!.parent).toBe("lostChapter1");
    expect(warnings).toEqual(["1 note is not in the export, but its tags or fields are: it is kept without a name."]);
  });

  it("is the same in the wrapping of the API, and with its keys in any order", async () => {
    const whole = JSON.parse(readFileSync(fixture, "utf8"));
    const { docs, ...rest } = whole;
    const root = folder({
      "wrapped.json": JSON.stringify({ storeData: whole, other: 1 }),
      "docs-first.json": JSON.stringify({ docs, ...rest }),
      "spread.json": JSON.stringify({ z: [{ docs: [1] }], storeData: { a: { b: [] }, docs, ...rest } }, null, 3),
    });
    const expected = (await read(fixture)).notes;
    for (const name of ["wrapped.json", "docs-first.json", "spread.json"]) {
      expect(await tanaExport.recognises(join(root, name))).toBe(true);
      expect((await read(join(root, name))).notes).toEqual(expected);
    }
  });

  it("gives notes in batches, and stops between them when it is told to", async () => {
    const docs = Array.from({ length: 2500 }, (_, at) => doc(`note${at}`, undefined, `Note ${at}`));
    const place = exported(docs);
    expect((await read(place)).batches).toEqual([1000, 1000, 500]);
    await expect(read(place, AbortSignal.abort())).rejects.toThrow();
    const stopping = new AbortController();
    const batches = tanaExport.read(place, ["export.json"], { signal: stopping.signal, warn: () => undefined });
    await expect(
      (async () => {
        for await (const _ of batches) stopping.abort();
      })(),
    ).rejects.toThrow();
  });

  it("lists its one file with a stamp that follows size and time, and reads only what is asked for", async () => {
    const root = folder({ "a.json": readFileSync(fixture, "utf8") });
    const [first] = await tanaExport.list(join(root, "a.json"));
    expect(first!.name).toBe("a.json");
    expect(await tanaExport.list(join(root, "a.json"))).toEqual([first]);
    const [other] = await tanaExport.list(exported([doc("x", undefined, "X")]));
    expect(other!.stamp).not.toBe(first!.stamp);
    for await (const _ of tanaExport.read(join(root, "a.json"), [], { warn: () => undefined })) expect.unreachable();
  });

  it("reports its progress in bytes", async () => {
    const steps: [number, number | undefined][] = [];
    const reading = {
      warn: () => undefined,
      progress: (done: number, total?: number) => void steps.push([done, total]),
    };
    for await (const _ of tanaExport.read(fixture, ["workspace.json"], reading));
    const { length } = readFileSync(fixture);
    expect(steps.at(-1)).toEqual([length, length]);
  });
});

describe("what is unusual in an export", () => {
  it("resolves names within names, whatever they refer to", async () => {
    const span = (id: string) => `<span data-inlineref-node="${id}"></span>`;
    const notes = await notesOf([
      doc("a", undefined, `A of ${span("b")}`),
      doc("b", undefined, `B of ${span("c")}`),
      doc("c", undefined, "C"),
      doc("round1", undefined, `one ${span("round2")}`),
      doc("round2", undefined, `two ${span("round1")}`),
      doc("self", undefined, `me ${span("self")}`),
      doc("gone", undefined, `with ${span("nobody")} gone`),
      doc("system", undefined, `see ${span("SYS_A13")}`),
      doc("aliased", undefined, '<span data-inlineref-node="c">the third</span>'),
      doc("long", undefined, span("paragraph")),
      doc("paragraph", undefined, "word ".repeat(1000)),
      doc("broken", undefined, '<span data-inlineref-date="{oops"></span> <span data-inlineref-node=></span>x'),
    ]);
    const names = Object.fromEntries([...notes.values()].map(({ key, name }) => [key, name]));
    expect(names).toMatchObject({ a: "A of B of C", c: "C", gone: "with gone", system: "see", aliased: "the third" });
    expect(names.self).toBe("me me");
    expect(names.round1).toMatch(/^one two/);
    expect(names.round2).toMatch(/^two/);
    expect(names.long!.length).toBeLessThan(510);
    expect(names.long).toMatch(/…$/);
    expect(names.broken).toBe("x");
    expect(notes.get("gone")!.references).toEqual(["nobody"]);
    expect(notes.get("self")!.references).toEqual([]);
    expect(notes.get("system")!.references).toEqual([]);
  });

  it("keeps names that grow into each other small", async () => {
    const span = (id: string) => `<span data-inlineref-node="${id}"></span>`;
    const docs = Array.from({ length: 60 }, (_, at) =>
      doc(`n${at}`, undefined, `x ${span(`n${at + 1}`)} ${span(`n${at + 1}`)}`),
    );
    const notes = await notesOf([...docs, doc("n60", undefined, "end")]);
    expect(notes.get("n0")!.name.length).toBeLessThan(1100);
  });

  it("splits a name of several lines into name and text", async () => {
    const notes = await notesOf([doc("a", undefined, "First\nsecond <b>line</b>", { description: "About it" })]);
    expect(notes.get("a")).toMatchObject({ name: "First", text: "second **line**\n\nAbout it" });
  });

  it("inherits tags through several supertags, once each, also in a circle", async () => {
    const meta = (id: string, ...tags: string[]) => [
      doc(`m${id}`, id, undefined, { _docType: "metanode" }),
      tuple(`t${id}`, `m${id}`, "SYS_A13", ...tags),
    ];
    const notes = await notesOf([
      ...["a", "b", "c", "d"].map((tag) => doc(tag, undefined, `#${tag}`, { _docType: "tagDef" })),
      ...meta("a", "SYS_T01", "b", "c"),
      ...meta("b", "SYS_T01", "d"),
      ...meta("c", "SYS_T01", "d"),
      ...meta("d", "SYS_T01", "a"),
      doc("note", undefined, "Note"),
      ...meta("note", "a", "c", "SYS_T100", "unknownTag"),
    ]);
    expect(notes.get("note")).toMatchObject({ tags: ["a", "c", "task"], inherited: ["b", "d"] });
    expect([...notes.keys()]).toEqual(["note"]);
  });

  it("knows definitions that do not say so themselves, and fields whose definition is elsewhere", async () => {
    const notes = await notesOf([
      doc("field", undefined, "Priority"),
      doc("mField", "field", undefined, { _docType: "metanode" }),
      tuple("tField", "mField", "SYS_A13", "SYS_T02"),
      doc("tag", undefined, "project"),
      doc("mTag", "tag", undefined, { _docType: "metanode" }),
      tuple("tTag", "mTag", "SYS_A13", "SYS_T01"),
      tuple("choice", "field", "SYS_T06", "SYS_D08"),
      doc("note", undefined, "Note", {}, ["f1", "f2", "f3", "f4"]),
      tuple("f1", "note", "field", "v1"),
      doc("v1", "f1", "5"),
      tuple("f2", "note", "elsewhere001", "v2"),
      doc("v2", "f2", "kept"),
      tuple("f3", "note", "field", "SYS_V03", "missing00001"),
      tuple("f4", "note", "SYS_A999", "v4"),
      doc("v4", "f4", "a setting"),
    ]);
    expect([...notes.keys()]).toEqual(["note"]);
    expect(notes.get("note")!.fields).toEqual([
      { name: "Priority", type: "number", values: [{ text: "5" }, { text: "Yes" }] },
      { name: "Unnamed field", values: [{ text: "kept" }] },
    ]);
  });

  it("reads the transcript of a meeting, which hangs on its metanode", async () => {
    const meta = (id: string, ...tuples: string[]) => doc(`m-${id}`, id, undefined, { _docType: "metanode" }, tuples);
    const notes = await notesOf([
      doc("meeting", undefined, "Kick-off"),
      meta("meeting", "t1", "t2"),
      tuple("t1", "m-meeting", "SYS_A199", "transcript"),
      tuple("t2", "m-meeting", "SYS_A12", "locked"),
      doc("locked", "t2", "a setting", {}, ["more"]),
      doc("transcript", "t1", undefined, { _docType: "transcript" }, ["line"]),
      doc("line", "transcript", "Good morning", { _docType: "transcriptLine" }),
      meta("line", "t3"),
      tuple("t3", "m-line", "SYS_A252", "who"),
      doc("who", "t3", "Speaker 1"),
    ]);
    expect([...notes.keys()]).toEqual(["meeting", "transcript", "line"]);
    expect(notes.get("meeting")!.fields).toMatchObject([{ name: "Transcript", values: [{ note: "transcript" }] }]);
    expect(notes.get("transcript")).toMatchObject({ name: "Transcript", parent: "meeting" });
    expect(notes.get("line")).toMatchObject({
      parent: "transcript",
      fields: [{ name: "Speaker", values: [{ text: "Speaker 1" }] }],
    });
  });

  it("takes a plain value for a note of its own when it owns something, or something else points at it", async () => {
    const docs = [
      doc("field", undefined, "Genre", { _docType: "attrDef" }),
      doc("one", undefined, "One", {}, ["f1"]),
      tuple("f1", "one", "field", "gothic"),
      doc("gothic", "f1", "Gothic"),
      doc("two", undefined, "Two", {}, ["f2"]),
      tuple("f2", "two", "field", "gothic"),
    ];
    const alone = await notesOf(docs.slice(0, 4));
    expect(alone.get("one")!.fields[0]!.values).toEqual([{ text: "Gothic" }]);
    expect(alone.has("gothic")).toBe(false);
    const owning = await notesOf([...docs.slice(0, 4), doc("below", "gothic", "Not listed by its owner")]);
    expect(owning.get("below")!.parent).toBe("gothic");
    const shared = await notesOf(docs);
    expect(shared.get("two")!.fields[0]!.values).toEqual([{ text: "Gothic", note: "gothic" }]);
    expect(shared.get("one")!.fields[0]!.values).toEqual([{ text: "Gothic", note: "gothic" }]);
    expect(shared.get("gothic")!.parent).toBe("one");
  });

  it("reads an outline that was pasted as a tuple as notes", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => doc(`line${at}`, "big", `Line ${at}`));
    const notes = await notesOf([
      doc("day", undefined, "Day", {}, ["big"]),
      tuple("big", "day", ...lines.map(({ id }) => id), "far"),
      ...lines,
      doc("far", undefined, "Far"),
    ]);
    expect(notes.get("day")!.fields).toEqual([]);
    expect(notes.get("line7")).toMatchObject({ parent: "day", order: 7 });
    expect(notes.get("day")!.references).toEqual(["far"]);
  });

  it("leaves off values that are in the trash, and keeps references to what the export does not hold", async () => {
    const notes = await notesOf([
      doc("field", undefined, "Topic", { _docType: "attrDef" }),
      doc("note", undefined, "Note", {}, ["f", "absent000001", "SYS_M011"]),
      tuple("f", "note", "field", "old", "live"),
      doc("old", "workspace123_TRASH", "Old"),
      doc("live", undefined, "Live"),
    ]);
    expect(notes.get("note")!.fields).toEqual([{ name: "Topic", values: [{ text: "Live", note: "live" }] }]);
    expect(notes.get("note")!.references).toEqual(["absent000001"]);
  });

  it("makes roots of docs whose owner is missing, and of a circle of owners", async () => {
    const notes = await notesOf([
      doc("orphan", "nowhere00001", "Orphan"),
      doc("a", "c", "A"),
      doc("b", "a", "B"),
      doc("c", "b", "C"),
      doc("me", "me", "Me"),
    ]);
    expect(notes.get("orphan")!.parent).toBeUndefined();
    expect(notes.get("me")!.parent).toBeUndefined();
    const parents = ["a", "b", "c"].map((key) => notes.get(key)!.parent);
    expect(parents.filter((parent) => parent === undefined)).toHaveLength(1);
  });

  it("does not name what is in the trash where a note mentions it, and has no value that is nothing but that", async () => {
    const notes = await notesOf([
      doc("secret", "workspace123_TRASH", "A secret codename"),
      doc("below", "secret", "A deeper secret"),
      doc("kept", undefined, 'Ask <span data-inlineref-node="secret"></span> today', {
        description:
          'Or <span data-inlineref-node="below"></span>, <span data-inlineref-node="secret">as I call it</span>',
      }),
      doc("label", "kept", "Contact"),
      tuple("field", "kept", "label", "value"),
      doc("value", "field", '<span data-inlineref-node="secret"></span>'),
    ]);
    expect(notes.get("kept")).toMatchObject({
      name: "Ask (deleted) today",
      text: "Or (deleted), as I call it",
      fields: [],
      references: [],
    });
    expect(JSON.stringify([...notes.values()])).not.toMatch(/codename|deeper secret/);
  });

  it("tells notes that nothing owns or lists from those at the top of the library", async () => {
    const notes = await notesOf([
      doc("workspace123", undefined, "Mine"),
      doc("workspace123_STASH", "workspace123", "Library", {}, ["shelved"]),
      doc("shelved", "workspace123_STASH", "On the shelf"),
      doc("lost", undefined, "Lost"),
      doc("listed", undefined, "Listed"),
      doc("list", "shelved", "A list", {}, ["listed"]),
    ]);
    expect(notes.get("lost")?.loose).toBe(true);
    expect(notes.get("listed")?.loose).toBe(false);
    expect(notes.get("shelved")?.loose).toBe(false);
    expect(notes.get("list")).not.toHaveProperty("loose");
  });

  it("loses nothing of a name that begins with a fence", async () => {
    const notes = await notesOf([
      doc("code", undefined, "```js\nlet a = 1;\n```\nand after"),
      doc("line", undefined, "``` is how code begins"),
      doc("run", undefined, "[press](javascript:alert(1)) or not"),
    ]);
    expect(notes.get("code")).toMatchObject({ name: "Code (js)", text: "```js\nlet a = 1;\n```\nand after" });
    expect(notes.get("line")?.name).toBe("``` is how code begins");
    expect(notes.get("run")?.name).toBe("press or not");
  });

  it("leaves out everything below the trash at any depth, also when the trash itself is not in the export", async () => {
    const deep = Array.from({ length: 50 }, (_, at) =>
      doc(`d${at}`, at === 0 ? "workspace123_TRASH" : `d${at - 1}`, `Deep ${at}`),
    );
    const notes = await notesOf([
      ...deep,
      doc("kept", undefined, "Kept"),
      doc("ab_cde_TRASH", "kept", "Not the trash"),
    ]);
    expect([...notes.keys()]).toEqual(["kept", "ab_cde_TRASH"]);
  });

  it("reads ten thousand levels of owners, names and tuples", async () => {
    const count = 10_000;
    const name = (at: number) => (at === count ? "end" : `<span data-inlineref-node="n${at + 1}"></span>.`);
    const notes = await notesOf([
      ...Array.from({ length: count + 1 }, (_, at) =>
        doc(`n${at}`, at === 0 ? undefined : `n${at - 1}`, name(at), {}, [`n${at + 1}`]),
      ),
      ...Array.from({ length: count }, (_, at) =>
        tuple(`t${at}`, at === 0 ? "n0" : `t${at - 1}`, "SYS_A61", `t${at + 1}`),
      ),
    ]);
    expect(notes.size).toBe(count + 1);
    expect(notes.get(`n${count}`)!.parent).toBe(`n${count - 1}`);
  });

  it("counts what is no doc, and reads the rest", async () => {
    const { notes, warnings } = await read(
      exported([
        null,
        5,
        [],
        "x",
        {},
        { id: "" },
        { id: 7, props: null },
        doc("a", undefined, null, { description: 3 }, []),
      ]),
    );
    expect([...notes.keys()]).toEqual(["a"]);
    expect(notes.get("a")).toMatchObject({ name: "", text: "3" });
    expect(warnings).toEqual(["6 entries of the export are no nodes, and were passed over."]);
  });
});

describe("what is no Tana export", () => {
  const whole = readFileSync(fixture, "utf8");
  const files: [string, string, RegExp][] = [
    ["empty.json", "", /empty/],
    ["blank.json", " \n", /empty/],
    ["truncated.json", whole.slice(0, -200), /breaks off before its end.*Nothing was read/],
    ["early.json", whole.slice(0, 50), /breaks off/],
    ["text.json", "Dear diary", /is a text, not a Tana workspace export/],
    ["page.json", "<!DOCTYPE html><html>", /is a web page/],
    ["archive.json", "PK\u0003\u0004rest", /ZIP/],
    ["broken.json", '{"docs":[{"id":"a" "props":{}}]}', /not valid JSON/],
    ["twice.json", '{"docs":[]}\n{"docs":[]}', /not valid JSON/],
    ["list.json", "[1]", /is a JSON list, not/],
    ["package.json", '{"name":"x","version":"1.0.0","scripts":{}}', /JSON with name, version, scripts, not/],
    ["tif.json", '{"version":"TanaIntermediateFile V0.1","nodes":[]}', /"TanaIntermediateFile V0.1"/],
    [
      "dictionary.json",
      JSON.stringify(Object.fromEntries([..."abcdefghijklmnopqrstuvwxyz"].entries())),
      /JSON with 0, 1, 2, 3, 4 and more, not/,
    ],
    ["docs.json", '{"docs":[1,2]}', /docs are no Tana nodes/],
    ["odd.json", '{"docs":{"a":1}}', /is JSON with docs, not/],
  ];

  it.each(files)("says of %s what it seems to be", async (name, content, sentence) => {
    const place = join(folder({ [name]: content }), name);
    await expect(read(place)).rejects.toMatchObject({ code: "bad-input", message: expect.stringMatching(sentence) });
    await expect(read(place)).rejects.toThrow(place);
  });

  it("does not recognise it", async () => {
    for (const [name, content] of files) {
      if (["truncated.json", "early.json"].includes(name)) continue;
      expect(await tanaExport.recognises(join(folder({ [name]: content }), name))).toBe(false);
    }
    expect(await tanaExport.recognises(folder({}))).toBe(false);
    expect(await tanaExport.recognises(join(folder({}), "nothing"))).toBe(false);
    expect(await tanaExport.recognises(fixture)).toBe(true);
  });

  it("gives nothing of an export that breaks off after thousands of docs", async () => {
    const docs = Array.from({ length: 20_000 }, (_, at) => doc(`note${at}`, undefined, `Note ${at}`));
    const text = JSON.stringify({ formatVersion: 1, docs });
    const place = join(folder({ "cut.json": text.slice(0, -1) }), "cut.json");
    let batches = 0;
    const reading = (async () => {
      for await (const _ of tanaExport.read(place, ["cut.json"], { warn: () => undefined })) batches++;
    })();
    await expect(reading).rejects.toMatchObject({ code: "bad-input" });
    expect(batches).toBe(0);
  });

  it("names what is missing, a folder, or not readable", async () => {
    const root = folder({ "secret.json": whole });
    await expect(tanaExport.list(join(root, "gone.json"))).rejects.toMatchObject({ code: "not-found" });
    await expect(tanaExport.list(root)).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringMatching(/is a folder/),
    });
    if (process.getuid?.() === 0) return;
    chmodSync(join(root, "secret.json"), 0);
    await expect(tanaExport.list(join(root, "secret.json"))).rejects.toMatchObject({ code: "not-readable" });
  });

  it("accepts an export without docs", async () => {
    expect((await read(exported([]))).notes.size).toBe(0);
  });
});
