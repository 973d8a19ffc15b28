import { expect, it } from "vitest";
import type { Shown } from "../../layout/printed-parts.ts";
import { expenseOf } from "./framing.ts";

const price = 0.0002;

function shown(source: "code" | "memory", folds: number): Shown {
  const lines = folds === 0 ? undefined : [0, ...Array.from({ length: folds }, () => undefined), 9];
  return { rank: 1, unique: { item: { source } }, printLevel: { level: "full", text: "", lines } } as unknown as Shown;
}

it("charges more for what is around a text than for the text: folds, and the heading of another file", () => {
  const whole = expenseOf(shown("code", 0), 300, 0, price);
  expect(whole).toBeGreaterThan(300 * price);
  expect(expenseOf(shown("code", 2), 300, 0, price)).toBeGreaterThan(whole);
  expect(expenseOf(shown("code", 0), 300, 14, price)).toBeGreaterThan(whole);
  // Two items of half the length have two lines above them.
  expect(2 * expenseOf(shown("code", 0), 150, 0, price)).toBeGreaterThan(whole);
});

it("charges a record its tokens, and nothing where the budget is to be filled", () => {
  expect(expenseOf(shown("memory", 0), 40, 0, price)).toBeCloseTo(40 * price);
  expect(expenseOf(shown("code", 2), 300, 14, 0)).toBe(0);
});
