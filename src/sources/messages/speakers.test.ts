import { describe, expect, it } from "vitest";
import { analyseQuery } from "../../text/analysis/query.ts";
import { namedIn, spokenTerms } from "./speakers.ts";

describe("names in a question", () => {
  it("are those of who speaks, as written or all in small letters", () => {
    expect([...namedIn("What did Anna's dog do?", ["Anna Lind", "Mark"]).speakers]).toEqual(["Anna Lind"]);
    expect([...namedIn("what did mark say", ["Anna", "Mark"]).speakers]).toEqual(["Mark"]);
    expect([...namedIn("Did Anna mark the day?", ["Anna", "Mark"]).speakers]).toEqual(["Anna"]);
    expect(namedIn("What does the user say to the assistant?", ["user", "assistant"]).speakers.size).toBe(0);
    expect(namedIn("", ["", "?"]).speakers.size).toBe(0);
  });

  it("are not searched for, nor are dates, unless there is nothing else", () => {
    const terms = (question: string) => {
      const { terms } = analyseQuery(question);
      return spokenTerms(terms, question, namedIn(question, ["Anna"]))
        .map(({ term }) => term)
        .sort();
    };
    expect(terms("What did Anna paint on October 13, 2023?")).toEqual(["paint"]);
    expect(terms("Anna")).toEqual(["anna"]);
    expect(terms("in May 2023")).not.toEqual([]);
  });
});
