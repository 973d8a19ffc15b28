import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../note.ts";
import type { LiveHit } from "./api-responses.ts";
import { type Answers, isNoteHit, readAnswers } from "./read-answers.ts";

const hit = (id: string, more: Partial<LiveHit> = {}): LiveHit => ({
  id,
  name: id,
  tags: [],
  tagged: [],
  breadcrumb: [],
  docType: "node",
  inTrash: false,
  ...more,
});

function read(markdown: string, more: Partial<Answers> = {}, stored: Note[] = []) {
  const answers: Answers = { read: [{ id: "memo00000001", node: { markdown } }], found: [], ...more };
  const byKey = new Map(stored.map((note) => [note.key, note]));
  return readAnswers(answers, byKey, (id) => byKey.get(id)?.name);
}

const voiceMemo = [
  "- Call with the plumber #voice_memo_ <!-- node-id: memo00000001 -->",
  "  - **Heard**: [ ]",
  "  - **Language**: [English](tana:english00001)",
  "  - **Transcript**:",
  "    - Transcript: <!-- node-id: script000001 -->",
  "      - He comes on Friday. <!-- node-id: line00000001 -->",
  "  - **Topics**:",
  "    - [4. Home & Garden #key_area](tana:home00000001)",
  "    - [Pipes #topic](tana:pipes0000001)",
  "  - **Due**: see [Friday](tana:friday000001) or later <!-- node-id: due000000001 -->",
  "  - **Cleared**:",
  "  - A bullet <!-- node-id: bullet000001 -->",
].join("\n");

describe("what an answer tells", () => {
  it("is fields with their values, on their line or below it", () => {
    expect(read(voiceMemo).get("memo00000001")).toMatchObject({
      name: "Call with the plumber",
      tags: ["voice memo"],
      fields: [
        { name: "Heard", values: [{ text: "No" }] },
        { name: "Language", values: [{ text: "English" }] },
        { name: "Transcript", values: [{ text: "Transcript:" }] },
        { name: "Topics", values: [{ text: "4. Home & Garden" }, { text: "Pipes" }] },
        { name: "Due", values: [{ text: "see Friday or later" }] },
        { name: "Cleared", values: [] },
      ],
      references: ["friday000001"],
      done: null,
      whole: true,
    });
  });

  it("is the notes below it, values only when something stands below them", () => {
    const updates = read(voiceMemo);
    expect([...updates.keys()]).toEqual(["memo00000001", "script000001", "line00000001", "bullet000001"]);
    expect(updates.get("script000001")).toMatchObject({ parent: "memo00000001", name: "Transcript:" });
    expect(updates.get("line00000001")).toMatchObject({ parent: "script000001", name: "He comes on Friday." });
    expect(updates.get("bullet000001")).toMatchObject({ parent: "memo00000001" });
  });

  it("says of a value which note it is, where it is one", () => {
    const node = { markdown: voiceMemo };
    const answers = { read: [{ id: "memo00000001", node }], found: [] };
    const { fields } = readAnswers(answers, new Map(), () => undefined, new Set(["script000001", "pipes0000001"])).get(
      "memo00000001",
    )!;
    expect(fields![2]!.values).toEqual([{ text: "Transcript:", note: "script000001" }]);
    expect(fields![3]!.values[1]).toEqual({ text: "Pipes", note: "pipes0000001" });
  });

  it("names tags as they are known, for outlines write _ for blanks", () => {
    const snake = { key: "x", name: "X", tags: ["voice_memo_"], fields: [], references: [] };
    expect(read(voiceMemo, {}, [snake]).get("memo00000001")!.tags).toEqual(["voice_memo_"]);
  });

  it("is taken from the node itself before it is taken from an outline that shows it", () => {
    const inside = {
      id: "bullet000001",
      hit: hit("bullet000001", { name: "Fix #bug", tags: ["to do"] }),
      node: { markdown: "- Fix #bug #to_do" },
    };
    const updates = read("", { read: [{ id: "memo00000001", node: { markdown: `${voiceMemo}` } }, inside] });
    expect(updates.get("bullet000001")).toMatchObject({ name: "Fix #bug", tags: ["to do"], parent: "memo00000001" });
  });

  it("is no outline of another node", () => {
    const updates = read("- Someone else #x <!-- node-id: other0000001 -->\n  - **Status**: stolen");
    expect([...updates]).toEqual([["memo00000001", { key: "memo00000001", references: [] }]]);
  });

  it("keeps known children in their places, and puts new ones between them", () => {
    const children = ["a", "new", "b"].map((id) => hit(id));
    const stored = [
      { key: "a", name: "a", tags: [], fields: [], references: [], parent: "memo00000001", order: 4 },
      { key: "b", name: "b", tags: [], fields: [], references: [], parent: "memo00000001", order: 9 },
    ];
    const answers = {
      read: [{ id: "memo00000001", node: { markdown: "- M" }, children: { children, complete: true } }],
    };
    const updates = read("", answers, stored);
    expect(["a", "new", "b"].map((key) => updates.get(key)!.order)).toEqual([4, 5, 9]);
  });

  it("is not a block of code, of which local data knows more", () => {
    const children = { children: [hit("code00000001", { docType: "codeblock" })], complete: true };
    const node = { markdown: "- M\n  - let x = 1 <!-- node-id: code00000001 -->" };
    expect([...read("", { read: [{ id: "memo00000001", node, children }] }).keys()]).toEqual(["memo00000001"]);
  });

  it("never fails, whatever the outline", () => {
    const piece = fc.constantFrom(
      "- ",
      "  ",
      "\n",
      "**A**: ",
      "x",
      "[n](tana:abc)",
      " <!-- node-id: id -->",
      "[ ]",
      "#t",
      "<b>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), (pieces) => {
        for (const [key, each] of read(`- M\n${pieces.join("")}`)) {
          expect(each.key).toBe(key);
          expect(each.parent).not.toBe(key);
        }
      }),
    );
  });
});

describe("a hit", () => {
  it("is a note unless it is a definition, a setting or a part of the workspace", () => {
    expect(isNoteHit(hit("plain0000001"))).toBe(true);
    expect(isNoteHit(hit("day000000001", { docType: "journalPart" }))).toBe(true);
    for (const docType of ["tuple", "metanode", "tagDef", "supertag", "field-definition"]) {
      expect(isNoteHit(hit("some00000001", { docType }))).toBe(false);
    }
    expect(isNoteHit(hit("ws0000000001_SCHEMA"))).toBe(false);
    expect(isNoteHit(hit("SYS_A13"))).toBe(false);
  });
});
