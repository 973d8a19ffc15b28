import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gramSimilarities } from "./grams.ts";

describe("gram similarities", () => {
  it("put the other spelling above what shares no spelling", () => {
    const [serializer, parser, unrelated] = gramSimilarities("serialise", [
      "class Serializer",
      "class Parser",
      "open a window",
    ]);
    expect(serializer).toBeGreaterThan(parser!);
    expect(parser).toBeGreaterThan(unrelated!);
    expect(unrelated).toBe(0);
  });

  it("read camelCase and snake_case as words", () => {
    const [camel, snake, upper, glued] = gramSimilarities("user name", [
      "userName",
      "user_name",
      "USER NAME",
      "username",
    ]);
    expect(camel).toBeCloseTo(1, 9);
    expect(snake).toBeCloseTo(1, 9);
    expect(upper).toBeCloseTo(1, 9);
    expect(glued).toBeLessThan(0.9);
  });

  it("count a gram that few texts have for more than one that all have", () => {
    const [rare, common] = gramSimilarities("get zebra", [
      "zebra cage",
      "get cage",
      "get stone",
      "get water",
      "get paper",
    ]);
    expect(rare).toBeGreaterThan(common!);
  });

  it("are 1 for the text itself and between 0 and 1 for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.array(fc.string({ unit: "binary" })),
        (query, texts) => {
          const all = gramSimilarities(query, [query, ...texts]);
          for (const value of all) expect(value >= 0 && value <= 1).toBe(true);
          expect(all[0] === 0 || all[0]! > 0.999999).toBe(true);
          expect(all.length).toBe(texts.length + 1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("do not depend on what was compared before", () => {
    const compare = () => [...gramSimilarities("parse a date", ["parseDate", "format a date", "日付を解析する"])];
    const first = compare();
    gramSimilarities("x".repeat(100_000), ["parse ".repeat(50_000), "İstanbul", "\ud800"]);
    expect(compare()).toEqual(first);
  });

  it("are zero for an empty query, and none for no texts", () => {
    expect([...gramSimilarities("", ["a text"])]).toEqual([0]);
    expect([...gramSimilarities("a text", [])]).toEqual([]);
  });

  it("meet in scripts without spaces", () => {
    const [same, other] = gramSimilarities("日付を解析", ["日付を解析する", "窓を開ける"]);
    expect(same).toBeGreaterThan(other!);
  });
});
