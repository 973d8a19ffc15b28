import { describe, expect, it } from "vitest";
import { pathMatcher } from "./globs.ts";

describe("pathMatcher", () => {
  const matching = (globs: string[], paths: string[]) => paths.filter(pathMatcher(globs));

  it("matches a glob with a slash from the root", () => {
    expect(matching(["src/*.ts"], ["src/a.ts", "src/b/c.ts", "lib/src/a.ts"])).toEqual(["src/a.ts"]);
    expect(matching(["./src/**"], ["src/b/c.ts", "lib/src/a.ts"])).toEqual(["src/b/c.ts"]);
    expect(matching(["/a.ts"], ["a.ts", "b/a.ts"])).toEqual(["a.ts"]);
  });

  it("matches a glob without a slash at any depth", () => {
    expect(matching(["*.py"], ["a.py", "b/c.py", "a.pyc"])).toEqual(["a.py", "b/c.py"]);
  });

  it("takes a folder for everything in it, hidden files too", () => {
    expect(matching(["src"], ["src/a.ts", "src/.env", "srcs/a.ts"])).toEqual(["src/a.ts", "src/.env"]);
    expect(matching(["src/b/"], ["src/b/c.ts", "src/bc.ts"])).toEqual(["src/b/c.ts"]);
    expect(matching(["."], ["a", "b/c"])).toEqual(["a", "b/c"]);
  });

  it("excludes with a leading exclamation mark, whatever the order", () => {
    expect(matching(["!*.md", "docs"], ["docs/a.md", "docs/b.txt", "c.txt"])).toEqual(["docs/b.txt"]);
    expect(matching(["!tests/**"], ["tests/a.py", "a.py"])).toEqual(["a.py"]);
  });

  it("answers strange globs: braces, brackets, only a mark", () => {
    expect(matching(["*.{ts,tsx}"], ["a.ts", "b.tsx", "c.js"])).toEqual(["a.ts", "b.tsx"]);
    expect(matching(["[", "("], ["a"])).toEqual([]);
    expect(matching(["!"], ["a"])).toEqual([]);
  });

  it("names a glob that is no glob", () => {
    expect(() => pathMatcher(["*".repeat(70_000)])).toThrow(expect.objectContaining({ code: "bad-input" }));
  });
});
