import { describe, expect, it } from "vitest";
import type { Request } from "../../options.ts";
import { code } from "../../recipes/code.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Unique } from "../unique.ts";
import { chancesFor } from "./chance.ts";
import { byRelevanceFloor, tokenPriceFor, withLeads } from "./relevance-floor.ts";

const request = { maxTokens: 4000, tests: "auto" } as Request;

function unique(name: string, score: number, signals: Record<string, number>, distance = 0): Unique {
  const span = { startLine: 1, endLine: 12 };
  const path = `src/${name}.ts`;
  const item = { id: name, source: "code", kind: "function", name, qualifiedName: `${path}::${name}`, path, ...span };
  const lines = Array.from({ length: 12 }, (_, line) => `step${line}();`);
  return { item, citation: span, ...span, lines, score, signals, distance } as unknown as Unique;
}

const found = ["open", "parse", "close", "retry", "flush"].map((name) => unique(name, 0.55, {}));
const caller = unique("start", 0.55, {}, 1);

function likelyNames(all: Unique[], text: string): string[] {
  const query = analyseQuery(text);
  const { likely } = byRelevanceFloor(all, chancesFor(query, request), 1, query, request, code.look);
  return likely.map(({ item }) => item.name);
}

const message = "ERROR: cannot open store.db: it is locked by process 12";

it("prints little beside what surely prints a message, but what calls it", () => {
  const names = likelyNames([unique("lock", 0.99, { message: 0.9 }), ...found, caller], message);
  expect(names.slice(0, 1)).toEqual(["lock"]);
  expect(names).toContain("start");
  expect(names.length).toBeLessThan(4);
});

it("prints more where no place is certain", () => {
  expect(likelyNames([unique("lock", 0.6, { message: 0.3 }), ...found, caller], message).length).toBeGreaterThan(5);
  expect(likelyNames([unique("lock", 0.6, {}), ...found], "how is a store opened").length).toBeGreaterThan(4);
});

describe("the price of a token", () => {
  const price = (confidence: number, options: Partial<Request> = {}, text = "the opening of a store") =>
    tokenPriceFor(found, confidence, analyseQuery(text), { ...request, ...options }, code.look);

  it("is higher where the ranking is sure, and the same wherever it is not", () => {
    expect(price(1)).toBeGreaterThan(1.5 * price(0.5));
    expect(price(0.75)).toBeGreaterThan(price(0.5));
    expect(price(0.2)).toBe(price(0.5));
  });

  it("is lower for a short question about behaviour, whose few words are in many functions", () => {
    const long =
      "how are the retries of a failed upload limited when the server answers slowly and its queue already holds other files";
    expect(price(0.4, {}, "how are retries limited")).toBeLessThan(0.8 * price(0.4));
    expect(price(0.4, {}, long)).toBe(price(0.4));
  });

  it("is low for the report of an issue, however sure: some of its many words are everywhere", () => {
    const report = `The store cannot be opened\n\n${"It was open before, and then the process ended without closing it. ".repeat(9)}`;
    expect(price(1, {}, report)).toBeLessThan(price(0.5));
    expect(price(1, {}, report)).toBe(price(0.5, {}, report));
  });

  it("falls in a budget above 4,000 tokens, and is nothing where the budget is to be filled", () => {
    expect(price(1, { maxTokens: 1000 })).toBe(price(1));
    expect(price(1, { maxTokens: 8000 })).toBeLessThan(price(1));
    expect(price(1, { fill: true })).toBe(0);
  });
});

describe("a literal that is in a changelog too", () => {
  const mention = (name: string, role?: string) => {
    const made = unique(name, 0.5, { named: 1, literal: 1 });
    return { ...made, item: { ...made.item, ...(role ? { role } : {}) } } as Unique;
  };
  const leadsOf = (all: Unique[], text: string) =>
    withLeads(all, code.look, analyseQuery(text))
      .filter(({ lead }) => lead)
      .map(({ item }) => item.name);
  const all = [
    unique("parse", 0.9, {}),
    mention("headers"),
    mention("history", "changelog"),
    mention("terms", "project"),
  ];
  const question = "how does it parse the 'link' header of a response";

  it("leads where code or documents have it", () => {
    expect(leadsOf(all, question)).toEqual(["parse", "headers"]);
  });

  it("leads there where nothing else has it, and where releases are asked for", () => {
    expect(leadsOf([all[0]!, all[2]!], question)).toEqual(["parse", "history"]);
    expect(leadsOf(all, "which release changed the 'link' header")).toContain("history");
  });
});
