import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commentMark } from "./comments.ts";
import { elide } from "./elide.ts";
import { syntaxLanguages } from "./syntax.ts";

describe("commentMark", () => {
  it.each([
    ["python", "# ... x"],
    ["Go", "// ... x"],
    ["TSX", "// ... x"],
    ["c++", "// ... x"],
    ["html", "<!-- ... x -->"],
    ["css", "/* ... x */"],
    ["sql", "-- ... x"],
    ["ocaml", "(* ... x *)"],
    ["clojure", "; ... x"],
    ["erlang", "% ... x"],
    ["text", "[... x]"],
    ["no such language", "[... x]"],
    ["constructor", "[... x]"],
    [undefined, "[... x]"],
  ])("is a comment in %s: %s", (language, mark) => {
    expect(commentMark(language, "... x")).toBe(mark);
  });

  it("stays one comment whatever the text says", () => {
    expect(commentMark("html", "a --> b\nc")).toBe("<!-- a - - > b c -->");
    expect(commentMark("css", "*/ }")).toBe("/* * / } */");
  });

  it("knows more than 25 languages", () => {
    expect(syntaxLanguages.length).toBeGreaterThan(25);
  });
});

describe("elide", () => {
  const lines = ["def f():", "    a = 1", "", "    if a:", "        b = 2", "        c = 3", "    return b", ""];

  it("puts one mark for each run, indented like its first visible line", () => {
    expect(elide(lines, [true, false, false, true, false, false, true, true], "python").lines).toEqual([
      "def f():",
      "    # ... 2 lines",
      "    if a:",
      "        # ... 2 lines",
      "    return b",
      "",
    ]);
  });

  it("takes a function, counts one line as one line, and marks runs at both ends", () => {
    expect(elide(["// a", "b();", "c();"], (i) => i === 1, "go").lines).toEqual([
      "// ... 1 line",
      "b();",
      "// ... 1 line",
    ]);
  });

  it("turns a run of empty lines into one empty line", () => {
    expect(elide(["a", "", "", "b"], [true, false, false, true], "python").lines).toEqual(["a", "", "b"]);
  });

  it("does not end a comment that it cuts inside", () => {
    expect(elide(["/*", " a", " b", "*/", "p {}"], [true, false, false, true, true], "css").lines).toEqual([
      "/*",
      " ... 2 lines",
      "*/",
      "p {}",
    ]);
  });

  it("keeps every kept line in order, and accounts for every other one", () => {
    const line = fc.constantFrom("a {", "  b", "", "}", '"""', "/*", "*/", "漢");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean())), (pairs) => {
        const all = pairs.map(([text]) => text);
        const keep = pairs.map(([, isKept]) => isKept);
        const result = elide(all, keep, "java").lines;
        const marked = result
          .map((text) => Number(/\.\.\. (\d+) line/.exec(text)?.[1] ?? 0))
          .reduce((sum, count) => sum + count, 0);
        const dropped = all.filter((text, i) => !keep[i] && text.trim() !== "").length;
        expect(marked).toBeGreaterThanOrEqual(dropped);
        expect(result.filter((text) => !text.includes("...") && text !== "")).toEqual(
          all.filter((text, i) => keep[i] && text !== ""),
        );
      }),
    );
  });
});
