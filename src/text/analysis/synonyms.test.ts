import { describe, expect, it } from "vitest";
import { stem } from "./stem.ts";
import { alternativesOf } from "./synonyms.ts";

const words = (...terms: string[]) => alternativesOf(terms.map(stem)).map(({ term }) => term);

describe("other words", () => {
  it("are synonyms, worth less than the word, and irregular forms, worth nearly as much", () => {
    const [remove] = alternativesOf([stem("delete")]);
    expect(remove).toMatchObject({ term: stem("remove"), of: stem("delete") });
    const sent = alternativesOf(["sent"]).find(({ term }) => term === "send");
    expect(sent!.share).toBeGreaterThan(remove!.share);
  });

  it("of a word are those of its irregular forms, too", () => {
    expect(words("chosen")).toEqual(expect.arrayContaining([stem("choose"), stem("select")]));
    const share = (term: string) => alternativesOf(["chosen"]).find((each) => each.term === term)!.share;
    expect(share(stem("select"))).toBeLessThan(share(stem("choose")));
  });

  it("go both ways", () => {
    expect(words("directory")).toContain(stem("folder"));
    expect(words("folder")).toContain(stem("directory"));
  });

  it("are none of the terms themselves, and nothing for what has no other word", () => {
    expect(words("list", "array")).not.toContain(stem("array"));
    expect(words("zebra")).toEqual([]);
  });
});
