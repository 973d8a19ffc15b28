import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "../../text/analysis/analyse.ts";
import { scanFor } from "./scan.ts";

/** What an index would count. */
function indexed(question: string, text: string): number[] {
  const terms = analyse(text);
  return scanFor(question).terms.map(({ term }) => terms.filter((each) => each === term).length);
}

const questions = [
  "where are policies checked?",
  "how is the possibility of hoping tried?",
  "parseRequest",
  "os.path joins",
  "tokenization of relational queries",
  "what does get_or_create do?",
];
const words = fc.constantFrom(
  ...[
    "policy",
    "Policies",
    "policy_check",
    "checked",
    "checkPolicy",
    "possible",
    "possibility",
    "hope",
    "hoping",
    "try",
  ],
  ...["tries", "parseRequest", "parse_request", "ParseRequests", "os.path", "join", "joined", "tokenize", "tokenizer"],
  ...["relation", "relational", "query", "queries", "get_or_create", "getOrCreate", "created", "or", "unrelated", "x"],
);

describe("a scan", () => {
  it("counts the terms of a question as the index would", () => {
    const separators = fc.constantFrom(" ", "\n", "(", ") ", " = ", ", ", "::", '"');
    fc.assert(
      fc.property(fc.constantFrom(...questions), fc.array(fc.tuple(words, separators)), (question, parts) => {
        const text = parts.flat().join("");
        expect([...scanFor(question).count(text)]).toEqual(indexed(question, text));
      }),
    );
  });

  it("counts words of other scripts", () => {
    expect([...scanFor("größe der einträge").count("Die Größe hat zwei Einträge")].some((count) => count > 0)).toBe(
      true,
    );
  });

  it("knows a definition of what is asked for from a use of it", () => {
    const scan = scanFor("where is `parseRequest` defined?");
    expect(scan.defines("export function parseRequest(text) {")).toBe(true);
    expect(scan.defines("func (s *Server) parseRequest() {")).toBe(true);
    expect(scan.defines("const request = parseRequest(text)")).toBe(false);
  });

  it("reads a megabyte without a space in no time worth mentioning", () => {
    const text = "policy".repeat(200_000);
    expect(scanFor("where are policies checked?").count(text).length).toBeGreaterThan(0);
  });
});
