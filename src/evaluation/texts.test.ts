import { describe, expect, it } from "vitest";
import { sentenceAround } from "./mining/link-sentence.ts";
import { testTitles } from "./mining/tests.ts";

describe("the sentence around a link", () => {
  it("loses the link, however it is written, and keeps the rest", () => {
    const names = ["Ledger"];
    const rest = "Refunds are posted to the overnight and checked by support";
    for (const link of ["[[Ledger]]", "[[ledger|the books]]", "[books](notes/Ledger.md)", "Ledger"]) {
      const sentence = sentenceAround(
        `Nothing here. Refunds are posted to the ${link} overnight and checked by support.`,
        names,
      );
      expect(sentence?.replace(/[.\s]+/g, " ").trim()).toBe(rest);
      expect(sentence?.toLowerCase()).not.toContain("ledger");
    }
  });

  it("keeps what other links say", () => {
    expect(sentenceAround("The [[Audit|yearly audit]] reads every booking of the [[Ledger]].", ["Ledger"])).toBe(
      "The yearly audit reads every booking of the .",
    );
  });

  it("is none where too little is left, or where the name is part of a word", () => {
    expect(sentenceAround("See [[Ledger]].", ["Ledger"])).toBeUndefined();
    expect(sentenceAround("The ledgerbook of all our bookings is long.", ["Ledger"])).toBeUndefined();
    expect(sentenceAround("An AI wrote all of this long text today.", ["AI"])).toBeUndefined();
  });
});

describe("titles of tests that are sentences", () => {
  it("come with the groups they stand in", () => {
    const text = `
describe("res", function () {
  describe('.send(null)', () => {
    it("should set body to \\"\\"", () => {});
  });
  it.only(\`closes the connection\`, async () => {});
  it(title, () => {});
});
test("stands alone", () => {});
`;
    expect(testTitles(text)).toEqual([
      { groups: ["res", ".send(null)"], title: 'should set body to ""' },
      { groups: ["res"], title: "closes the connection" },
      { groups: [], title: "stands alone" },
    ]);
  });

  it("are read in time that grows with the text", () => {
    expect(testTitles(`${'it("'.repeat(100_000)}${"\\".repeat(100_000)}`).length).toBeLessThan(2);
  });
});
