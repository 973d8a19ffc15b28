import { describe, expect, it } from "vitest";
import type { Role, SourceName } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Unique } from "../unique.ts";
import { chancesFor } from "./chance.ts";

type Made = { lines?: number; test?: boolean; kind?: string; role?: Role };

function unique(source: SourceName, score: number, { lines = 10, ...item }: Made = {}): Unique {
  const span = { startLine: 1, endLine: lines };
  return { item: { source, ...item, ...span }, citation: span, ...span, score, signals: {} } as unknown as Unique;
}

const question = analyseQuery("how does it retry a request");
const chanceOf = chancesFor(question, { tests: "auto" });

describe("the chance that an item is relevant", () => {
  it("falls with the rank, and grows with the score and the length of code", () => {
    const chance = chanceOf(unique("code", 0.6), 3);
    expect(chanceOf(unique("code", 0.6), 9)).toBeLessThan(chance);
    expect(chanceOf(unique("code", 0.8), 3)).toBeGreaterThan(chance);
    expect(chanceOf(unique("code", 0.6, { lines: 60 }), 3)).toBeGreaterThan(chance);
    expect(chance).toBeGreaterThan(0);
    expect(chance).toBeLessThan(1);
  });

  it("is low for tests and configuration that are not asked for", () => {
    const [code, test] = [unique("code", 0.6), unique("code", 0.6, { test: true })];
    const [text, config] = [unique("file", 0.6), unique("file", 0.6, { kind: "config" })];
    expect(chanceOf(test, 3)).toBeCloseTo(chanceOf(code, 3) / 5);
    expect(chanceOf(config, 3)).toBeCloseTo(chanceOf(text, 3) / 5);
    const asked = chancesFor(analyseQuery("tests for retries"), { tests: "auto" });
    expect(asked(test, 3)).toBe(asked(code, 3));
    expect(asked(config, 3)).toBe(asked(text, 3));
    expect(chancesFor(question, { tests: "only" })(test, 3)).toBe(chancesFor(question, { tests: "auto" })(code, 3));
  });

  it.each<[Role, string]>([
    ["project", "under which license is it published"],
    ["changelog", "which release changed retries"],
  ])("is low for a %s file unless it is asked for", (role, asking) => {
    const [text, filler] = [unique("file", 0.6), unique("file", 0.6, { role })];
    expect(chanceOf(filler, 3)).toBeCloseTo(chanceOf(text, 3) / 5);
    const asked = chancesFor(analyseQuery(asking), { tests: "auto" });
    expect(asked(filler, 3)).toBe(asked(text, 3));
  });

  it("is low for configuration beside a pasted message that it does not have", () => {
    const [text, config] = [unique("file", 0.6), unique("file", 0.6, { kind: "config" })];
    const pasted = chancesFor(analyseQuery("ERROR: could not open the store: file is locked"), { tests: "auto" });
    expect(pasted(config, 3)).toBeCloseTo(pasted(text, 3) / 5);
  });

  it("is a fifth where the ranking is not sure of anything", () => {
    expect(chanceOf(unique("code", 0.6), 0, 0)).toBeCloseTo(chanceOf(unique("code", 0.6), 0) * 0.2);
  });

  it("stays above half of it for turns of a conversation, which seldom repeat the words of a question", () => {
    expect(chanceOf(unique("message", 0.6), 0, 0)).toBeGreaterThan(chanceOf(unique("message", 0.6), 0) / 2);
  });
});
