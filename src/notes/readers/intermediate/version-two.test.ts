import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../../tests/workspace.ts";
import type { Note } from "../../../note.ts";
import { readerFor } from "../all.ts";
import { tanaIntermediate } from "./intermediate.ts";

async function read(contents: object): Promise<{ notes: Map<string, Note>; warnings: string[] }> {
  const place = join(
    folder({ "export.json": JSON.stringify({ version: "TanaIntermediateFile V2", contents }) }),
    "export.json",
  );
  expect((await readerFor(place)).kind).toBe("tana-intermediate");
  const notes = new Map<string, Note>();
  const warnings: string[] = [];
  for await (const batch of tanaIntermediate.read(place, ["export.json"], {
    warn: (each) => void warnings.push(each),
  })) {
    for (const note of batch.notes) notes.set(note.key, note);
  }
  return { notes, warnings };
}

const schema = {
  children: [
    { type: "template", uid: "project", name: "project", extends: ["thing"] },
    { type: "template", id: "tagThing0001", uid: "thing", name: "thing", extends: [{ uid: "project" }] },
    {
      type: "template",
      uid: "task",
      name: "task",
      extends: ["project"],
      children: [{ type: "attributeDef", uid: "due", name: "Due", dataType: "date" }],
    },
    { type: "attributeDef", id: "attrStatus01", name: "Status", dataType: "options", fixedOptionIds: ["optOpen00001"] },
    { type: "attributeDef", uid: "owner", name: "Owner", dataType: "instance" },
  ],
};

describe("version 2 of Tana Intermediate Format", () => {
  it("has notes with tags, inherited tags, fields, references and boxes, wherever its schema stands", async () => {
    const { notes, warnings } = await read({
      workspace: {
        name: "Mine",
        children: [
          {
            uid: "launch",
            name: "Launch plan, see [[notes]]",
            description: "With **care**",
            tags: [{ uid: "task" }, "EXISTING_TAG"],
            createdAt: "2026-01-05T00:00:00Z",
            children: [
              { type: "tuple", attributeDef: { id: "attrStatus01" }, values: [{ isRef: true, id: "optOpen00001" }] },
              { type: "tuple", attributeDef: { uid: "due" }, values: ["2026-12-01"] },
              { type: "tuple", attributeDef: { uid: "owner" }, values: [{ isRef: true, uid: "ada" }] },
              { type: "tuple", attributeDef: "FIELD_ELSEWHERE", values: [{ name: "x" }] },
              { uid: "notes", name: "Notes" },
              { name: "Book venue", isDone: false },
              { isRef: true, uid: "ada" },
              { type: "codeBlock", name: "let a = 1;", codeLanguage: "js" },
              { type: "viewDef", name: "A view" },
            ],
          },
          { id: "optOpen00001", name: "Open" },
        ],
      },
      library: { children: [{ id: "adaAAAAAAAAA", uid: "ada", nameParts: ["Ada, of ", { ref: { uid: "launch" } }] }] },
      additionalRoots: [{ uid: "root", name: "Another root", isDone: true }],
      schema,
    });
    expect(warnings).toEqual([]);
    expect(notes.get("launch")).toMatchObject({
      name: "Launch plan, see Notes",
      text: "With **care**",
      tags: ["task", "EXISTING_TAG"],
      inherited: ["project", "thing"],
      created: Date.UTC(2026, 0, 5),
      fields: [
        { name: "Status", type: "options", values: [{ text: "Open", note: "optOpen00001" }] },
        { name: "Due", type: "date", values: [{ text: "2026-12-01" }] },
        { name: "Owner", type: "reference", values: [{ note: "adaAAAAAAAAA" }] },
        { name: "FIELD_ELSEWHERE", values: [{ text: "x" }] },
      ],
      references: ["notes", "adaAAAAAAAAA"],
    });
    expect(notes.get("adaAAAAAAAAA")).toMatchObject({
      name: expect.stringContaining("Ada, of Launch plan"),
      references: ["launch"],
    });
    expect(notes.get("notes")).toMatchObject({ parent: "launch", order: 0 });
    expect([...notes.values()].find(({ name }) => name === "Book venue")).toMatchObject({
      parent: "launch",
      done: false,
    });
    expect([...notes.values()].find(({ text }) => text?.includes("let a = 1;"))?.name).toBe("Code (js)");
    expect(notes.get("root")).toMatchObject({ done: true });
    const names = [...notes.values()].map(({ name }) => name);
    for (const none of ["project", "Mine", "Status", "A view"]) expect(names).not.toContain(none);
  });

  it("is read whatever stands in it", async () => {
    const { notes } = await read({
      workspace: {
        children: [null, 5, "text", [], { children: "none" }, { name: { a: 1 } }, { type: "tuple" }, { isRef: true }],
      },
      inbox: [],
      library: null,
      schema: { children: [{ type: "template" }, { type: "attributeDef", name: "" }] },
      additionalRoots: { children: [{ uid: "a", name: "A [[a]]", tags: "x", children: [{ isRef: true, uid: "a" }] }] },
    });
    expect(notes.get("a")?.name).toContain("A");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), async (children) => {
        await read({ workspace: { children } });
      }),
      { numRuns: 25 },
    );
  });
});
