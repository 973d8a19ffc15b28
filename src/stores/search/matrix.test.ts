import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelModule } from "../../../scripts/build-kernel.ts";
import { largest, packMatrix } from "./matrix.ts";

describe("packMatrix", () => {
  it("gives the same dot products with and without SIMD, for any length of vectors", () => {
    const sizes = fc.record({
      dimensions: fc.integer({ min: 1, max: 70 }),
      rows: fc.integer({ min: 0, max: 30 }),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(sizes, ({ dimensions, rows, seed }) => {
        let state = seed;
        const next = () => ((state = (Math.imul(state, 1103515245) + 12345) | 0) >> 16) % 129;
        const values = (length: number) => Int8Array.from({ length }, next);
        const data = values(rows * dimensions);
        const vector = values(dimensions);
        const parts = [{ numbers: Uint32Array.from({ length: rows }, (_, i) => i * 3), data }];
        const expected = Array.from({ length: rows }, (_, row) =>
          vector.reduce((sum, value, i) => sum + value * data[row * dimensions + i]!, 0),
        );
        const simd = packMatrix(parts, dimensions);
        expect([...simd.scores(vector)]).toEqual(expected);
        expect([...simd.scores(vector)]).toEqual(expected);
        expect([...packMatrix(parts, dimensions, { simd: false }).scores(vector)]).toEqual(expected);
        expect([...simd.numbers]).toEqual([...parts[0]!.numbers]);
      }),
    );
  });

  it("scores the rows of the items that are asked for, wherever their numbers lie", () => {
    const few = fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { maxLength: 20 });
    const dense = fc.integer({ min: 1, max: 900 }).map((first) => Array.from({ length: 300 }, (_, i) => first + i));
    fc.assert(
      fc.property(fc.oneof(few, dense), few, (stored, others) => {
        const numbers = Uint32Array.from(stored).reverse();
        const matrix = packMatrix([{ numbers, data: Int8Array.from(numbers, (number) => number % 100) }], 1);
        const asked = [...others, ...stored.slice(5, 9)];
        const expected = new Set(asked.filter((number) => stored.includes(number)));
        const { numbers: found, scores } = matrix.scoresOf(Int8Array.of(1), asked);
        expect([...found]).toEqual([...expected]);
        expect([...scores]).toEqual([...expected].map((number) => number % 100));
      }),
    );
  });

  it("does not overflow at the extremes", () => {
    const extreme = new Int8Array(1024).fill(-128);
    const matrix = packMatrix([{ numbers: Uint32Array.of(1), data: extreme }], 1024);
    expect([...matrix.scores(extreme)]).toEqual([1024 * 128 * 128]);
  });

  it("is made from the kernel's source as it stands", async () => {
    const folder = new URL("./", import.meta.url);
    const source = await readFile(new URL("kernel.wat", folder), "utf8");
    expect(await readFile(new URL("kernel.ts", folder), "utf8")).toBe(await kernelModule(source));
  });
});

describe("largest", () => {
  it("is the beginning of a full sort", () => {
    const scores = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 3 }), (values, count, nth) => {
        const passes = (position: number) => position % nth === 0;
        const sorted = values
          .map((_, i) => i)
          .filter(passes)
          .sort((a, b) => values[b]! - values[a]! || a - b);
        expect(largest(Int32Array.from(values), count, { passes })).toEqual(sorted.slice(0, count));
      }),
    );
  });
});
