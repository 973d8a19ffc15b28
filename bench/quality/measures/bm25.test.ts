import { expect, it } from "vitest";
import { bagOf, bm25, bm25Ranking, type Vocabulary } from "./bm25.ts";

it("scores as the textbook does", () => {
  const vocabulary: Vocabulary = new Map();
  const texts = ["apple apple pear", "pear plum", "plum cherry quince medlar"];
  const ask = bm25(
    texts.map((text) => bagOf(text, vocabulary)),
    vocabulary,
  );
  // Of three texts one has the word: ln(1 + 2.5 / 1.5). It is 3 words long of 3 on average: 2 * 2.2 / (2 + 1.2).
  const [best, ...others] = ask("apple");
  expect(others).toEqual([]);
  expect(best!.place).toBe(0);
  expect(best!.score).toBeCloseTo(Math.log(1 + 2.5 / 1.5) * (4.4 / 3.2), 10);
  // The shorter of two texts with the word once is better: 1.2 (.25 + .75 * 2 / 3) against 1.2.
  const [first, second] = ask("pear");
  const rarity = Math.log(1 + 1.5 / 2.5);
  expect([first!.place, second!.place]).toEqual([1, 0]);
  expect(first!.score).toBeCloseTo((rarity * 2.2) / (1 + 1.2 * 0.75), 10);
  expect(second!.score).toBeCloseTo((rarity * 2.2) / 2.2, 10);
});

it("counts a word as often as the query says it, and leaves out what meets none", () => {
  const ask = bm25Ranking([
    { id: "a", text: "river stone" },
    { id: "b", text: "river river cloud" },
    { id: "c", text: "sand" },
  ]);
  expect(ask("stone stone river")).toEqual(["a", "b"]);
  expect(ask("glacier")).toEqual([]);
});
