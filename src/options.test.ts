import { describe, expect, it } from "vitest";
import { contextInput, requestOf } from "./options.ts";

describe("what is considered for a document", () => {
  const limitOf = (input: Record<string, unknown>) => requestOf(contextInput.parse({ query: "it", ...input })).limit;

  it("grows with the budget, so that a large one is not left unused", () => {
    expect(limitOf({ maxTokens: 1000 })).toBe(50);
    expect(limitOf({ maxTokens: 10_000 })).toBe(50);
    expect(limitOf({ maxTokens: 16_000 })).toBe(80);
    expect(limitOf({ maxTokens: 200_000 })).toBe(500);
  });

  it("is more where it is notes, which are small", () => {
    expect(limitOf({ maxTokens: 1000, recipe: "graph" })).toBe(50);
    expect(limitOf({ maxTokens: 4000, recipe: "graph" })).toBe(160);
    expect(limitOf({ maxTokens: 100_000, recipe: "graph" })).toBe(4000);
    expect(limitOf({ maxTokens: 1_000_000, recipe: "graph" })).toBe(5000);
  });

  it("is what you say, where you say so", () => {
    expect(limitOf({ maxTokens: 16_000, limit: 7 })).toBe(7);
  });
});
