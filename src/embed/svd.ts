import { symmetricEigen } from "./eigen.ts";

/** A sparse matrix by rows: row i holds `columns[j]`, `values[j]` for j from `starts[i]` up to `starts[i + 1]`. */
export type SparseMatrix = {
  rows: number;
  width: number;
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float32Array;
};

/** The largest singular values, and their right singular vectors as the columns of a row-major `width x rank` matrix. */
export type RightSingular = { rank: number; values: Float64Array; vectors: Float32Array };

export type SvdOptions = {
  /** Extra dimensions carried along and dropped at the end: they make the last kept ones converge. */
  oversample?: number;
  /** Passes after the first; each one squares the gap between kept and dropped singular values. */
  iterations?: number;
  seed?: number;
  /** Awaited between passes, so that a process can do other things or give up. */
  pause?: () => Promise<void>;
};

/** Directions weaker than this, relative to the strongest, are rounding noise of float32 storage. */
const noise = 1e-6;

/**
 * Truncated SVD by randomised subspace iteration (Halko, Martinsson and Tropp, 2011): a random block is multiplied by
 * A'A a few times and kept orthonormal; what is left is a small symmetric eigenproblem. The rank is smaller than asked
 * when the matrix has no more. The same matrix and seed give the same bits.
 */
export async function rightSingularVectors(
  matrix: SparseMatrix,
  wantedRank: number,
  options: SvdOptions = {},
): Promise<RightSingular> {
  const { oversample = 8, iterations = 3, seed = 1, pause } = options;
  const block = Math.min(wantedRank + oversample, matrix.rows, matrix.width);
  const wide = randomSigns(matrix.width * block, seed);
  const long = new Float32Array(matrix.rows * block);
  for (let pass = 0; pass <= iterations; pass++) {
    multiply(matrix, wide, long, block);
    orthonormalise(long, block);
    await pause?.();
    multiplyTransposed(matrix, long, wide, block);
    await pause?.();
  }
  // Q is orthonormal and wide = A'Q, so the left singular vectors of wide are the right ones of A.
  const { rank, values } = orthonormalise(wide, block);
  const keptRank = Math.min(rank, wantedRank);
  const vectors = new Float32Array(matrix.width * keptRank);
  for (let row = 0; row < matrix.width; row++) {
    for (let k = 0; k < keptRank; k++) vectors[row * keptRank + k] = wide[row * block + k]!;
  }
  fixSigns(vectors, keptRank);
  return { rank: keptRank, values: values.slice(0, keptRank), vectors };
}

/** result = A * dense, both with `block` columns. */
function multiply(matrix: SparseMatrix, dense: Float32Array, result: Float32Array, block: number): void {
  const { starts, columns, values } = matrix;
  const sum = new Float64Array(block);
  for (let row = 0; row < matrix.rows; row++) {
    sum.fill(0);
    for (let j = starts[row]!; j < starts[row + 1]!; j++) {
      const value = values[j]!;
      const from = columns[j]! * block;
      for (let k = 0; k < block; k++) sum[k]! += value * dense[from + k]!;
    }
    result.set(sum, row * block);
  }
}

/** result = A' * dense, both with `block` columns. */
function multiplyTransposed(matrix: SparseMatrix, dense: Float32Array, result: Float32Array, block: number): void {
  const { starts, columns, values } = matrix;
  result.fill(0);
  const buffer = new Float32Array(block);
  for (let row = 0; row < matrix.rows; row++) {
    buffer.set(dense.subarray(row * block, (row + 1) * block));
    for (let j = starts[row]!; j < starts[row + 1]!; j++) {
      const value = values[j]!;
      const to = columns[j]! * block;
      for (let k = 0; k < block; k++) result[to + k]! += value * buffer[k]!;
    }
  }
}

/**
 * Turns the columns, in place, into an orthonormal basis of what they span, strongest direction first, and returns
 * how strong each was (their singular values). Columns beyond the rank become zero.
 */
function orthonormalise(dense: Float32Array, block: number): { rank: number; values: Float64Array } {
  const { values: squares, vectors } = symmetricEigen(gram(dense, block), block);
  const values = squares.map((square) => Math.sqrt(Math.max(0, square)));
  let rank = 0;
  while (rank < block && values[rank]! > values[0]! * noise) rank++;

  const turn = new Float64Array(roundedUp(block) * block);
  for (let i = 0; i < block; i++) {
    for (let k = 0; k < rank; k++) turn[i * block + k] = vectors[i * block + k]! / values[k]!;
  }
  multiplyRows(dense, turn, block);
  return { rank, values };
}

// The two dense products below take most of the time; four terms a step read and write the sums a quarter as often.
const unrolled = 4;

function roundedUp(count: number): number {
  return Math.ceil(count / unrolled) * unrolled;
}

/** dense = dense * turn, where turn has zero rows up to a multiple of four. */
function multiplyRows(dense: Float32Array, turn: Float64Array, block: number): void {
  const buffer = new Float64Array(roundedUp(block));
  const sum = new Float64Array(block);
  for (let row = 0; row < dense.length; row += block) {
    for (let k = 0; k < block; k++) buffer[k] = dense[row + k]!;
    sum.fill(0);
    for (let i = 0; i < buffer.length; i += unrolled) {
      const [a, b, c, d] = [buffer[i]!, buffer[i + 1]!, buffer[i + 2]!, buffer[i + 3]!];
      const [atA, atB, atC, atD] = [i * block, (i + 1) * block, (i + 2) * block, (i + 3) * block];
      for (let k = 0; k < block; k++) {
        sum[k]! += a * turn[atA + k]! + b * turn[atB + k]! + c * turn[atC + k]! + d * turn[atD + k]!;
      }
    }
    dense.set(sum, row);
  }
}

/** dense' * dense, in double precision because its square root is taken. */
function gram(dense: Float32Array, block: number): Float64Array {
  const product = new Float64Array(block * block);
  const rows = [0, 1, 2, 3].map(() => new Float64Array(block));
  const [rowA, rowB, rowC, rowD] = rows as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let from = 0; from < dense.length; from += block * unrolled) {
    rows.forEach((row, n) => {
      for (let k = 0; k < block; k++) row[k] = dense[from + n * block + k] ?? 0;
    });
    for (let i = 0; i < block; i++) {
      const [a, b, c, d] = [rowA[i]!, rowB[i]!, rowC[i]!, rowD[i]!];
      for (let k = i; k < block; k++) {
        product[i * block + k]! += a * rowA[k]! + b * rowB[k]! + c * rowC[k]! + d * rowD[k]!;
      }
    }
  }
  for (let i = 0; i < block; i++) for (let k = 0; k < i; k++) product[i * block + k] = product[k * block + i]!;
  return product;
}

/** A singular vector's sign is arbitrary: its largest component is made positive. */
function fixSigns(vectors: Float32Array, rank: number): void {
  for (let k = 0; k < rank; k++) {
    let largest = 0;
    for (let at = k; at < vectors.length; at += rank) {
      if (Math.abs(vectors[at]!) > Math.abs(largest)) largest = vectors[at]!;
    }
    if (largest < 0) for (let at = k; at < vectors.length; at += rank) vectors[at] = -vectors[at]!;
  }
}

/** Random +1 and -1 (as good a start as Gaussian numbers), by xorshift32. */
function randomSigns(length: number, seed: number): Float32Array {
  const signs = new Float32Array(length);
  let state = seed >>> 0 || 1;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    signs[i] = state & 0x10000 ? 1 : -1;
  }
  return signs;
}
