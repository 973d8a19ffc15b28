import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifiersIn } from "./identifiers.ts";

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
});
