import { expect, it } from "vitest";
import type { Candidate } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { languageFactor } from "./language-factor.ts";

function functionIn(path: string, language: string): Candidate {
  const name = "extendLocks";
  const item = { id: path, source: "code", kind: "function", name, qualifiedName: `${path}::${name}`, path } as const;
  return { item: { ...item, startLine: 1, endLine: 9, language, hash: "" }, signals: {}, distance: 0 };
}

const worker = [
  functionIn("python/queue/worker.py", "python"),
  functionIn("src/worker.ts", "typescript"),
  functionIn("elixir/lib/worker.ex", "elixir"),
];

function factors(question: string, candidates: Candidate[]): number[] {
  const factorOf = languageFactor(candidates, analyseQuery(question));
  return candidates.map(({ item }) => factorOf(item));
}

it.each([
  ["how does the Python worker extend locks", [1, 0.6, 0.6]],
  ["how does the TypeScript worker extend locks", [0.6, 1, 0.6]],
  ["how does the JavaScript worker extend locks", [0.6, 1, 0.6]],
  ["how are locks extended in Elixir", [0.6, 0.6, 1]],
  ["how does the worker extend locks", [1, 1, 1]],
  ["how does the worker go on in case of a lost lock", [1, 1, 1]],
  ["how does the Rust worker extend locks", [1, 1, 1]],
])("%s", (question, expected) => expect(factors(question, worker)).toEqual(expected));

it("takes a language that hardly any of the code is written in for what the code is about", () => {
  const code = Array.from({ length: 19 }, (_, i) => functionIn(`domains/domain${i}.py`, "python"));
  const all = [...code, functionIn("themes/search.js", "javascript")];
  expect(new Set(factors("how does the JavaScript domain resolve references", all))).toEqual(new Set([1]));
});

it("keeps files whose path names the language", () => {
  const all = [functionIn("domains/javascript.py", "python"), functionIn("static/search.js", "javascript")];
  expect(factors("how does the JavaScript domain resolve references", all)).toEqual([1, 1]);
});
