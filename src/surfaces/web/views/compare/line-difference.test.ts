import fc from "fast-check";
import { expect, it } from "vitest";
import { alignLines, changedPart } from "./line-difference.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "", "}"), { maxLength: 40 });

it("shows every line of both texts once, in order, and calls the same only what is", () => {
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const rows = alignLines(left, right);
      expect(rows.flatMap((row) => row.left ?? [])).toEqual(left.map((_, at) => at));
      expect(rows.flatMap((row) => row.right ?? [])).toEqual(right.map((_, at) => at));
      for (const { left: a, right: b, same } of rows) if (same) expect(left[a!]).toBe(right[b!]);
    }),
  );
});

it("finds nothing different between a text and itself", () => {
  fc.assert(fc.property(lines, (text) => alignLines(text, text).every(({ same }) => same)));
});

it("keeps a block that both have together, though lines came before it", () => {
  const block = ["def f():", "    return 1", "", "def g():", "    return 2"];
  const rows = alignLines(block, ["# Memories", "", ...block]);
  expect(rows.filter(({ same }) => same).length).toBe(block.length);
  expect(rows.slice(0, 2)).toEqual([
    { right: 0, same: false },
    { right: 1, same: false },
  ]);
});

it("compares two texts of 20,000 lines that have nothing in common", () => {
  const [left, right] = ["a", "b"].map((side) => Array.from({ length: 20_000 }, (_, at) => `${side}${at % 500}`));
  expect(alignLines(left!, right!).every(({ same }) => !same)).toBe(true);
});

it("marks the part of a line that changed", () => {
  expect(changedPart("budget 4000 tokens", "budget 1500 tokens")).toEqual({ left: [7, 9], right: [7, 9] });
  expect(changedPart("", "new")).toEqual({ left: [0, 0], right: [0, 3] });
  expect(changedPart("aa", "aaa")).toEqual({ left: [2, 2], right: [2, 3] });
});
