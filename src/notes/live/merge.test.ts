import { describe, expect, it } from "vitest";
import type { Note } from "../../note.ts";
import { dayWritten } from "./dates.ts";
import { isSameNote, type MergedAnswers, mergeNote, tell } from "./merge.ts";

const known: Note = {
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

describe("what is known and what is told", () => {
  it("is what is known when nothing is told", () => {
    expect(mergeNote(known, { key: "a" })).toEqual(known);
    expect(isSameNote(mergeNote(known, { key: "a", tags: ["project", "task"] }), known)).toBe(true);
  });

  it("is a note of its own when nothing is known", () => {
    expect(mergeNote(undefined, { key: "a", name: "New", done: null, text: null })).toEqual({
      key: "a",
      name: "New",
      tags: [],
      fields: [],
      references: [],
    });
  });

  it("drops references of a text that is another one now, only if all of it was told", () => {
    expect(mergeNote(known, { key: "a", name: "New", references: ["c"], whole: true }).references).toEqual(["c"]);
    expect(mergeNote(known, { key: "a", name: "New", references: ["c"] }).references).toEqual(["b", "c"]);
    expect(mergeNote(known, { key: "a", references: ["c"], whole: true }).references).toEqual(["b", "c"]);
  });

  it("drops fields that are told to be empty, and inherited tags that nothing can inherit", () => {
    const told: MergedAnswers = { key: "a", fields: [{ name: "status", values: [] }], tags: [], text: null };
    const merged = mergeNote(known, told);
    expect(merged).toMatchObject({ fields: [], tags: [] });
    expect(merged).not.toHaveProperty("inherited");
    expect(merged).not.toHaveProperty("text");
  });

  it("keeps an image, of which only local data tells", () => {
    const image = { ...known, text: "![Old](https://a.example/b.png)\n\nOld words" };
    expect(mergeNote(image, { key: "a", text: "New words" }).text).toBe("![Old](https://a.example/b.png)\n\nNew words");
    expect(mergeNote(image, { key: "a", text: null }).text).toBe("![Old](https://a.example/b.png)");
  });

  it("counts a note as changed after the moment that was asked for, never before what is known", () => {
    expect(mergeNote(known, { key: "a", changedSince: 20 }).changed).toBe(20);
    expect(mergeNote(known, { key: "a", changedSince: 5 }).changed).toBe(10);
  });

  it("keeps what was told first", () => {
    const all = new Map<string, MergedAnswers>();
    tell(all, { key: "a", name: "First" });
    tell(all, { key: "a", name: "Second", parent: "p" });
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
