import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { symmetricEigen } from "./eigen.ts";
import type { SparseMatrix } from "./products.ts";
import { rightSingularVectors } from "./svd.ts";

describe.each([{ simd: true }, { simd: false }])("truncated SVD, simd: $simd", ({ simd }) => {
  it("finds the largest singular values of a dense reference", async () => {
    const dense = decaying(60, 40, 11);
    const expected = referenceSingularValues(dense);
    const { rank, values } = await rightSingularVectors(sparse(dense), 12, { iterations: 6, simd });
    expect(rank).toBe(12);
    for (let k = 0; k < 12; k++) expect(values[k]).toBeCloseTo(expected[k]!, 3);
  });

  it("finds vectors that the matrix stretches by exactly their singular values", async () => {
    const dense = decaying(50, 30, 5);
    const { rank, values, vectors } = await rightSingularVectors(sparse(dense), 8, { iterations: 8, simd });
    for (let k = 0; k < rank; k++) {
      const v = dense[0]!.map((_, column) => vectors[column * rank + k]!);
      const stretched = dense.map((row) => dot(row, v));
      const back = v.map((_, column) => dot(columnOf(dense, column), stretched));
      for (let j = 0; j < v.length; j++) expect(back[j]).toBeCloseTo(values[k]! ** 2 * v[j]!, 3);
    }
  });

  it("is close with the two passes that training uses", async () => {
    const dense = decaying(60, 40, 3);
    const expected = referenceSingularValues(dense);
    const { values } = await rightSingularVectors(sparse(dense), 12, { iterations: 1, simd });
    for (let k = 0; k < 12; k++) {
      expect(values[k]! / expected[k]!).toBeGreaterThan(0.9);
      expect(values[k]! / expected[k]!).toBeLessThan(1.0001);
    }
  });

  it("returns orthonormal vectors, and no more than the matrix has", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 1e9 }),
        async (rows, width, wantedRank, seed) => {
          const dense = mostlyZero(rows, width, seed);
          const { rank, vectors } = await rightSingularVectors(sparse(dense), wantedRank, { simd });
          expect(rank).toBeLessThanOrEqual(Math.min(rows, width, wantedRank));
          for (let a = 0; a < rank; a++) {
            for (let b = 0; b <= a; b++) {
              let product = 0;
              for (let row = 0; row < width; row++) product += vectors[row * rank + a]! * vectors[row * rank + b]!;
              expect(product).toBeCloseTo(a === b ? 1 : 0, 3);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("says that equal rows have one direction and that zeros have none", async () => {
    const equal = Array.from({ length: 6 }, () => [1, 2, 0, 3]);
    expect((await rightSingularVectors(sparse(equal), 4, { simd })).rank).toBe(1);
    expect((await rightSingularVectors(sparse([[0, 0, 0]]), 4, { simd })).rank).toBe(0);
    expect((await rightSingularVectors(sparse([]), 4, { simd })).rank).toBe(0);
  });

  it("gives the same bits for the same matrix", async () => {
    const matrix = sparse(decaying(40, 30, 9));
    const first = await rightSingularVectors(matrix, 10, { simd });
    const second = await rightSingularVectors(matrix, 10, { simd });
    expect(first.vectors).toEqual(second.vectors);
    expect(first.values).toEqual(second.values);
  });
});

describe("symmetric eigenvectors", () => {
  it("rebuild the matrix", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1e9 }), (size, seed) => {
        const next = random(seed);
        const matrix = new Float64Array(size * size);
        for (let i = 0; i < size; i++)
          for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = next();
        const { values, vectors } = symmetricEigen(matrix, size);
        for (let i = 0; i < size; i++) {
          for (let j = 0; j < size; j++) {
            let sum = 0;
            for (let k = 0; k < size; k++) sum += vectors[i * size + k]! * values[k]! * vectors[j * size + k]!;
            expect(sum).toBeCloseTo(matrix[i * size + j]!, 9);
          }
        }
        for (let k = 1; k < size; k++) expect(values[k]).toBeLessThanOrEqual(values[k - 1]!);
      }),
      { numRuns: 100 },
    );
  });
});

/** Numbers in -1..1 that depend on the seed alone. */
function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** A matrix whose singular values fall by a fifth from one to the next, as those of text do at the head. */
function decaying(rows: number, width: number, seed: number): number[][] {
  const next = random(seed);
  const dense = Array.from({ length: rows }, () => new Array<number>(width).fill(0));
  for (let strength = 10; strength > 0.01; strength *= 0.8) {
    const [left, right] = [unit(rows, next), unit(width, next)];
    for (let i = 0; i < rows; i++) for (let j = 0; j < width; j++) dense[i]![j]! += strength * left[i]! * right[j]!;
  }
  return dense;
}

function mostlyZero(rows: number, width: number, seed: number): number[][] {
  const next = random(seed);
  return Array.from({ length: rows }, () => Array.from({ length: width }, () => (next() > 0.6 ? next() : 0)));
}

function unit(length: number, next: () => number): number[] {
  const vector = Array.from({ length }, next);
  const norm = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / norm);
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function columnOf(dense: number[][], column: number): number[] {
  return dense.map((row) => row[column]!);
}

function sparse(dense: number[][]): SparseMatrix {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of dense) {
    row.forEach((value, column) => {
      if (value === 0) return;
      columns.push(column);
      values.push(value);
    });
    starts.push(values.length);
  }
  return {
    rows: dense.length,
    width: dense[0]?.length ?? 0,
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
  };
}

/** One-sided Jacobi (Hestenes): columns are turned in pairs until all are orthogonal; their lengths are the answer. */
function referenceSingularValues(dense: number[][]): number[] {
  const columns = dense[0]!.map((_, column) => columnOf(dense, column));
  for (let sweep = 0; sweep < 40; sweep++) {
    for (let p = 0; p < columns.length; p++) {
      for (let q = p + 1; q < columns.length; q++) {
        const [x, y] = [columns[p]!, columns[q]!];
        const between = dot(x, y);
        if (Math.abs(between) < 1e-14) continue;
        const angle = 0.5 * Math.atan2(2 * between, dot(x, x) - dot(y, y));
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        columns[p] = x.map((value, i) => c * value + s * y[i]!);
        columns[q] = x.map((value, i) => -s * value + c * y[i]!);
      }
    }
  }
  return columns.map((column) => Math.sqrt(dot(column, column))).sort((a, b) => b - a);
}
