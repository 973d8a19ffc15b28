import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { files, index, tokenCounter } from "../../index.ts";
import type { CountedFile } from "./file-tokens.ts";
import { fileTree } from "./file-tree.ts";

describe("files", () => {
  it("are counted exactly, again only when they change", async () => {
    const text = "export function a(): number {\n  return 1;\n}\n";
    const path = folder({ "src/a.ts": text, "src/deep/b.md": "# B\n\nWords.\n", "c.md": "# C\n" });
    await index({ path });
    const first = await files({ path });
    const count = (each: string) => tokenCounter("o200k_base").count(each);
    expect(first.tokens).toBe(count(text) + count("# B\n\nWords.\n") + count("# C\n"));
    expect(first.entries.find((entry) => entry.path === "src/a.ts")).toMatchObject({
      kind: "file",
      tokens: count(text),
      language: "typescript",
    });
    expect(first.languages.map(({ language }) => language)).toEqual(["typescript", "markdown"]);
    writeFileSync(join(path, "c.md"), "# C\n\nMore words than before.\n");
    await index({ path });
    expect((await files({ path })).tokens).toBe(
      first.tokens - count("# C\n") + count("# C\n\nMore words than before.\n"),
    );
  });

  it("of a folder are those in it; of one that is not there an error", async () => {
    const path = folder({ "src/a.ts": "export const a = 1;\n", "srcs/b.ts": "export const b = 1;\n" });
    await index({ path });
    expect((await files({ path, under: "./src/" })).entries.map((entry) => entry.path)).toEqual(["src/a.ts"]);
    await expect(files({ path, under: "none" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("of a folder without an index is an error, and of an empty one nothing", async () => {
    await expect(files({ path: folder({}) })).rejects.toMatchObject({ code: "not-indexed" });
    const path = folder({});
    await index({ path });
    expect(await files({ path })).toMatchObject({ files: 0, tokens: 0, entries: [] });
  });
});

const tree = fc.uniqueArray(
  fc.record({
    path: fc
      .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 5 })
      .map((parts) => `${parts.join("/")}/f`),
    bytes: fc.nat(1000),
    tokens: fc.nat(1000),
  }),
  { selector: ({ path }) => path, maxLength: 120 },
);

describe("a tree of files", () => {
  it("has no more entries than asked for, and they are together all of it, nothing twice", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 60 }), (all: CountedFile[], limit) => {
        const entries = fileTree(all, "", limit);
        expect(entries.length).toBeLessThanOrEqual(limit);
        expect(entries.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
          all.reduce((sum, { tokens }) => sum + tokens, 0),
        );
        expect(entries.reduce((sum, each) => sum + each.files, 0)).toBe(all.length);
        const closed = entries.filter(({ kind }) => kind === "folder");
        for (const { path } of closed) expect(entries.some((entry) => entry.path.startsWith(`${path}/`))).toBe(false);
      }),
    );
  });

  it("shows every file where there is room", () => {
    fc.assert(
      fc.property(tree, (all: CountedFile[]) => {
        const entries = fileTree(all, "", 2000);
        expect(entries.map(({ path }) => path).sort()).toEqual(all.map(({ path }) => path).sort());
      }),
    );
  });
});
