import { readFileSync } from "node:fs";
import { DossierError } from "../../errors.ts";
import { builtFile } from "../../package.ts";

/**
 * The vocabulary of one encoding as typed arrays over one file, so that loading is a single read: a table of
 * character classes for splitting text and an open-addressing hash table from token bytes to rank for merging.
 * scripts/build-ranks.ts writes the files.
 */
export type Ranks = {
  /** `pages[(pageOf[codePoint >> 8] << 8) | (codePoint & 255)]` is the character's class. */
  pageOf: Uint8Array;
  pages: Uint8Array;
  /** A hash table with linear probing: a hash tag (14 bits) and rank + 1 (18 bits) per entry. 0 is empty. */
  slots: Uint32Array;
  /** The bytes of the token of rank r are pool[starts[r] .. starts[r + 1]]. */
  starts: Uint32Array;
  pool: Uint8Array;
  /** Length in bytes of the longest token. */
  longest: number;
};

export const rankBits = 18;
const rankMask = (1 << rankBits) - 1;
export const hashSeed = 0x811c9dc5;
export const hashPrime = 0x01000193;
/** Magic number, lengths of pageOf, pages, slots, starts, pool, and the longest token. */
export const headerWords = 7;
export const magic = 0x31524b44;

/** Last step of the FNV-1a hash: its low bits alone depend too little on the high ones. */
export function finishHash(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function loadRanks(encoding: string): Ranks {
  const file = builtFile(`ranks/${encoding}.bin`);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new DossierError("internal", `The token table ${file.pathname} cannot be read; run npm run build.`, {
      cause: error,
    });
  }
  return readRanks(bytes);
}

function readRanks(bytes: Uint8Array): Ranks {
  // A small file may come from a shared pool at an odd offset; word views need an aligned one.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, headerWords);
  const [magicFound, slots, starts, pool, pageOf, pages, longest] = header as unknown as number[];
  if (magicFound !== magic) throw new DossierError("internal", "The token table is damaged; run npm run build.");
  let at = aligned.byteOffset + headerWords * 4;
  const words = (length: number) => new Uint32Array(aligned.buffer, (at += length * 4) - length * 4, length);
  const octets = (length: number) => new Uint8Array(aligned.buffer, (at += length) - length, length);
  return {
    slots: words(slots!),
    starts: words(starts!),
    pool: octets(pool!),
    pageOf: octets(pageOf!),
    pages: octets(pages!),
    longest: longest!,
  };
}

/** The rank of the token made of exactly these bytes, or -1. */
export function rankOf(ranks: Ranks, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length > ranks.longest) return -1;
  let hash = hashSeed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, hashPrime);
  hash = finishHash(hash);
  const { slots, starts, pool } = ranks;
  const mask = slots.length - 1;
  const tag = hash >>> rankBits;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    if (entry >>> rankBits !== tag) continue;
    const rank = (entry & rankMask) - 1;
    const from = starts[rank]!;
    if (starts[rank + 1]! - from !== length) continue;
    let equal = 0;
    while (equal < length && pool[from + equal] === bytes[start + equal]) equal++;
    if (equal === length) return rank;
  }
}

export const notAscii = -1;

/** The hash of the characters of a text from `start` to `end`, or `notAscii`. */
export function asciiHash(units: Uint16Array, start: number, end: number): number {
  let hash = hashSeed;
  for (let i = start; i < end; i++) {
    const unit = units[i]!;
    if (unit > 127) return notAscii;
    hash = Math.imul(hash ^ unit, hashPrime);
  }
  return finishHash(hash);
}

/** Whether the characters of a text from `start` to `end`, all ASCII and with this hash, are one token. */
export function isToken(ranks: Ranks, hash: number, units: Uint16Array, start: number, end: number): boolean {
  const length = end - start;
  if (length > ranks.longest) return false;
  const { slots, starts, pool } = ranks;
  const mask = slots.length - 1;
  const tag = hash >>> rankBits;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return false;
    if (entry >>> rankBits !== tag) continue;
    const rank = (entry & rankMask) - 1;
    const from = starts[rank]!;
    if (starts[rank + 1]! - from !== length) continue;
    let equal = 0;
    while (equal < length && pool[from + equal] === units[start + equal]) equal++;
    if (equal === length) return true;
  }
}
