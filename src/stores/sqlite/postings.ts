import { type Field, fields, forEachTerm } from "../../text/terms.ts";

/**
 * Postings: for every term the items that have it and how often, packed for reading a few terms out of many.
 *
 * A block holds consecutive terms: uint32 count; then for each term uint32 hash and uint32 end of its postings; then the postings,
 * each a varint (how much the item's number exceeds the one before) and a byte (the term's weighted frequency, at most 255).
 */

/** How much a term counts by where it stands. Phase one only brings candidates: the second phase has its own weights. */
const fieldWeights: Record<Field, number> = { name: 4, path: 3, signature: 1, doc: 2, comment: 1, string: 1, code: 1 };
const weights = fields.map((field) => fieldWeights[field]);

/** A block is closed at this size: large enough to be few, small enough to read for one term. */
const blockBytes = 8192;

export type Block = { first: number; data: Uint8Array };
/** Items of one term in ascending order, with their weighted frequencies. */
export type PostingList = { numbers: Uint32Array; frequencies: Uint8Array };

/** Lists in ascending order of terms, as a block or a new part yields them. */
export type Entry = { term: number; list: PostingList };

/** Gathers the postings of new items. Items must come in ascending order of their numbers. */
export class PostingCollector {
  readonly #byTerm = new Map<number, number[]>();

  add(item: number, terms: Uint8Array): void {
    let current = -1;
    let frequency = 0;
    forEachTerm(terms, (term, field, count) => {
      if (term !== current) {
        this.#push(current, item, frequency);
        current = term;
        frequency = 0;
      }
      frequency += weights[field]! * count;
    });
    this.#push(current, item, frequency);
  }

  #push(term: number, item: number, frequency: number): void {
    if (term < 0) return;
    const list = this.#byTerm.get(term);
    if (list) list.push(item, Math.min(255, frequency));
    else this.#byTerm.set(term, [item, Math.min(255, frequency)]);
  }

  *entries(): Iterable<Entry> {
    for (const term of Float64Array.from(this.#byTerm.keys()).sort()) {
      const pairs = this.#byTerm.get(term)!;
      const numbers = new Uint32Array(pairs.length / 2);
      const frequencies = new Uint8Array(pairs.length / 2);
      for (let i = 0; i < numbers.length; i++) {
        numbers[i] = pairs[2 * i]!;
        frequencies[i] = pairs[2 * i + 1]!;
      }
      yield { term, list: { numbers, frequencies } };
    }
  }
}

/** Packs lists, in ascending order of terms, into blocks. */
export function* packBlocks(entries: Iterable<Entry>): Iterable<Block> {
  let terms: number[] = [];
  let ends: number[] = [];
  let bytes = new Uint8Array(4 * blockBytes);
  let end = 0;
  const close = (): Block => {
    const data = new Uint8Array(4 + terms.length * 8 + end);
    const view = new DataView(data.buffer);
    view.setUint32(0, terms.length, true);
    terms.forEach((term, i) => {
      view.setUint32(4 + i * 8, term, true);
      view.setUint32(8 + i * 8, ends[i]!, true);
    });
    data.set(bytes.subarray(0, end), 4 + terms.length * 8);
    const block = { first: terms[0]!, data };
    terms = [];
    ends = [];
    end = 0;
    return block;
  };
  for (const { term, list } of entries) {
    if (list.numbers.length === 0) continue;
    // A number takes at most 5 bytes and a frequency one.
    const needed = end + list.numbers.length * 6;
    if (needed > bytes.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(bytes.subarray(0, end));
      bytes = larger;
    }
    end = packList(list, bytes, end);
    terms.push(term);
    ends.push(end);
    if (end + terms.length * 8 >= blockBytes) yield close();
  }
  if (terms.length > 0) yield close();
}

function packList({ numbers, frequencies }: PostingList, bytes: Uint8Array, start: number): number {
  let end = start;
  let last = 0;
  for (let i = 0; i < numbers.length; i++) {
    let more = numbers[i]! - last;
    last = numbers[i]!;
    while (more > 127) {
      bytes[end++] = (more & 127) | 128;
      more >>>= 7;
    }
    bytes[end++] = more;
    bytes[end++] = frequencies[i]!;
  }
  return end;
}

/** All lists of a block, in order. */
export function* unpackBlock(data: Uint8Array): Iterable<Entry> {
  const view = viewOf(data);
  const count = view.getUint32(0, true);
  for (let i = 0; i < count; i++) yield { term: view.getUint32(4 + i * 8, true), list: listAt(data, view, i) };
}

/** The list of one term, or undefined when the block does not have it. */
export function findInBlock(data: Uint8Array, term: number): PostingList | undefined {
  const view = viewOf(data);
  const count = view.getUint32(0, true);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (view.getUint32(4 + middle * 8, true) < term) low = middle + 1;
    else high = middle;
  }
  return low < count && view.getUint32(4 + low * 8, true) === term ? listAt(data, view, low) : undefined;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.length);
}

function listAt(data: Uint8Array, view: DataView, index: number): PostingList {
  const base = 4 + view.getUint32(0, true) * 8;
  const start = index === 0 ? 0 : view.getUint32(8 + (index - 1) * 8, true);
  const end = base + view.getUint32(8 + index * 8, true);
  // Every posting is at least two bytes.
  const numbers = new Uint32Array((end - base - start) >> 1);
  const frequencies = new Uint8Array(numbers.length);
  let count = 0;
  let number = 0;
  for (let at = base + start; at < end; ) {
    let shift = 0;
    let byte = data[at++]!;
    while (byte > 127) {
      number += (byte & 127) << shift;
      shift += 7;
      byte = data[at++]!;
    }
    number += byte << shift;
    numbers[count] = number;
    frequencies[count++] = data[at++]!;
  }
  return { numbers: numbers.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}

/** Joins lists whose item numbers follow each other, leaving out the items that are gone. */
export function joinLists(lists: PostingList[], isGone?: (number: number) => boolean): PostingList {
  if (lists.length === 1 && !isGone) return lists[0]!;
  const length = lists.reduce((sum, list) => sum + list.numbers.length, 0);
  const numbers = new Uint32Array(length);
  const frequencies = new Uint8Array(length);
  let count = 0;
  for (const list of lists) {
    for (let i = 0; i < list.numbers.length; i++) {
      if (isGone?.(list.numbers[i]!)) continue;
      numbers[count] = list.numbers[i]!;
      frequencies[count++] = list.frequencies[i]!;
    }
  }
  return { numbers: numbers.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}

/** Merges an older and a newer run of lists into one, leaving out the items that are gone. */
export function* mergeEntries(
  older: Iterable<Entry>,
  newer: Iterable<Entry>,
  isGone?: (number: number) => boolean,
): Iterable<Entry> {
  const left = older[Symbol.iterator]();
  const right = newer[Symbol.iterator]();
  let a = left.next();
  let b = right.next();
  while (!a.done || !b.done) {
    const term = Math.min(a.done ? Number.POSITIVE_INFINITY : a.value.term, b.done ? Number.POSITIVE_INFINITY : b.value.term);
    const lists: PostingList[] = [];
    if (!a.done && a.value.term === term) {
      lists.push(a.value.list);
      a = left.next();
    }
    if (!b.done && b.value.term === term) {
      lists.push(b.value.list);
      b = right.next();
    }
    yield { term, list: joinLists(lists, isGone) };
  }
}
