import { symmetricEigen } from "./eigen.ts";
import { openProducts, type Products, type SparseMatrix } from "./products.ts";

/**
 * The largest singular values, and their right singular vectors as the columns of a row-major `width x rank` matrix.
 */
export type RightSingular = { rank: number; values: Float64Array; vectors: Float32Array };

export type SvdOptions = {
  /** Extra dimensions that are computed and dropped at the end: they make the last kept ones converge. */
  oversample?: number;
  /** Passes after the first; each one squares the gap between kept and dropped singular values. */
  iterations?: number;
  seed?: number;
  /** Awaited between passes, so that the process can do other work or abort. */
  pause?: () => Promise<void>;
  /** False computes in plain JavaScript, as on a machine without SIMD. */
  simd?: boolean;
};

/** Directions weaker than this, relative to the strongest, are rounding noise of float32 storage. */
const noise = 1e-6;

/**
 * Truncated SVD by randomised subspace iteration (Halko, Martinsson and Tropp, 2011): a random block is multiplied by
 * A'A a few times and kept orthonormal; the rest is a small symmetric eigenproblem. The rank is smaller than requested
 * if the matrix has a smaller one. The same matrix and seed give the same bits on the same machine.
 */
export async function rightSingularVectors(
  matrix: SparseMatrix,
  wantedRank: number,
  options: SvdOptions = {},
): Promise<RightSingular> {
  const { oversample = 8, iterations = 3, seed = 1, pause, simd } = options;
  const block = Math.min(wantedRank + oversample, matrix.rows, matrix.width);
  const products = openProducts(matrix, block, { simd });
  const { wide, stride } = products;
  setRandomSigns(wide, stride, block, seed);
  for (let pass = 0; pass <= iterations; pass++) {
    products.multiply();
    orthonormalise(products);
    await pause?.();
    products.multiplyTransposed();
    await pause?.();
  }
  // Q is orthonormal and wide = A'Q, so the left singular vectors of wide are the right ones of A.
  const { rank, values } = turnToStrongest(products);
  const keptRank = Math.min(rank, wantedRank);
  const vectors = new Float32Array(matrix.width * keptRank);
  for (let row = 0; row < matrix.width; row++) {
    vectors.set(wide.subarray(row * stride, row * stride + keptRank), row * keptRank);
  }
  fixSigns(vectors, keptRank);
  return { rank: keptRank, values: values.slice(0, keptRank), vectors };
}

/**
 * Makes the columns of `long` an orthonormal basis of their span, by the Cholesky factors of their products. Any basis
 * is sufficient between passes, and this one takes a tenth of the time of the singular vectors. A column in the span of
 * the earlier ones becomes zero.
 */
function orthonormalise(products: Products): void {
  const { long, stride } = products;
  products.turn(long, inverseFactor(products.gram(long), stride), true);
}

/** The inverse of the upper triangular R with R'R = square; columns that depend on earlier ones are zero. */
function inverseFactor(square: Float64Array, size: number): Float64Array {
  let strongest = 0;
  for (let i = 0; i < size; i++) strongest = Math.max(strongest, square[i * size + i]!);
  const floor = strongest * noise * noise;
  const factor = new Float64Array(size * size);
  const inverse = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    let own = square[i * size + i]!;
    for (let k = 0; k < i; k++) own -= factor[k * size + i]! ** 2;
    if (!(own > floor)) continue;
    const diagonal = Math.sqrt(own);
    factor[i * size + i] = diagonal;
    for (let j = i + 1; j < size; j++) {
      let shared = square[i * size + j]!;
      for (let k = 0; k < i; k++) shared -= factor[k * size + i]! * factor[k * size + j]!;
      factor[i * size + j] = shared / diagonal;
    }
    inverse[i * size + i] = 1 / diagonal;
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum += inverse[j * size + k]! * factor[k * size + i]!;
      inverse[j * size + i] = -sum / diagonal;
    }
  }
  return inverse;
}

/**
 * Turns the columns of `wide` into an orthonormal basis of their span, strongest direction first, and returns the
 * strength of each (the singular values). Columns beyond the rank become zero.
 */
function turnToStrongest(products: Products): { rank: number; values: Float64Array } {
  const { wide, stride } = products;
  const { values: squares, vectors } = symmetricEigen(products.gram(wide), stride);
  const values = squares.map((square) => Math.sqrt(Math.max(0, square)));
  let rank = 0;
  while (rank < stride && values[rank]! > values[0]! * noise) rank++;
  const turn = new Float64Array(stride * stride);
  for (let i = 0; i < stride; i++) {
    for (let k = 0; k < rank; k++) turn[i * stride + k] = vectors[i * stride + k]! / values[k]!;
  }
  products.turn(wide, turn, false);
  return { rank, values };
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

/** Random +1 and -1 (as good a start as Gaussian numbers), by xorshift32, in the first `block` columns. */
function setRandomSigns(dense: Float32Array, stride: number, block: number, seed: number): void {
  let state = seed >>> 0 || 1;
  for (let row = 0; row < dense.length; row += stride) {
    for (let k = 0; k < block; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      dense[row + k] = state & 0x10000 ? 1 : -1;
    }
  }
}
