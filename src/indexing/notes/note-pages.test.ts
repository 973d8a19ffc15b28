import { describe, expect, it } from "vitest";
import type { Note } from "../../note.ts";
import { pageSizes } from "./note-pages.ts";

function noteOf(key: string, name: string, more: Partial<Note> = {}): Note {
  return { key, name, tags: [], fields: [], references: [], ...more };
}

function sizes(notes: Note[]) {
  return Object.fromEntries(pageSizes(new Map(notes.map((note) => [note.key, note]))));
}

describe("pages", () => {
  const place = { path: "a.md", line: 1 };

  it("are files, for notes that are lines of one, tagged or not", () => {
    const pages = sizes([
      noteOf("a.md", "x".repeat(10), { place }),
      noteOf("b", "x".repeat(20), { place, parent: "a.md", tags: ["task"] }),
      noteOf("c", "x", { place, parent: "b", text: "x".repeat(33) }),
    ]);
    expect(pages).toEqual({ "a.md": 64 });
  });

  it("are what has a tag, for other notes, up to the next that has one", () => {
    const pages = sizes([
      noteOf("home", "x".repeat(1000)),
      noteOf("project", "x".repeat(8), { parent: "home", tags: ["project"] }),
      noteOf("plan", "x".repeat(24), { parent: "project" }),
      noteOf("task", "x".repeat(16), { parent: "plan", tags: ["task"] }),
    ]);
    expect(pages).toEqual({ project: 32, task: 16 });
  });

  it("are found at any depth, and none of them in a circle", () => {
    const deep = Array.from({ length: 20_000 }, (_, i) =>
      noteOf(`d${i}`, "x", i === 0 ? { place } : { place, parent: `d${i - 1}` }),
    );
    expect(sizes(deep.reverse())).toEqual({ d0: 2 ** 14 });
    expect(sizes([noteOf("a", "x", { parent: "b" }), noteOf("b", "x", { parent: "a" })])).toEqual({});
  });
});
