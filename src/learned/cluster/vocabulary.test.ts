import { describe, expect, it } from "vitest";
import { contrasts, distinctiveTerms, spelled, vocabularyOf, withoutOverlap } from "./vocabulary.ts";

const texts = [
  ["pool", "connect", "fix"],
  ["pool", "connect", "releas", "fix"],
  ["pool", "releas", "fix"],
  ["css", "flex", "fix"],
  ["css", "grid", "flex"],
  ["once"],
];

describe("vocabularyOf", () => {
  it("keeps the terms that relate texts: of two at least, and not of most", () => {
    expect(vocabularyOf(texts).terms).toEqual(["connect", "css", "flex", "pool", "releas"]);
  });

  it("makes every text as long as every other, and leaves one without known terms empty", () => {
    for (const [i, { weights }] of vocabularyOf(texts).texts.entries()) {
      expect(Math.hypot(...weights)).toBeCloseTo(i === 5 ? 0 : 1, 9);
    }
    expect(vocabularyOf([])).toEqual({ terms: [], texts: [], total: new Float64Array() });
  });
});

describe("contrasts", () => {
  it("is endless for texts that share words with nobody else, and nothing for those that share none", () => {
    const vocabulary = vocabularyOf(texts);
    expect(contrasts(vocabulary, [0, 1, 2])).toEqual({ together: Infinity, each: [Infinity, Infinity, Infinity] });
    expect(contrasts(vocabulary, [0, 3])).toEqual({ together: 0, each: [0, 0] });
  });

  it("is smaller for a member that belongs elsewhere", () => {
    const { together, each } = contrasts(vocabularyOf([...texts, ["pool", "grid"]]), [0, 1, 2, 4]);
    expect(each[3]!).toBeLessThan(1);
    expect(Math.min(...each.slice(0, 3))).toBeGreaterThan(2);
    expect(together).toBeGreaterThan(each[3]!);
  });
});

describe("distinctiveTerms", () => {
  it("are those that the members use and the others do not", () => {
    expect(distinctiveTerms(vocabularyOf(texts), [0, 1, 2], 5)).toEqual(["connect", "releas", "pool"]);
    expect(distinctiveTerms(vocabularyOf(texts), [3, 4], 1)).toEqual(["css"]);
  });
});

describe("spelled", () => {
  it("writes terms as the texts do, not with the capital of a sentence's start", () => {
    const texts = [
      "Releasing the Postgres pool. Releasing it twice:\nPooling",
      "the releasing of a Postgres connection",
    ];
    expect(spelled(["releas", "postgr", "connect", "unheard"], texts)).toEqual([
      "releasing",
      "Postgres",
      "connection",
      "unheard",
    ]);
  });

  it("finds the parts of joined words", () => {
    expect(spelled(["isol", "endpoint"], ["test-isolation of the endpoint's handler"])).toEqual([
      "isolation",
      "endpoint",
    ]);
  });
});

describe("withoutOverlap", () => {
  it("leaves out what says the same again", () => {
    expect(withoutOverlap(["min", "width", "min_width", "Width", "flex"])).toEqual(["min", "width", "flex"]);
    expect(withoutOverlap(["min_width", "width", "flex"])).toEqual(["min_width", "flex"]);
  });
});
