import { kernelOf } from "./instantiate.ts";
import { kernelBytes } from "./kernel.ts";

/** Vectors of one length, packed one after the other in WebAssembly memory where the machine has SIMD. */
export type Matrix = {
  /** The item of each row. */
  numbers: Uint32Array;
  /** The dot product of every row with this vector; valid until the next call. */
  scores(vector: Int8Array): Int32Array;
  /** The dot products of these items' rows only; items without one are absent. */
  scoresOf(vector: Int8Array, items: readonly number[]): { numbers: Uint32Array; scores: Int32Array };
  /** Rows `from` to `to`, exclusive, as a part of another matrix. */
  part(from: number, to: number): MatrixPart;
};

/** The kernel reads 16 components at a time: rows are padded with zeros. */
const block = 16;
const page = 65536;

type Kernel = {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  dots(query: number, rows: number, scores: number, count: number, stride: number): void;
};

export type MatrixPart = { numbers: Uint32Array; data: Int8Array };

/** Packs parts whose vectors all have `dimensions` components. `simd: false` computes the same in plain JavaScript. */
export function packMatrix(parts: MatrixPart[], dimensions: number, options: { simd?: boolean } = {}): Matrix {
  const count = parts.reduce((sum, part) => sum + part.numbers.length, 0);
  const stride = Math.ceil(dimensions / block) * block;
  const numbers = new Uint32Array(count);
  const kernel = (options.simd ?? true) ? kernelOf<Kernel>(kernelBytes) : undefined;

  // Layout: the query as int16, the rows, the scores. All three begin at a multiple of 16.
  const rowsAt = stride * 2;
  const scoresAt = rowsAt + count * stride;
  const bytes = scoresAt + count * 4;
  if (kernel) kernel.memory.grow(Math.max(0, Math.ceil(bytes / page) - kernel.memory.buffer.byteLength / page));
  const buffer = kernel ? kernel.memory.buffer : new ArrayBuffer(bytes);

  const rows = new Int8Array(buffer, rowsAt, count * stride);
  const query = new Int16Array(buffer, 0, stride);
  const scores = new Int32Array(buffer, scoresAt, count);
  let row = 0;
  for (const part of parts) {
    numbers.set(part.numbers, row);
    if (stride === dimensions) rows.set(part.data, row * stride);
    else {
      for (let i = 0; i < part.numbers.length; i++) {
        rows.set(part.data.subarray(i * dimensions, (i + 1) * dimensions), (row + i) * stride);
      }
    }
    row += part.numbers.length;
  }
  const setQuery = (vector: Int8Array) => {
    query.fill(0);
    query.set(vector);
  };
  // Computes a range of rows.
  const compute = (from: number, rowCount: number) => {
    if (kernel) kernel.dots(0, rowsAt + from * stride, scoresAt + from * 4, rowCount, stride);
    else dots(query, rows, scores, stride, from, rowCount);
  };
  let rowOf: ReturnType<typeof rowsByNumber> | undefined;
  return {
    numbers,
    part(from, to) {
      const data = rows.subarray(from * stride, to * stride);
      return {
        numbers: numbers.subarray(from, to),
        data: stride === dimensions ? data : unpadded(data, stride, dimensions),
      };
    },
    scores(vector) {
      setQuery(vector);
      compute(0, count);
      return scores;
    },
    scoresOf(vector, items) {
      setQuery(vector);
      rowOf ??= rowsByNumber(numbers);
      const rowsOfItems = [...new Set(items)].map(rowOf).filter((at) => at !== -1);
      for (const at of rowsOfItems) compute(at, 1);
      return {
        numbers: Uint32Array.from(rowsOfItems, (at) => numbers[at]!),
        scores: Int32Array.from(rowsOfItems, (at) => scores[at]!),
      };
    },
  };
}

function unpadded(rows: Int8Array, stride: number, dimensions: number): Int8Array {
  const count = rows.length / stride;
  const data = new Int8Array(count * dimensions);
  for (let i = 0; i < count; i++) data.set(rows.subarray(i * stride, i * stride + dimensions), i * dimensions);
  return data;
}

/** Numbers per page. */
const pageSize = 256;

/**
 * The row of a number, or -1. Looked up in pages of neighbouring numbers: where nearly all numbers of a page have a
 * row, a map takes twenty times the memory.
 */
function rowsByNumber(numbers: Uint32Array): (number: number) => number {
  const pages = new Map<number, Int32Array>();
  for (let row = 0; row < numbers.length; row++) {
    const at = Math.floor(numbers[row]! / pageSize);
    let page = pages.get(at);
    if (!page) pages.set(at, (page = new Int32Array(pageSize).fill(-1)));
    page[numbers[row]! % pageSize] = row;
  }
  return (number) => pages.get(Math.floor(number / pageSize))?.[number % pageSize] ?? -1;
}

function dots(
  query: Int16Array,
  rows: Int8Array,
  scores: Int32Array,
  stride: number,
  from: number,
  many: number,
): void {
  for (let row = from; row < from + many; row++) {
    const start = row * stride;
    let sum = 0;
    for (let i = 0; i < stride; i++) sum += query[i]! * rows[start + i]!;
    scores[row] = sum;
  }
}

/** Positions of the `count` largest scores above `floor` among those that pass, best first; ties by position. */
export function largest(
  scores: Int32Array | Float64Array,
  count: number,
  { passes, floor = Number.NEGATIVE_INFINITY }: { passes?: (position: number) => boolean; floor?: number } = {},
): number[] {
  // A heap with the worst of the best at its top: most scores fail the first comparison.
  const heap: number[] = [];
  let least = floor;
  for (let position = 0; position < scores.length; position++) {
    if (scores[position]! <= least || (passes && !passes(position))) continue;
    if (heap.length < count) rise(heap, heap.push(position) - 1, scores);
    else sink(heap, position, scores);
    if (heap.length === count) least = scores[heap[0]!]!;
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b);
}

/** Positions come in ascending order, so of two equal scores the later position is worse. */
function isWorse(a: number, b: number, scores: Int32Array | Float64Array): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b);
}

function rise(heap: number[], start: number, scores: Int32Array | Float64Array): void {
  const moving = heap[start]!;
  let at = start;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(moving, heap[parent]!, scores)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = moving;
}

/** Replaces the top. */
function sink(heap: number[], moving: number, scores: Int32Array | Float64Array): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!, scores)) child++;
    if (!isWorse(heap[child]!, moving, scores)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moving;
}
