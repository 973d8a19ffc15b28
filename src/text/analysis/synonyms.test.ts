import { describe, expect, it } from "vitest";
import { phrasesIn } from "./phrases/phrases.ts";
import { analyseQuery } from "./query.ts";
import { stem } from "./stem.ts";
import { alternativesOf } from "./synonyms.ts";
import { abbreviations, irregular, related, synonyms } from "./thesaurus.ts";

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

  it("are related words, too, where the question is short", () => {
    const question = ["visitor", "address"].map(stem);
    const others = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    expect(words(...question)).toContain(stem("client"));
    expect(alternativesOf([...question, ...others]).map(({ term }) => term)).not.toContain(stem("client"));
  });

  it("of each word of a group are all the others, whatever a stemmer makes of it", () => {
    for (const group of related.trim().split(/;\s*/)) {
      const stems = [...new Set(group.split(/\s+/).map(stem))];
      for (const one of stems) {
        const others = stems.filter((other) => other !== one);
        expect(alternativesOf([one]).map(({ term }) => term)).toEqual(expect.arrayContaining(others));
      }
    }
  });

  it("of a related word count less the longer the question is, the others as much as ever", () => {
    const share = (count: number, term: string) =>
      alternativesOf(
        ["visitor", "directory", ...Array.from({ length: count - 2 }, (_, i) => `other${i}`)].map(stem),
      ).find((each) => each.term === stem(term))!.share;
    expect(share(8, "client")).toBeLessThan(share(6, "client"));
    expect(share(6, "client")).toBe(share(2, "client"));
    expect(share(8, "folder")).toBe(share(2, "folder"));
  });

  it("are all words of every group that a word is in", () => {
    for (const group of [synonyms, abbreviations, related, irregular].flatMap((table) => table.trim().split(/;\s*/))) {
      const stems = [...new Set(group.split(/\s+/).map(stem))];
      for (const one of stems)
        expect([one, ...alternativesOf([one]).map(({ term }) => term)]).toEqual(expect.arrayContaining(stems));
    }
  });

  it("are what a phrase of a short question means", () => {
    const asked = "what runs at the same time?";
    const terms = (text: string) => analyseQuery(text).also.map(({ term }) => term);
    expect(terms(asked)).toContain(stem("concurrent"));
    expect(terms("what runs at this time?")).not.toContain(stem("concurrent"));
    const long = "what runs at the same time as the alpha bravo charlie delta echo foxtrot golf hotel india juliet";
    expect(terms(long)).not.toContain(stem("concurrent"));
  });
});

describe("phrases", () => {
  it("are found as whole words, whatever stands between them", () => {
    expect(phrasesIn("Is it cleaned-up, then?").flatMap(({ words }) => words)).toContain("cleanup");
    expect(phrasesIn("uncleaned upstream")).toEqual([]);
  });

  it("are found in other forms of their words, with or without articles", () => {
    const meant = (text: string) => phrasesIn(text).flatMap(({ words }) => words);
    expect(meant("who switches it off")).toEqual([]);
    for (const text of ["it switches off", "switching off a lamp", "it is switched the off"])
      expect(meant(text)).toContain("disable");
  });

  it("are none in a text of fewer than two words", () => {
    for (const text of ["", "the", "concurrency", "?!"]) expect(phrasesIn(text)).toEqual([]);
  });

  it("are few in any text, and cost the same however long it is", () => {
    expect(phrasesIn("at the same time ".repeat(100_000))).toHaveLength(1);
  });
});

it("knows that code writes two words as one, but not across a comma or another word", () => {
  const joined = (text: string) => analyseQuery(text).also.map(({ term }) => term);
  expect(joined("connections are kept with keep alive headers")).toContain(stem("keepalive"));
  expect(joined("is white space trimmed")).toContain(stem("whitespace"));
  expect(joined("a log, stream")).not.toContain(stem("logstream"));
  expect(joined("a log or stream")).not.toContain(stem("logstream"));
});
