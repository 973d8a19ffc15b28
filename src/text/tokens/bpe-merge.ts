import { type Ranks, rankOf } from "./bpe-ranks.ts";

/**
 * How many tokens byte pair encoding makes of bytes[0..length): again and again the adjacent pair of lowest rank is
 * joined, the leftmost of equals first. A heap of candidate pairs keeps it near-linear; a pair that has changed
 * since it was pushed is recognised by its rank and skipped.
 */
export function countMerged(ranks: Ranks, bytes: Uint8Array, length: number): number {
  if (length < 2) return length;
  if (length <= shortPiece) return countShort(ranks, bytes, length);
  // Part i begins at byte i; next[i] is where it ends. rank[i] is that of part i joined with the one after it.
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const rank = new Int32Array(length + 1).fill(-1);
  const heap = new PairHeap(length);
  for (let i = 0; i <= length; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  const consider = (at: number) => {
    const middle = next[at]!;
    rank[at] = middle < length ? rankOfPair(ranks, bytes, at, next[middle]!) : -1;
    if (rank[at]! >= 0) heap.push(rank[at]!, at);
  };
  for (let i = 0; i < length; i++) consider(i);

  let parts = length;
  while (heap.size > 0) {
    const key = heap.pop();
    const at = key % positions;
    if (rank[at] !== (key - at) / positions) continue;
    const end = next[at]!;
    next[at] = next[end]!;
    previous[next[at]!] = at;
    rank[end] = -1;
    parts--;
    consider(at);
    if (at > 0) consider(previous[at]!);
  }
  return parts;
}

/** In bytes. In so few parts the lowest pair is found faster than a heap is made. */
const shortPiece = 32;
const ends = new Uint8Array(shortPiece + 1);
const pairRanks = new Int32Array(shortPiece + 1);

/**
 * The same for a short piece: part i ends before byte ends[i], pairRanks[i] is the rank of part i joined with the next.
 */
function countShort(ranks: Ranks, bytes: Uint8Array, length: number): number {
  let parts = length;
  for (let i = 0; i < length; i++) {
    ends[i] = i + 1;
    pairRanks[i] = i + 2 <= length ? rankOfPair(ranks, bytes, i, i + 2) : -1;
  }
  for (;;) {
    let best = -1;
    for (let i = 0; i < parts - 1; i++) {
      const rank = pairRanks[i]!;
      if (rank >= 0 && (best < 0 || rank < pairRanks[best]!)) best = i;
    }
    if (best < 0) return parts;
    parts--;
    ends.copyWithin(best, best + 1, parts + 1);
    pairRanks.copyWithin(best + 1, best + 2, parts + 1);
    const start = best > 0 ? ends[best - 1]! : 0;
    pairRanks[best] = best < parts - 1 ? rankOfPair(ranks, bytes, start, ends[best + 1]!) : -1;
    if (best > 0) pairRanks[best - 1] = rankOfPair(ranks, bytes, best > 1 ? ends[best - 2]! : 0, ends[best]!);
  }
}

// The reference decodes candidate bytes with a decoder that drops a leading byte order mark (EF BB BF), so such bytes
// rank as what follows the mark. It matters only for text with U+FEFF inside; the counts stay identical.
function rankOfPair(ranks: Ranks, bytes: Uint8Array, start: number, end: number): number {
  const marked = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && end - start >= 3;
  if (!marked) return rankOf(ranks, bytes, start, end);
  return end - start === 3 ? -1 : rankOf(ranks, bytes, start + 3, end);
}

/** More than any text has bytes, and small enough that rank * positions + position is an exact double. */
const positions = 2 ** 32;

/** A binary min-heap of numbers, each a rank and a position. */
class PairHeap {
  size = 0;
  private keys: Float64Array;

  constructor(capacity: number) {
    this.keys = new Float64Array(capacity + 2);
  }

  push(rank: number, position: number): void {
    if (this.size === this.keys.length) {
      const larger = new Float64Array(this.keys.length * 2);
      larger.set(this.keys);
      this.keys = larger;
    }
    const { keys } = this;
    const key = rank * positions + position;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      at = parent;
    }
    keys[at] = key;
  }

  pop(): number {
    const { keys } = this;
    const top = keys[0]!;
    const last = keys[--this.size]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= last) break;
      keys[at] = keys[child]!;
      at = child;
    }
    keys[at] = last;
    return top;
  }
}
