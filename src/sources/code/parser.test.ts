import { describe, expect, it, vi } from "vitest";
import { loadGrammar } from "./grammars.ts";
import { rulesOf } from "./languages/all.ts";
import { grammarOf } from "./languages.ts";
import { parse } from "./parser.ts";
import { leavesOf } from "./syntax.ts";
import { textOf, typeOf } from "./tree.ts";

const grammar = grammarOf("scala", "A.scala")!;
const leaves = leavesOf(rulesOf.scala!);

describe("a parsed text", () => {
  it("is copied in small pieces, since it is copied again whenever the parser steps back", async () => {
    const { parser } = await loadGrammar(grammar);
    const parsing = vi.spyOn(parser, "parse");
    try {
      await parse(grammar, "object A { val a = 1 }\n".repeat(2000), leaves);
      const read = parsing.mock.calls[0]![0];
      const piece = typeof read === "string" ? read : read(100, { row: 0, column: 0 })!;
      expect(piece.length).toBeGreaterThan(0);
      expect(piece.length).toBeLessThanOrEqual(1024);
    } finally {
      parsing.mockRestore();
    }
  });

  it("is whole on a machine so busy that the clock runs far ahead of the processor", async () => {
    await loadGrammar(grammar);
    const clock = performance.now.bind(performance);
    let waited = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock() + (waited += 6_000));
    try {
      expect(await parse(grammar, "object A { val a = 1 }\n".repeat(2000), leaves)).toBeDefined();
    } finally {
      now.mockRestore();
    }
  });

  it("is the same wherever a character of two units stands", async () => {
    for (let before = 0; before < 300; before++) {
      const name = `"${"a".repeat(before)}😀é"`;
      const tree = (await parse(grammar, `object A { val a = ${name} }\n`, leaves))!;
      const strings = Array.from({ length: tree.count }, (_, node) => node).filter((n) => typeOf(tree, n) === "string");
      expect(strings.map((node) => textOf(tree, node))).toEqual([name]);
    }
  });
});
