import { entryBytes } from "../../text/analysis/terms.ts";
import { kernelOf } from "./instantiate.ts";
import { entryWeight, type PostingsBlock } from "./postings.ts";
import { postingsPackerBytes } from "./postings-packer-kernel.ts";

type Kernel = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  weights: { value: number };
  free: { value: number };
  read(terms: number, ends: number, count: number, records: number): number;
  pack(records: number, recordsEnd: number, spare: number, numbers: number, out: number): number;
  merge(older: number, olderEnd: number, newer: number, newerEnd: number, lists: number, out: number): number;
};

const page = 65_536;
/** Postings that need more memory are packed in JavaScript, which reads and writes block by block. */
const mostMemory = 32 << 20;
/** A WebAssembly memory never shrinks, so a larger one is released after use. */
const keptMemory = 12 << 20;
/** The index of an item has 24 bits in a record. */
const mostItems = 1 << 24;

let opened: Kernel | undefined;

/**
 * Packs the postings of items into blocks. Items come in ascending order of their numbers, with their packed terms.
 * Undefined when there are too many.
 */
export function packPostings(numbers: readonly number[], terms: readonly Uint8Array[]): PostingsBlock[] | undefined {
  const size = terms.reduce((sum, { length }) => sum + length, 0);
  const recordBytes = (size / entryBytes) * 8;
  const count = terms.length;
  if (count >= mostItems) return undefined;
  // A posting takes at most six bytes and a term eight; each block has eight more.
  return withMemory(
    [size, count * 4, count * 4, recordBytes, recordBytes, recordBytes * 2 + page],
    (kernel, places) => {
      const [termsAt, endsAt, numbersAt, recordsAt, spareAt, outAt] = places as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const bytes = new Uint8Array(kernel.memory.buffer);
      const ends = new Uint32Array(kernel.memory.buffer, endsAt, count);
      let end = termsAt;
      terms.forEach((each, index) => {
        bytes.set(each, end);
        end += each.length;
        ends[index] = end;
      });
      new Uint32Array(kernel.memory.buffer, numbersAt, count).set(numbers);
      const recordsEnd = kernel.read(termsAt, endsAt, count, recordsAt);
      return blocksAt(kernel, outAt, kernel.pack(recordsAt, recordsEnd, spareAt, numbersAt, outAt));
    },
  );
}

/** Merges the blocks of two parts. The newer part's items follow the older one's. */
export function mergeBlocks(
  older: readonly PostingsBlock[],
  newer: readonly PostingsBlock[],
): PostingsBlock[] | undefined {
  const [olderSize, newerSize] = [sizeOf(older), sizeOf(newer)];
  const size = olderSize + newerSize;
  return withMemory([olderSize, newerSize, size, size + page], (kernel, places) => {
    const [olderAt, newerAt, listsAt, outAt] = places as [number, number, number, number];
    const [olderEnd, newerEnd] = [putBlocks(kernel, older, olderAt), putBlocks(kernel, newer, newerAt)];
    return blocksAt(kernel, outAt, kernel.merge(olderAt, olderEnd, newerAt, newerEnd, listsAt, outAt));
  });
}

/** Runs with memory regions of these sizes. */
function withMemory<Result>(
  sizes: readonly number[],
  run: (kernel: Kernel, places: number[]) => Result,
): Result | undefined {
  opened ??= openKernel();
  const kernel = opened;
  if (!kernel) return undefined;
  let end = kernel.free.value;
  const places = sizes.map((size) => {
    const place = end;
    // Aligned for 64-bit numbers.
    end = (end + size + 15) & ~7;
    return place;
  });
  if (end > mostMemory) return undefined;
  const missing = end - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / page));
  if (end > keptMemory) opened = undefined;
  return run(kernel, places);
}

function openKernel(): Kernel | undefined {
  const kernel = kernelOf<Kernel>(postingsPackerBytes);
  if (!kernel) return undefined;
  const weights = new Uint16Array(kernel.memory.buffer, kernel.weights.value, 256);
  for (let entry = 0; entry < weights.length; entry++) weights[entry] = entryWeight(entry);
  return kernel;
}

function sizeOf(blocks: readonly PostingsBlock[]): number {
  return blocks.reduce((sum, { data }) => sum + 4 + data.length, 0);
}

function putBlocks(kernel: Kernel, blocks: readonly PostingsBlock[], at: number): number {
  const bytes = Buffer.from(kernel.memory.buffer);
  let end = at;
  for (const { data } of blocks) {
    end = bytes.writeUInt32LE(data.length, end);
    bytes.set(data, end);
    end += data.length;
  }
  return end;
}

function blocksAt(kernel: Kernel, start: number, end: number): PostingsBlock[] {
  const bytes = Buffer.from(kernel.memory.buffer);
  const blocks: PostingsBlock[] = [];
  for (let at = start; at < end; ) {
    const size = bytes.readUInt32LE(at);
    const data = new Uint8Array(kernel.memory.buffer.slice(at + 4, at + 4 + size));
    blocks.push({ first: bytes.readUInt32LE(at + 8), data });
    at += 4 + size;
  }
  return blocks;
}
