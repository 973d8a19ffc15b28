import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoizeRecent } from "./memoize.ts";

describe("a memoizeRecent function", () => {
  it("says what the function says, and is asked once for a text that comes again", () => {
    const computed: string[] = [];
    const length = memoizeRecent((text) => computed.push(text) && text.length, 10_000);
    expect(["one", "three", "one"].map(length)).toEqual([3, 5, 3]);
    expect(computed).toEqual(["one", "three"]);
  });

  it("forgets what it saw longest ago, and what is larger than all it may keep", () => {
    const computed: string[] = [];
    const length = memoizeRecent((text) => computed.push(text) && text.length, 250);
    for (const text of ["first", "second", "third", "fourth", "first", "x".repeat(400), "x".repeat(400)]) length(text);
    expect(computed.filter((text) => text === "first")).toHaveLength(2);
    expect(computed.filter((text) => text.length === 400)).toHaveLength(2);
  });

  it("is right for any texts in any order", () => {
    const length = memoizeRecent((text) => text.length, 500);
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        expect(texts.map(length)).toEqual(texts.map((text) => text.length));
      }),
    );
  });
});
