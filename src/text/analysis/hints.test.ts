import { describe, expect, it } from "vitest";
import { hintedNames, hintedTerms } from "./hints.ts";
import { analyseQuery, searchedTerms } from "./query.ts";

const question = "what happens when no route matches";

describe("hints", () => {
  it("are searched for beside the words of the question, and weigh less than the heaviest of them", () => {
    const { terms } = analyseQuery(question);
    const searched = searchedTerms(analyseQuery(question, "NotFound 404 fallback"));
    const weightOf = (term: string) => searched.find((each) => each.term === term)?.weight;
    expect(weightOf("notfound")).toBeGreaterThan(0);
    expect(weightOf("notfound")).toBeLessThan(terms[0]!.weight);
    for (const { term, weight } of terms) expect(weightOf(term)).toBe(weight);
  });

  it("are names that may be meant, and nothing that is asked for", () => {
    const query = analyseQuery(question, "NotFoundHandler Mux::routeHTTP");
    expect(query.names.map(({ name }) => name)).toEqual(expect.arrayContaining(["NotFoundHandler", "Mux.routeHTTP"]));
    expect(query.asked).toEqual(analyseQuery(question).asked);
    expect(query.onlyNames).toBe(false);
  });

  it("leave out what the question says itself", () => {
    expect(hintedTerms("route router", ["rout"]).map(({ term }) => term)).not.toContain("rout");
    expect(hintedNames("match matches", [{ name: "match", weight: 0.35 }]).map(({ name }) => name)).toEqual([
      "matches",
    ]);
  });

  it("leave the question as it is where there are none", () => {
    expect(analyseQuery(question, "")).toEqual(analyseQuery(question));
    expect(hintedTerms("", [])).toEqual([]);
  });

  it("are not more than forty, however many are given", () => {
    const many = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
    expect(hintedTerms(many, [])).toHaveLength(40);
    expect(hintedNames(many, [])).toHaveLength(40);
  });
});
