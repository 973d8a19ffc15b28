import { describe, expect, it } from "vitest";
import type { SourceName } from "../../item.ts";
import type { Unique } from "../unique.ts";
import { chanceOf } from "./chance.ts";

function unique(source: SourceName, score: number, lines = 10): Unique {
  const span = { startLine: 1, endLine: lines };
  return { item: { source, ...span }, citation: span, ...span, score } as Unique;
}

describe("the chance that an item is relevant", () => {
  it("falls with the rank, and grows with the score and the length of code", () => {
    const chance = chanceOf(unique("code", 0.6), 3);
    expect(chanceOf(unique("code", 0.6), 9)).toBeLessThan(chance);
    expect(chanceOf(unique("code", 0.8), 3)).toBeGreaterThan(chance);
    expect(chanceOf(unique("code", 0.6, 60), 3)).toBeGreaterThan(chance);
    expect(chance).toBeGreaterThan(0);
    expect(chance).toBeLessThan(1);
  });

  it("is next to nothing where the ranking is not sure of anything", () => {
    expect(chanceOf(unique("code", 0.6), 0, 0)).toBeCloseTo(chanceOf(unique("code", 0.6), 0) * 0.05);
  });

  it("stays above half of it for turns of a conversation, which seldom repeat the words of a question", () => {
    expect(chanceOf(unique("message", 0.6), 0, 0)).toBeGreaterThan(chanceOf(unique("message", 0.6), 0) / 2);
  });
});
