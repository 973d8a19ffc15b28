import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasIdentifier, identifiersIn, linesWithIdentifier } from "./identifiers.ts";

describe("identifiers", () => {
  it("are names, each once, and neither numbers nor signs", () => {
    expect([...identifiersIn("const $a_1 = foo(foo.bar, 42, 1e5);")]).toEqual(["const", "$a_1", "foo", "bar", "e5"]);
    expect([...identifiersIn("größe = naïve + 变量2")]).toEqual(["größe", "naïve", "变量2"]);
    expect(identifiersIn("").size).toBe(0);
  });

  it("of ASCII are the same beside a letter of another script", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect([...identifiersIn(`${text} ß`)].filter((name) => name !== "ß")).toEqual([...identifiersIn(text)]);
      }),
    );
  });

  it("are found one by one where all together would be", () => {
    const unit = fc.constantFrom("a", "b", "_", "$", "1", "0", " ", ".", "\n", "é", "漢", "\ud83d\ude00", "\u0301");
    const text = fc.string({ unit, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.string({ unit, minLength: 1, maxLength: 3 }), (text, name) => {
        expect(hasIdentifier(text, name)).toBe(identifiersIn(text).has(name));
        const lines = text.split("\n");
        const having = lines.flatMap((line, i) => (identifiersIn(line).has(name) ? [i] : []));
        expect(linesWithIdentifier(lines, text, name)).toEqual(having);
      }),
      { numRuns: 2000 },
    );
  });
});
