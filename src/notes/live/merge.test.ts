import { describe, expect, it } from "vitest";
import type { Note } from "../../note.ts";
import { addUpdate, dayWritten, isSameNote, mergeNote, type NoteUpdate } from "./merge.ts";

const stored: Note = {
  key: "a",
  name: "Old",
  text: "Text",
  tags: ["task", "project"],
  inherited: ["thing"],
  fields: [{ name: "Status", type: "options", values: [{ text: "active", note: "opt" }] }],
  parent: "home",
  order: 3,
  references: ["b"],
  changed: 10,
};

describe("a stored note and an update", () => {
  it("is the stored note when the update is empty", () => {
    expect(mergeNote(stored, { key: "a" })).toEqual(stored);
    expect(isSameNote(mergeNote(stored, { key: "a", tags: ["project", "task"] }), stored)).toBe(true);
  });

  it("is a new note when none is stored", () => {
    expect(mergeNote(undefined, { key: "a", name: "New", done: null, text: null })).toEqual({
      key: "a",
      name: "New",
      tags: [],
      fields: [],
      references: [],
    });
  });

  it("drops references of a text that is another one now, only if all of it was told", () => {
    expect(mergeNote(stored, { key: "a", name: "New", references: ["c"], whole: true }).references).toEqual(["c"]);
    expect(mergeNote(stored, { key: "a", name: "New", references: ["c"] }).references).toEqual(["b", "c"]);
    expect(mergeNote(stored, { key: "a", references: ["c"], whole: true }).references).toEqual(["b", "c"]);
  });

  it("drops fields that are told to be empty, and inherited tags that nothing can inherit", () => {
    const update: NoteUpdate = { key: "a", fields: [{ name: "status", values: [] }], tags: [], text: null };
    const merged = mergeNote(stored, update);
    expect(merged).toMatchObject({ fields: [], tags: [] });
    expect(merged).not.toHaveProperty("inherited");
    expect(merged).not.toHaveProperty("text");
  });

  it("keeps an image, of which only local data tells", () => {
    const image = { ...stored, text: "![Old](https://a.example/b.png)\n\nOld words" };
    expect(mergeNote(image, { key: "a", text: "New words" }).text).toBe("![Old](https://a.example/b.png)\n\nNew words");
    expect(mergeNote(image, { key: "a", text: null }).text).toBe("![Old](https://a.example/b.png)");
  });

  it("counts a note as changed after the moment that was asked for, never before the stored time", () => {
    expect(mergeNote(stored, { key: "a", changedSince: 20 }).changed).toBe(20);
    expect(mergeNote(stored, { key: "a", changedSince: 5 }).changed).toBe(10);
  });

  it("keeps what was told first", () => {
    const all = new Map<string, NoteUpdate>();
    addUpdate(all, { key: "a", name: "First" });
    addUpdate(all, { key: "a", name: "Second", parent: "p" });
    expect(all.get("a")).toEqual({ key: "a", name: "First", parent: "p" });
  });
});

describe("a day as people write it", () => {
  const now = new Date(2026, 11, 31, 23).getTime();

  it.each([
    ["Today", "2026-12-31"],
    ["tomorrow", "2027-01-01"],
    ["Yesterday", "2026-12-30"],
    ["Mar 5", "2026-03-05"],
    ["Thu, Mar 5", "2026-03-05"],
    ["Thu, Mar 5, 2025", "2025-03-05"],
    ["March 15, 2025", "2025-03-15"],
    ["Feb 31", undefined],
    ["2026-03-05", undefined],
    ["someday", undefined],
    ["constructor", undefined],
  ])("%s is %s", (text, day) => {
    expect(dayWritten(text, now)).toBe(day);
  });
});
