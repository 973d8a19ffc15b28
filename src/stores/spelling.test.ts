import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../text/similarity/levenshtein.ts";
import { similarity, trigrams } from "./spelling.ts";

describe("editDistance", () => {
  it("counts insertions, deletions, replacements and swapped neighbours", () => {
    expect(editDistance("knowlege", "knowledge")).toBe(1);
    expect(editDistance("proecss", "process")).toBe(1);
    expect(editDistance("cat", "cut")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("same", "same")).toBe(0);
  });

  it("is symmetric, 0 only for equal words, and at most the longer length", () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});

describe("similarity", () => {
  it("is 1 for the same word, 0 for one with nothing in common, and bounded on endless words", () => {
    expect(similarity("abc", "abc")).toBe(1);
    expect(similarity("abc", "xyz")).toBe(0);
    expect(similarity("", "")).toBe(1);
    expect(similarity("x".repeat(1_000_000), "y".repeat(1_000_000))).toBe(0);
  });
});

describe("trigrams", () => {
  it("are distinct, lower case, and whole characters", () => {
    expect(trigrams("aaaab")).toEqual(["aaa", "aab"]);
    expect(trigrams("ABC")).toEqual(["abc"]);
    expect(trigrams("𝒳𝒴𝒵")).toHaveLength(1);
    expect(trigrams("ab")).toEqual([]);
  });
});
