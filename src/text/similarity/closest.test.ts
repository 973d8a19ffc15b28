import { describe, expect, it } from "vitest";
import { alternatives, closest } from "./closest.ts";

const words = ["context", "search", "status", "max-tokens", "why"];

describe("the closest word", () => {
  it.each([
    ["serach", "search"],
    ["statsu", "status"],
    ["CONTEXT", "context"],
    ["max-token", "max-tokens"],
    ["contxt", "context"],
  ])("takes %s for %s", (typed, meant) => {
    expect(closest(typed, words)).toBe(meant);
  });

  it.each(["banana", "", "x", "s".repeat(100_000)])("takes nothing far away for a typo", (typed) => {
    expect(closest(typed, words)).toBeUndefined();
  });

  it("allows no more typos than it was told", () => {
    expect(closest("serxxh", words, 1)).toBeUndefined();
  });
});

describe("what there is instead", () => {
  it("is listed, with the closest one", () => {
    expect(alternatives("serach", words)).toBe(
      "there are context, search, status, max-tokens, why. Did you mean search?",
    );
    expect(alternatives("banana", ["why"])).toBe("there is only why.");
  });

  it("is counted where it is too much to read", () => {
    const many = Array.from({ length: 1000 }, (_, i) => `word-number-${i}`);
    expect(alternatives("banana", many)).toMatch(/word-number-29 and 970 more\.$/);
  });
});
