import { kernelOf } from "../stores/search/instantiate.ts";
import { productsBytes } from "./products-kernel.ts";

/** A sparse matrix by rows: row i holds `columns[j]`, `values[j]` for j from `starts[i]` up to `starts[i + 1]`. */
export type SparseMatrix = {
  rows: number;
  width: number;
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float32Array;
};

/**
 * A sparse matrix A with two dense matrices of `stride` columns: `wide` has a row for each column of A, `long` one for
 * each row of A.
 */
export type Products = {
  stride: number;
  wide: Float32Array;
  long: Float32Array;
  /** long = A * wide */
  multiply(): void;
  /** wide = A' * long */
  multiplyTransposed(): void;
  /** dense' * dense, in double precision because its square root is taken. */
  gram(dense: Float32Array): Float64Array;
  /** dense = dense * turn, with a square matrix `turn`; an upper triangular one takes half the time. */
  turn(dense: Float32Array, turn: Float64Array, isTriangular: boolean): void;
};

/**
 * Rows are read four numbers at a time and four rows together, so sizes are padded with zeros to a multiple of four.
 */
const unit = 4;

function roundedUp(count: number): number {
  return Math.ceil(count / unit) * unit;
}

/**
 * Uses WebAssembly if the machine has SIMD: a command trains once, and JavaScript takes five times as long until it is
 * optimised. `simd: false` computes the same in plain JavaScript, equal to the last digits.
 */
export function openProducts(matrix: SparseMatrix, block: number, options: { simd?: boolean } = {}): Products {
  const stride = roundedUp(block);
  const kernel = (options.simd ?? true) ? kernelOf<Kernel>(productsBytes) : undefined;
  return kernel ? inKernel(kernel, matrix, stride) : inJavaScript(matrix, stride);
}

type Kernel = {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  multiply(
    starts: number,
    columns: number,
    values: number,
    row: number,
    rowsEnd: number,
    from: number,
    to: number,
    bytes: number,
    transposed: number,
  ): void;
  gram(dense: number, denseEnd: number, bytes: number, product: number, doubles: number): void;
  turn(dense: number, denseEnd: number, bytes: number, turn: number, copy: number, triangular: number): void;
};

const page = 65_536;
/** Rows per call. The optimised code of a function is used from its next call on. */
const rowsPerCall = 256;

function inKernel(kernel: Kernel, matrix: SparseMatrix, stride: number): Products {
  const { rows, width, starts } = matrix;
  const count = starts[rows] ?? 0;
  const bytes = stride * 4;
  let end = 0;
  // Each region begins at a multiple of 16.
  const reserve = (size: number) => {
    const at = end;
    end += Math.ceil(size / 16) * 16;
    return at;
  };
  const longAt = reserve(roundedUp(rows) * bytes);
  const wideAt = reserve(roundedUp(width) * bytes);
  const productAt = reserve(stride * stride * 8);
  const turnAt = reserve(stride * bytes);
  const scratchAt = reserve(unit * stride * 8);
  const startsAt = reserve((rows + 1) * 4);
  const columnsAt = reserve(count * 4);
  const valuesAt = reserve(count * 4);
  kernel.memory.grow(Math.max(0, Math.ceil(end / page) - kernel.memory.buffer.byteLength / page));
  const { buffer } = kernel.memory;
  new Uint32Array(buffer, startsAt, rows + 1).set(starts.subarray(0, rows + 1));
  new Uint32Array(buffer, columnsAt, count).set(matrix.columns.subarray(0, count));
  new Float32Array(buffer, valuesAt, count).set(matrix.values.subarray(0, count));

  const wide = new Float32Array(buffer, wideAt, width * stride);
  const long = new Float32Array(buffer, longAt, rows * stride);
  const multiplyInto = (from: Float32Array, to: Float32Array, transposed: number) => {
    to.fill(0);
    for (let row = 0; row < rows; row += rowsPerCall) {
      const last = Math.min(rows, row + rowsPerCall);
      const [source, target] = [from.byteOffset, to.byteOffset];
      kernel.multiply(startsAt, columnsAt, valuesAt, row, last, source, target, bytes, transposed);
    }
  };
  const inCalls = (dense: Float32Array, call: (from: number, to: number) => void) => {
    const denseEnd = dense.byteOffset + roundedUp(dense.length / stride) * bytes;
    for (let from = dense.byteOffset; from < denseEnd; from += rowsPerCall * bytes) {
      call(from, Math.min(denseEnd, from + rowsPerCall * bytes));
    }
  };
  return {
    stride,
    wide,
    long,
    multiply: () => multiplyInto(wide, long, 0),
    multiplyTransposed: () => multiplyInto(long, wide, 1),
    gram(dense) {
      const product = new Float64Array(buffer, productAt, stride * stride).fill(0);
      inCalls(dense, (from, to) => kernel.gram(from, to, bytes, productAt, scratchAt));
      return mirrored(product.slice(), stride);
    },
    turn(dense, turn, isTriangular) {
      new Float32Array(buffer, turnAt, stride * stride).set(turn);
      inCalls(dense, (from, to) => kernel.turn(from, to, bytes, turnAt, scratchAt, isTriangular ? 1 : 0));
    },
  };
}

/** Copies the values above the diagonal below it. */
function mirrored(square: Float64Array, size: number): Float64Array {
  for (let i = 0; i < size; i++) for (let k = 0; k < i; k++) square[i * size + k] = square[k * size + i]!;
  return square;
}

function inJavaScript(matrix: SparseMatrix, stride: number): Products {
  const { rows, width, starts, columns, values } = matrix;
  const wide = new Float32Array(width * stride);
  const long = new Float32Array(rows * stride);
  return {
    stride,
    wide,
    long,
    multiply() {
      const sum = new Float64Array(stride);
      for (let row = 0; row < rows; row++) {
        sum.fill(0);
        for (let j = starts[row]!; j < starts[row + 1]!; j++) {
          const value = values[j]!;
          const from = columns[j]! * stride;
          for (let k = 0; k < stride; k++) sum[k]! += value * wide[from + k]!;
        }
        long.set(sum, row * stride);
      }
    },
    multiplyTransposed() {
      wide.fill(0);
      for (let row = 0; row < rows; row++) {
        for (let j = starts[row]!; j < starts[row + 1]!; j++) {
          const value = values[j]!;
          const to = columns[j]! * stride;
          for (let k = 0; k < stride; k++) wide[to + k]! += value * long[row * stride + k]!;
        }
      }
    },
    gram(dense) {
      const product = new Float64Array(stride * stride);
      for (let from = 0; from < dense.length; from += stride) {
        for (let i = 0; i < stride; i++) {
          const value = dense[from + i]!;
          for (let k = i; k < stride; k++) product[i * stride + k]! += value * dense[from + k]!;
        }
      }
      return mirrored(product, stride);
    },
    turn(dense, turn) {
      const sum = new Float64Array(stride);
      for (let from = 0; from < dense.length; from += stride) {
        sum.fill(0);
        for (let i = 0; i < stride; i++) {
          const value = dense[from + i]!;
          for (let k = 0; k < stride; k++) sum[k]! += value * turn[i * stride + k]!;
        }
        dense.set(sum, from);
      }
    },
  };
}
