/** For longer texts, order is compared by pairs of neighbours, since the exact comparison would take quadratic time. */
const longText = 10_000;

/** The share of words that two texts have in common in the same order, 0 to 1. */
export function commonShare(a: Int32Array, b: Int32Array): number {
  if (Math.max(a.length, b.length) > longText) return pairShare(a, b);
  return (2 * commonInOrder(a, b)) / (a.length + b.length);
}

/**
 * Length of the longest common subsequence, 32 words of `a` at a time: a bit of `row` is 0 where the length grows.
 * (Hyyrö's bit-parallel form.)
 */
function commonInOrder(a: Int32Array, b: Int32Array): number {
  let start = 0;
  let aEnd = a.length;
  let bEnd = b.length;
  while (start < aEnd && start < bEnd && a[start] === b[start]) start++;
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  const atEnds = start + (a.length - aEnd);
  const size = aEnd - start;
  if (size === 0 || bEnd === start) return atEnds;
  const blocks = (size + 31) >>> 5;
  const places = new Map<number, Uint32Array>();
  for (let i = 0; i < size; i++) {
    let mask = places.get(a[start + i]!);
    if (mask === undefined) places.set(a[start + i]!, (mask = new Uint32Array(blocks)));
    mask[i >>> 5]! |= 1 << (i & 31);
  }
  const row = new Uint32Array(blocks).fill(0xffffffff);
  for (let j = start; j < bEnd; j++) {
    const mask = places.get(b[j]!);
    if (mask === undefined) continue;
    let carry = 0;
    for (let block = 0; block < blocks; block++) {
      const value = row[block]!;
      const matched = (value & mask[block]!) >>> 0;
      const sum = value + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      row[block] = sum | (value & ~mask[block]!);
    }
  }
  let grown = 0;
  for (let i = 0; i < size; i++) if (((row[i >>> 5]! >>> (i & 31)) & 1) === 0) grown++;
  return atEnds + grown;
}

function pairShare(a: Int32Array, b: Int32Array): number {
  if (a.length < 2 || b.length < 2) return 0;
  const counts = new Map<number, number>();
  const pair = (words: Int32Array, i: number) =>
    Math.imul(Math.imul(words[i]!, 0x9e3779b1) ^ words[i + 1]!, 0x85ebca6b);
  for (let i = 0; i + 1 < a.length; i++) counts.set(pair(a, i), (counts.get(pair(a, i)) ?? 0) + 1);
  let common = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const remaining = counts.get(pair(b, i)) ?? 0;
    if (remaining > 0) common++;
    counts.set(pair(b, i), remaining - 1);
  }
  return (2 * common) / (a.length + b.length - 2);
}
