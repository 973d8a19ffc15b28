import fc from "fast-check";
import { expect, it } from "vitest";
import { type Entry, type Rectangle, treemap } from "./treemap-layout.ts";

const entries = fc.uniqueArray(
  fc.record({
    path: fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
      .map((parts) => `${parts.join("/")}.x`),
    kind: fc.constant<Entry["kind"]>("file"),
    tokens: fc.integer({ min: 1, max: 5000 }),
  }),
  { selector: ({ path }) => path, minLength: 1, maxLength: 40 },
);

const [width, height] = [900, 500];
const slack = 1e-6;

function overlap(a: Rectangle, b: Rectangle): boolean {
  const along = (first: number, length: number, other: number, its: number) =>
    first + length > other + slack && other + its > first + slack;
  return along(a.x, a.width, b.x, b.width) && along(a.y, a.height, b.y, b.height);
}

it("has a cell for every entry, inside the picture, and none over another", () => {
  fc.assert(
    fc.property(entries, (all) => {
      const { cells } = treemap(all, "", width, height);
      expect(cells.map(({ entry }) => entry.path).sort()).toEqual(all.map(({ path }) => path).sort());
      for (const [i, cell] of cells.entries()) {
        expect(cell.x).toBeGreaterThanOrEqual(-slack);
        expect(cell.x + cell.width).toBeLessThanOrEqual(width + slack);
        expect(cell.y + cell.height).toBeLessThanOrEqual(height + slack);
        for (const other of cells.slice(i + 1)) expect(overlap(cell, other)).toBe(false);
      }
    }),
  );
});

it("gives files of one folder areas as their tokens are", () => {
  const files = [6, 6, 4, 3, 2, 2, 1].map((tokens, i) => ({ path: `f${i}`, kind: "file" as const, tokens }));
  const { cells } = treemap(files, "", 600, 400);
  for (const { entry, width, height } of cells)
    expect((width * height) / (600 * 400)).toBeCloseTo(entry.tokens / 24, 6);
});

it("draws a folder with one folder in it as one", () => {
  const { frames } = treemap([{ path: "src/main/java/a.x", kind: "file", tokens: 5 }], "", 300, 300);
  expect(frames.map(({ name }) => name)).toEqual(["src/main/java"]);
});
