import { createHash } from "node:crypto";

/**
 * 64 bits of SHA-256 as a `bigint` of the server: a text to be found by, in eight bytes. A string, since JavaScript's
 * numbers have 53 bits.
 */
export function storedHash(text: string): string {
  return createHash("sha256").update(text).digest().readBigInt64BE(0).toString();
}

/** The same, computed by the server from a text expression. */
export const sqlHash = (text: string): string =>
  `('x' || encode(substring(sha256(convert_to(${text}, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint`;
