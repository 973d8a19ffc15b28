import { expect, it } from "vitest";
import type { Scored } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { withClarity } from "./clarity.ts";

const question = analyseQuery("how does it retry a request");

function ranked(...scores: number[]): Scored[] {
  return scores.map((score, i) => {
    const item = { id: `${i}`, path: `src/${i}.ts`, startLine: 1, endLine: 20 };
    return { item, score, signals: {} } as unknown as Scored;
  });
}

it("is whole where the best stands out, and a third where the first four are alike", () => {
  expect(withClarity(1, ranked(0.9, 0.85, 0.8, 0.7), question)).toBe(1);
  expect(withClarity(1, ranked(0.8, 0.79, 0.78, 0.78), question)).toBeCloseTo(1 / 3);
  const between = withClarity(1, ranked(0.8, 0.79, 0.78, 0.71), question);
  expect(between).toBeGreaterThan(0.5);
  expect(between).toBeLessThan(0.8);
});

it("compares with what is no part of the best", () => {
  const all = ranked(0.8, 0.79, 0.79, 0.79, 0.6, 0.6, 0.6);
  const inOne = all.map((each, i) => (i < 4 ? { ...each, item: { ...each.item, path: "src/0.ts" } } : each));
  expect(withClarity(1, inOne, question)).toBe(1);
});

it("leaves what is certain, what is unsure already, and other queries as they are", () => {
  const [best, ...others] = ranked(0.99, 0.99, 0.99, 0.99) as [Scored, ...Scored[]];
  expect(withClarity(1, [{ ...best, signals: { named: 1 } }, ...others], question)).toBe(1);
  expect(withClarity(0.2, ranked(0.8, 0.8, 0.8, 0.8), question)).toBe(0.2);
  expect(withClarity(1, ranked(0.8, 0.8, 0.8, 0.8), analyseQuery("retryRequest"))).toBe(1);
  expect(withClarity(1, [], question)).toBe(1);
});
