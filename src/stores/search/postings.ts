import { entryBytes, fields, frequencySteps, hashAt, type TermField } from "../../text/analysis/terms.ts";

/**
 * Postings: for every term the items that have it and how often, packed so that a few terms out of many are read.
 *
 * Layout of a list: a run of postings, each a varint (difference to the item number before) and a byte (the term's
 * weighted frequency, at most 255). Layout of a block of consecutive terms: uint32 count, then for each term its uint32
 * hash and the uint32 end of its list, then the lists.
 */

/** Weight of a term by its field. The first phase only selects candidates: the second phase has its own weights. */
const fieldWeights: Record<TermField, number> = {
  name: 4,
  path: 3,
  signature: 1,
  doc: 2,
  comment: 1,
  string: 1,
  code: 1,
};
const weights = fields.map((field) => fieldWeights[field]);

/** The weight of an entry of a packed term vector, by its byte of field and frequency. */
export function entryWeight(entry: number): number {
  return (weights[entry >> 5] ?? 0) * frequencySteps[entry & 31]!;
}

/** A block is closed at this size: large enough to be few, small enough to read for one term. */
const blockBytes = 8192;

export type PostingsBlock = { first: number; data: Uint8Array };
/** The packed list of one term. */
export type PostingsEntry = { term: number; list: Uint8Array };
/** An unpacked list: items in ascending order, with their weighted frequencies. */
export type Postings = { numbers: Uint32Array; frequencies: Uint8Array };

/** Collects the postings of new items. Items must come in ascending order of their numbers. */
export class PostingCollector {
  // Plain numbers in few large arrays: an array per term would take most of the memory of indexing.
  #terms = new Uint32Array(1024);
  #items = new Uint32Array(1024);
  #frequencies = new Uint8Array(1024);
  #count = 0;

  add(item: number, terms: Uint8Array): void {
    let current = -1;
    let frequency = 0;
    // The loop of forEachTerm without a call for each term: a first index reads millions of them.
    for (let at = 0; at < terms.length; at += entryBytes) {
      const term = hashAt(terms, at);
      if (term !== current) {
        if (frequency > 0) this.#push(current, item, frequency);
        current = term;
        frequency = 0;
      }
      const entry = terms[at + 4]!;
      frequency += weights[entry >> 5]! * frequencySteps[entry & 31]!;
    }
    if (frequency > 0) this.#push(current, item, frequency);
  }

  addHashes(item: number, hashes: readonly number[]): void {
    for (const hash of hashes) this.#push(hash, item, 1);
  }

  #push(term: number, item: number, frequency: number): void {
    if (this.#count === this.#terms.length) this.#grow();
    this.#terms[this.#count] = term;
    this.#items[this.#count] = item;
    this.#frequencies[this.#count++] = Math.min(255, frequency);
  }

  #grow(): void {
    const size = this.#terms.length * 2;
    const [terms, items, frequencies] = [this.#terms, this.#items, this.#frequencies];
    (this.#terms = new Uint32Array(size)).set(terms);
    (this.#items = new Uint32Array(size)).set(items);
    (this.#frequencies = new Uint8Array(size)).set(frequencies);
  }

  /** In ascending order of terms. */
  *entries(): Iterable<PostingsEntry> {
    const order = this.#order();
    const bytes = new Bytes();
    for (let from = 0, to = 0; from < order.length; from = to) {
      const term = this.#terms[order[from]!]!;
      let last = 0;
      for (; to < order.length && this.#terms[order[to]!] === term; to++) {
        const item = this.#items[order[to]!]!;
        bytes.pushPosting(item - last, this.#frequencies[order[to]!]!);
        last = item;
      }
      yield { term, list: bytes.take() };
    }
  }

  /** Positions by term. Positions of one term stay in the order of insertion, which is the order of items. */
  #order(): Uint32Array {
    return ascendingOrder(this.#terms, this.#count);
  }
}

const digitBits = 11;
const digitValues = 1 << digitBits;

/**
 * The positions of the first `count` numbers, sorted by number: a stable radix sort, in a tenth of the time of sorting
 * by comparison.
 */
function ascendingOrder(numbers: Uint32Array, count: number): Uint32Array {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let next = new Uint32Array(count);
  for (let shift = 0; shift < 32; shift += digitBits) {
    const ends = new Uint32Array(digitValues + 1);
    for (let i = 0; i < count; i++) ends[((numbers[i]! >>> shift) & (digitValues - 1)) + 1]!++;
    for (let digit = 0; digit < digitValues; digit++) ends[digit + 1]! += ends[digit]!;
    for (let i = 0; i < count; i++) {
      const at = order[i]!;
      next[ends[(numbers[at]! >>> shift) & (digitValues - 1)]!++] = at;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Packed lists, written one after the other. */
class Bytes {
  #buffer = new Uint8Array(4096);
  #start = 0;
  #end = 0;

  pushPosting(distance: number, frequency: number): void {
    // A number takes five bytes at most.
    if (this.#end + 6 > this.#buffer.length) this.#makeRoom(6);
    let rest = distance;
    while (rest > 127) {
      this.#buffer[this.#end++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#end++] = rest;
    this.#buffer[this.#end++] = frequency;
  }

  push(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#buffer.length) this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** The bytes written since the last call. */
  take(): Uint8Array {
    const list = this.#buffer.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return list;
  }

  /** Lists that were taken stay in place; only the open one moves. */
  #makeRoom(bytes: number): void {
    const open = this.#buffer.subarray(this.#start, this.#end);
    const next = new Uint8Array(Math.max(blockBytes * 8, (open.length + bytes) * 2));
    next.set(open);
    this.#buffer = next;
    this.#start = 0;
    this.#end = open.length;
  }
}

/** Packs lists, in ascending order of terms, into blocks. */
export function* packBlocks(entries: Iterable<PostingsEntry>): Iterable<PostingsBlock> {
  let open: PostingsEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (entry.list.length === 0) continue;
    open.push(entry);
    bytes += entry.list.length + 8;
    if (bytes < blockBytes) continue;
    yield toBlock(open, bytes);
    open = [];
    bytes = 0;
  }
  if (open.length > 0) yield toBlock(open, bytes);
}

function toBlock(entries: PostingsEntry[], bytes: number): PostingsBlock {
  const data = new Uint8Array(4 + bytes);
  const view = new DataView(data.buffer);
  const base = 4 + entries.length * 8;
  view.setUint32(0, entries.length, true);
  let end = 0;
  entries.forEach(({ term, list }, i) => {
    data.set(list, base + end);
    end += list.length;
    view.setUint32(4 + i * 8, term, true);
    view.setUint32(8 + i * 8, end, true);
  });
  return { first: entries[0]!.term, data };
}

/** All lists of a block, in order. */
export function* unpackBlock(data: Uint8Array): Iterable<PostingsEntry> {
  const view = viewOf(data);
  const count = view.getUint32(0, true);
  for (let i = 0; i < count; i++) yield { term: view.getUint32(4 + i * 8, true), list: listAt(data, view, i) };
}

/** The packed list of one term, or undefined when the block does not have it. */
export function findInBlock(data: Uint8Array, term: number): Uint8Array | undefined {
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

function listAt(data: Uint8Array, view: DataView, index: number): Uint8Array {
  const base = 4 + view.getUint32(0, true) * 8;
  const start = index === 0 ? 0 : view.getUint32(index * 8, true);
  return data.subarray(base + start, base + view.getUint32(8 + index * 8, true));
}

/** Calls `visit` for every posting of a packed list. */
function forEachPosting(list: Uint8Array, visit: (number: number, frequency: number) => void): void {
  let number = 0;
  for (let at = 0; at < list.length; at++) {
    let shift = 0;
    let byte = list[at]!;
    while (byte > 127) {
      number += (byte & 127) << shift;
      shift += 7;
      byte = list[++at]!;
    }
    number += byte << shift;
    visit(number, list[++at]!);
  }
}

/** Unpacks lists whose item numbers follow each other into one, without removed items. */
export function unpackLists(lists: Uint8Array[], isGone?: (number: number) => boolean): Postings {
  // Every posting is at least two bytes.
  const most = lists.reduce((sum, list) => sum + (list.length >> 1), 0);
  const numbers = new Uint32Array(most);
  const frequencies = new Uint8Array(most);
  let count = 0;
  for (const list of lists) {
    // The loop of forEachPosting without a call for each posting: a new process runs this before it is compiled.
    let number = 0;
    for (let at = 0; at < list.length; at++) {
      let byte = list[at]!;
      for (let shift = 0; ; shift += 7) {
        number += (byte & 127) << shift;
        if (byte < 128) break;
        byte = list[++at]!;
      }
      at++;
      if (isGone?.(number)) continue;
      numbers[count] = number;
      frequencies[count++] = list[at]!;
    }
  }
  return { numbers: numbers.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}

/** Merges an older and a newer run of lists into one, without removed items of the older. */
export function* mergeEntries(
  older: Iterable<PostingsEntry>,
  newer: Iterable<PostingsEntry>,
  isGone?: (number: number) => boolean,
): Iterable<PostingsEntry> {
  const left = older[Symbol.iterator]();
  const right = newer[Symbol.iterator]();
  const bytes = new Bytes();
  let a = left.next();
  let b = right.next();
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.term < b.value.term)) {
      // Lists that no other part touches are copied packed, which is most of a merge.
      yield isGone ? { term: a.value!.term, list: joinLists(a.value!.list, noList, bytes, isGone) } : a.value!;
      a = left.next();
    } else if (a.done || b.value.term < a.value.term) {
      yield b.value;
      b = right.next();
    } else {
      yield { term: a.value.term, list: joinLists(a.value.list, b.value.list, bytes, isGone) };
      a = left.next();
      b = right.next();
    }
  }
}

const noList = new Uint8Array();

/** The last item of a packed list. It makes no call for each posting: a merge reads every list this way. */
function lastNumber(list: Uint8Array): number {
  let number = 0;
  for (let at = 0; at < list.length; at += 2) {
    let shift = 0;
    while (list[at]! > 127) {
      number += (list[at++]! & 127) << shift;
      shift += 7;
    }
    number += list[at]! << shift;
  }
  return number;
}

/** One packed list from two: the newer one's first number is rewritten to follow the older one's last. */
function joinLists(
  older: Uint8Array,
  newer: Uint8Array,
  bytes: Bytes,
  isGone: ((number: number) => boolean) | undefined,
): Uint8Array {
  let last = 0;
  if (isGone) {
    forEachPosting(older, (number, frequency) => {
      if (isGone(number)) return;
      bytes.pushPosting(number - last, frequency);
      last = number;
    });
  } else {
    last = lastNumber(older);
    bytes.push(older);
  }
  if (newer.length > 0) {
    let end = 0;
    while (newer[end]! > 127) end++;
    forEachPosting(newer.subarray(0, end + 2), (number, frequency) => bytes.pushPosting(number - last, frequency));
    bytes.push(newer.subarray(end + 2));
  }
  return bytes.take();
}
