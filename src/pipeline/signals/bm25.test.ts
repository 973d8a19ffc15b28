import { describe, expect, it } from "vitest";
import { code } from "../../recipes/code.ts";
import { packTerms } from "../../text/analysis/terms.ts";
import { bodyCoverage, fieldCosines, scoreTerms, weighQuery } from "./bm25.ts";

const statistics = {
  count: 1000,
  averageLength: 10,
  frequencies: new Map([
    ["rare", 2],
    ["common", 500],
    ["pay", 20],
  ]),
};
const query = (...terms: string[]) =>
  weighQuery(
    terms.map((term) => ({ term, weight: 1 })),
    statistics,
  );
const score = (packed: Uint8Array, ...terms: string[]) => scoreTerms(packed, query(...terms), code.report).score;

describe("BM25F", () => {
  it("prefers rare terms, and names to bodies", () => {
    expect(score(packTerms({ code: ["rare"] }), "rare", "common")).toBeGreaterThan(
      score(packTerms({ code: ["common"] }), "rare", "common"),
    );
    expect(score(packTerms({ name: ["pay"] }), "pay")).toBeGreaterThan(score(packTerms({ code: ["pay"] }), "pay"));
  });

  it("saturates: a term said often counts less and less", () => {
    const said = (times: number) => score(packTerms({ code: Array(times).fill("pay") }), "pay");
    expect(said(2) - said(1)).toBeGreaterThan(said(12) - said(11));
  });

  it("counts a word that is nowhere against what is covered", () => {
    const packed = packTerms({ code: ["pay"] });
    expect(scoreTerms(packed, query("pay"), code.report).coverage).toBe(1);
    const half = scoreTerms(packed, query("pay", "nowhere"), code.report).coverage;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(0.6);
  });

  it("likes a name that is the query better than one that contains it", () => {
    const [exact, longer] = fieldCosines(
      [packTerms({ name: ["pay"] }), packTerms({ name: ["pay", "other", "words"] })],
      query("pay"),
      "name",
      3,
    );
    expect(exact).toBeGreaterThan(longer!);
  });
});

describe("the body's share of a query", () => {
  const share = (packed: Uint8Array) => bodyCoverage(packed, query("pay", "rare"));

  it("is of comments, strings and code, not of what describes it", () => {
    expect(share(packTerms({ name: ["pay"], doc: ["rare"], signature: ["pay"], path: ["pay"] }))).toBe(0);
    expect(share(packTerms({ code: ["pay"] }))).toBeGreaterThan(0);
    expect(share(packTerms({ code: ["pay"], comment: ["rare"] }))).toBeGreaterThan(share(packTerms({ code: ["pay"] })));
  });

  it("grows with each occurrence and never exceeds 1", () => {
    const often = share(packTerms({ code: [...Array(40).fill("pay"), ...Array(40).fill("rare")] }));
    expect(often).toBeGreaterThan(share(packTerms({ code: ["pay", "rare"] })));
    expect(often).toBeLessThanOrEqual(1);
  });
});
