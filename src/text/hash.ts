import { createHash } from "node:crypto";

/** 64 bits of SHA-256 in base 36, 13 characters: short enough to print, long enough not to collide in a workspace. */
export function hashText(text: string | Uint8Array): string {
  const digest = createHash("sha256").update(text).digest();
  return digest.readBigUInt64BE(0).toString(36).padStart(13, "0");
}

/** A 32-bit hash (FNV-1a over UTF-16 units, then mixed) for term ids in packed term vectors. */
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}
