import { describe, expect, it } from "vitest";
import { closest } from "./closest.ts";

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

  it.each(["banana", "", "x", "s".repeat(100_000)])("takes nothing far away for a slip", (typed) => {
    expect(closest(typed, words)).toBeUndefined();
  });

  it("allows no more slips than it was told", () => {
    expect(closest("serxxh", words, 1)).toBeUndefined();
  });
});
