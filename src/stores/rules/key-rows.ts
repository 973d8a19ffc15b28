import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { DossierError } from "../../errors.ts";
import type { KeyInfo, KeyScope } from "../keys.ts";
import { unescapeText } from "./stored-text.ts";

const opening = "dsr_";
const secretBytes = 32;
/** 32 bytes in base64url. */
const shape = /^dsr_[\w-]{43}$/;
/** Hint after the prefix: enough to tell keys apart, and 232 bits stay unknown. */
const hintLength = opening.length + 4;
export const usedAtMostEvery = 60_000;

/** A key as engines store it: only the hash of its secret. */
export type KeyRow = {
  id: string;
  name: string;
  owner: string;
  scope: KeyScope;
  hash: Uint8Array;
  hint: string;
  created: number;
  expires: number | null;
  used: number | null;
  revoked: number | null;
};

export function newSecret(): { secret: string; hash: Buffer; hint: string } {
  const secret = opening + randomBytes(secretBytes).toString("base64url");
  return { secret, hash: hashSecret(secret), hint: secret.slice(0, hintLength) };
}

/**
 * Undefined for a text that cannot be a secret. A secret is 256 random bits, which nobody guesses, so a slow hash would
 * only slow every request.
 */
export function secretHash(secret: string): Buffer | undefined {
  return shape.test(secret) ? hashSecret(secret) : undefined;
}

/**
 * The index stops at the first different byte, but of a hash, which nobody can steer; the result is compared in
 * constant time.
 */
export function matching(row: KeyRow | undefined, hash: Buffer): KeyInfo | undefined {
  return row && timingSafeEqual(row.hash, hash) ? asKey(row) : undefined;
}

/** Throws `conflict` when several active keys have the name. */
export function refuseSeveral(count: number, name: string): void {
  if (count > 1) throw new DossierError("conflict", `${count} keys are called "${name}": name one by its id.`);
}

function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

export function asKey(row: KeyRow): KeyInfo {
  return {
    id: row.id,
    name: unescapeText(row.name),
    owner: unescapeText(row.owner),
    scope: row.scope,
    hint: row.hint,
    at: row.created,
    ...(row.expires !== null && { expires: row.expires }),
    ...(row.used !== null && { used: row.used }),
    ...(row.revoked !== null && { revoked: row.revoked }),
  };
}
