import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { finishHash, hashPrime, hashSeed, headerWords, magic, rankBits } from "../src/text/tokens/bpe-ranks.ts";
import { classes } from "../src/text/tokens/bpe-split.ts";

/** Writes the token table of each encoding into a folder: see src/text/tokens/bpe-ranks.ts for what is in it. */
export async function buildRanks(outputFolder: string): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  const { pageOf, pages } = classPages();
  for (const encoding of rankEncodings) {
    const tokens = (await vocabularies[encoding]()).map((token) =>
      typeof token === "string" ? Buffer.from(token) : Uint8Array.from(token),
    );
    const file = join(outputFolder, rankFileName(encoding));
    // Written beside and renamed, so that two builds at once never show half a file.
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, pack(tokens, pageOf, pages));
    await rename(temporary, file);
  }
}

export const rankEncodings = ["o200k_base", "cl100k_base"] as const;

export function rankFileName(encoding: string): string {
  return `${encoding}.bin`;
}

const vocabularies = {
  o200k_base: async () => (await import("gpt-tokenizer/bpeRanks/o200k_base")).default,
  cl100k_base: async () => (await import("gpt-tokenizer/bpeRanks/cl100k_base")).default,
};

function pack(tokens: Uint8Array[], pageOf: Uint8Array, pages: Uint8Array): Uint8Array {
  if (tokens.length >= 2 ** rankBits) throw new Error(`${tokens.length} tokens do not fit ${rankBits} bits.`);
  const starts = new Uint32Array(tokens.length + 1);
  let longest = 0;
  for (const [rank, token] of tokens.entries()) {
    starts[rank + 1] = starts[rank]! + token.length;
    longest = Math.max(longest, token.length);
  }
  const pool = new Uint8Array(starts.at(-1)!);
  // At most half full: an absent pair, the common case, is refused after two probes.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(tokens.length * 2)));
  for (const [rank, token] of tokens.entries()) {
    pool.set(token, starts[rank]!);
    if (startsWithByteOrderMark(token)) continue;
    let hash = hashSeed;
    for (const byte of token) hash = Math.imul(hash ^ byte, hashPrime);
    hash = finishHash(hash);
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = ((hash >>> rankBits) << rankBits) | (rank + 1);
  }
  const header = new Uint32Array(headerWords);
  header.set([magic, slots.length, starts.length, pool.length, pageOf.length, pages.length, longest]);
  return Buffer.concat([bytesOf(header), bytesOf(slots), bytesOf(starts), pool, pageOf, pages]);
}

// The reference never finds the dozen tokens that begin with a byte order mark, so neither do we: counts stay
// identical. Texts with U+FEFF inside are rare and counted a token or two too high.
function startsWithByteOrderMark(token: Uint8Array): boolean {
  return token[0] === 0xef && token[1] === 0xbb && token[2] === 0xbf;
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** The class of every code point, in pages of 256 of which equal ones are kept once. */
function classPages(): { pageOf: Uint8Array; pages: Uint8Array } {
  const pageOf = new Uint8Array(0x110000 >> 8);
  const pages: Uint8Array[] = [];
  const numbers = new Map<string, number>();
  for (let page = 0; page < pageOf.length; page++) {
    const content = Uint8Array.from({ length: 256 }, (_, i) => classOf((page << 8) | i));
    const key = content.join();
    const earlier = numbers.get(key);
    pageOf[page] = earlier ?? pages.length;
    if (earlier !== undefined) continue;
    numbers.set(key, pages.length);
    if (pages.push(content) > 256) throw new Error("More than 256 different pages of characters.");
  }
  return { pageOf, pages: Buffer.concat(pages) };
}

function classOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (/[\r\n]/.test(character)) return classes.newline;
  if (/\s/.test(character)) return classes.space;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return classes.upper;
  if (/\p{Ll}/u.test(character)) return classes.lower;
  if (/\p{L}/u.test(character)) return classes.caseless;
  if (/\p{M}/u.test(character)) return classes.mark;
  return /\p{N}/u.test(character) ? classes.number : classes.other;
}
