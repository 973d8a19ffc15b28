import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { abandonEngine, loadGrammar } from "./grammars.ts";
import { languages } from "./languages.ts";

describe("the parser", () => {
  it("is a copy of its own, beside that of the program around it", async () => {
    const theirs: typeof import("web-tree-sitter") = createRequire(import.meta.url)("web-tree-sitter");
    await theirs.Parser.init();
    abandonEngine();
    const { grammar } = languages.find(({ id }) => id === "python")!;
    const { parser } = await loadGrammar(grammar!);
    expect(parser.parse("def a(): pass")!.rootNode.type).toBe("module");
    expect(createRequire(import.meta.url)("web-tree-sitter")).toBe(theirs);
  });
});
