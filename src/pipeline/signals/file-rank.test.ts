import { expect, it } from "vitest";
import { code } from "../../recipes/code.ts";
import { analyseQuery, type Query } from "../../text/analysis/query.ts";
import { packTerms } from "../../text/analysis/terms.ts";
import type { Evidence } from "../evidence.ts";
import type { Finding } from "../finding.ts";
import { rankFiles } from "./file-rank.ts";

const file = (path: string, ...terms: string[]) => [path, { terms: packTerms({ code: terms }) }] as const;
const files = {
  count: 100,
  averageLength: 2,
  frequencies: new Map([
    ["cart", 5],
    ["total", 9],
  ]),
};
const evidence = () => {
  const wholeFiles = new Map([file("a.py", "cart", "total"), file("b.py", "total", "total"), file("c.py", "other")]);
  return { files, wholeFiles } as unknown as Evidence;
};
const asking = (...terms: string[]): Query => ({
  ...analyseQuery("a question"),
  terms: terms.map((term) => ({ term, weight: 1 })),
  also: [],
});
const rank = (query: Query, evidence: Evidence) =>
  rankFiles({ query, evidence, candidates: [] } as unknown as Finding, new Map(), code);

it("ranks by the terms that are asked for, however often the same files are ranked", () => {
  const shared = evidence();
  const queries = [asking("cart", "total"), asking("total"), asking("cart", "total", "unknown"), asking("cart")];
  for (const query of [...queries, ...queries]) expect(rank(query, shared)).toEqual(rank(query, evidence()));
  expect(rank(asking("cart"), shared).columns.text).toEqual([1, 0, 0]);
});

it("does not take the title, which has no synonyms, for the text", () => {
  const query = asking("basket");
  const also = [{ of: "basket", term: "cart", share: 0.5 }];
  const { columns } = rank({ ...query, also, title: query.terms } as Query, evidence());
  expect([columns.text, columns.title]).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ]);
});
