import { describe, expect, it } from "vitest";
import { grammarUses } from "./extract.ts";

describe("the grammars of files", () => {
  it("are worth optimising where they read a megabyte, and come by what they read", () => {
    const files = [
      { path: "web/site.css", size: 276 },
      { path: "Legacy.java", size: 688 },
      ...Array.from({ length: 12 }, (_, i) => ({ path: `src/${i}.kt`, size: 100_000 })),
      { path: "README.md", size: 5_000_000 },
    ];
    const uses = grammarUses(files).map(({ grammar, files, isMuch }) => [grammar.file, files, isMuch]);
    expect(uses).toEqual([
      ["tree-sitter-kotlin.wasm", 12, true],
      ["out/tree-sitter-java.wasm", 1, false],
      ["out/tree-sitter-css.wasm", 1, false],
    ]);
  });
});
