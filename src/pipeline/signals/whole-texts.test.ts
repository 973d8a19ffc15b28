import { describe, expect, it } from "vitest";
import { code } from "../../recipes/code.ts";
import { packHashes } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import { weighQuery } from "./bm25.ts";
import { scoreWholeTexts } from "./whole-texts.ts";

const terms = (field: "doc" | "path", ...words: string[]) => packHashes({ [field]: words.map(hashTerm) }).terms;
const query = weighQuery(
  [
    { term: "ledger", weight: 1 },
    { term: "audit", weight: 1 },
  ],
  {
    count: 100,
    averageLength: 5,
    frequencies: new Map([
      ["ledger", 5],
      ["audit", 5],
    ]),
  },
);
const score = (parts: Parameters<typeof scoreWholeTexts>[0]) =>
  Object.fromEntries(scoreWholeTexts(parts, query, code.question));

describe("what a whole says of a query", () => {
  it("is what its parts say together", () => {
    const { both, one } = score([
      { whole: "both", size: 100, terms: terms("doc", "ledger") },
      { whole: "both", size: 100, terms: terms("doc", "audit") },
      { whole: "one", size: 100, terms: terms("doc", "ledger") },
      { whole: "one", size: 100, terms: terms("doc", "ledger") },
    ]);
    expect(both).toBeGreaterThan(one!);
  });

  it("is less where much else is written", () => {
    const { long, short } = score([
      { whole: "long", size: 4000, terms: terms("doc", "ledger") },
      { whole: "short", size: 100, terms: terms("doc", "ledger") },
    ]);
    expect(short).toBeGreaterThan(long!);
  });

  it("does not count what parts repeat of what they stand under", () => {
    const { page } = score([{ whole: "page", size: 100, terms: terms("path", "ledger") }]);
    expect(page).toBe(0);
  });
});
