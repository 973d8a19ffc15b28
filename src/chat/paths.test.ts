import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DossierError } from "../errors.ts";
import { documentPath, folderPath, foldersOf, longestPath, nameOf } from "./paths.ts";

describe("a document's path", () => {
  it.each([
    ["notes/plan.md", "notes/plan.md"],
    ["./notes//./plan.md", "notes/plan.md"],
    ["notes\\2026\\plan.md", "notes/2026/plan.md"],
    [".\\a.md", "a.md"],
    [" notes / plan.md ", "notes/plan.md"],
    ["cafe\u0301.md", "caf\u00e9.md"],
    [".env", ".env"],
    ["a..b/..c", "a..b/..c"],
  ])("of %j is %j", (input, path) => expect(documentPath(input)).toBe(path));

  it.each([
    ["", /empty/],
    [" ", /empty/],
    ["./.", /empty/],
    ["/etc/passwd", /relative/],
    ["\\\\server\\share\\a", /relative/],
    ["C:\\a.md", /relative/],
    ["./c:/a.md", /relative/],
    ["../a", /"\.\."/],
    ["a/ .. /b", /"\.\."/],
    ["a\\..\\b", /"\.\."/],
    ["a\0b", /control/],
    ["a\nb", /control/],
    ["notes/", /folder/],
    ["notes\\", /folder/],
    ["\ud800.md", /half a character/],
    ["doc-0123456789abc", /looks like an id/],
  ])("is not %j", (input, why) => {
    expect(() => documentPath(input)).toThrow(why);
    expect(() => documentPath(input)).toThrow(DossierError);
  });

  it("has an end", () => {
    expect(() => documentPath("a/".repeat(longestPath / 2) + "b")).toThrow(/too long/);
    expect(() => documentPath("é".repeat(200))).toThrow(/too long/);
    expect(documentPath("é".repeat(100))).toBe("é".repeat(100));
  });

  it("is either refused or stays as it is when read again, and never leads out", () => {
    const parts = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      " ",
      "a",
      "é",
      "e\u0301",
      "c:",
      "\0",
      "\t",
      "\u2028",
      "x.md",
      "\ud800",
    );
    const text = fc.oneof(
      fc.uint16Array({ maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
      fc.array(parts).map((each) => each.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        let path: string;
        try {
          path = documentPath(input);
        } catch (error) {
          expect(error).toBeInstanceOf(DossierError);
          return;
        }
        expect(documentPath(path)).toBe(path);
        expect(folderPath(path)).toBe(path);
        expect(path.split("/")).not.toContain("..");
        expect(path).not.toMatch(/^\/|\\|\0|^$|\/\/|\/$/);
      }),
      { numRuns: 2000 },
    );
  });

  it("tells its folders and its name", () => {
    expect(foldersOf("a/b/c.md")).toEqual(["a", "a/b"]);
    expect(foldersOf("c.md")).toEqual([]);
    expect(nameOf("a/b/c.md")).toBe("c.md");
  });
});
