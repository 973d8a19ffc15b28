import { createHash } from "node:crypto";
import { DossierError } from "../errors.ts";
import { type KeyStore, type Scope, scopes } from "../stores/keys.ts";
import { defaultOwner } from "./call.ts";
import type { Operation } from "./operation.ts";

/** Who asks from afar, and what they may do. Without a key it is the person at this machine. */
export type Caller = { owner: string; scope: Scope; key?: string };

/** The person at this machine, who may do everything. */
export const localCaller: Caller = { owner: defaultOwner, scope: "admin" };

const minute = 60_000;

/** Whose secret this is. Asked of the store each time, so that a revoked key is refused from the next request on. */
export async function callerOf(keys: KeyStore, secret: string, now: number): Promise<Caller> {
  const key = await keys.find(secret);
  if (!key) throw new DossierError("no-key", "This key is not known here.");
  if (key.revoked !== undefined) throw new DossierError("no-key", "This key was revoked.");
  if (key.expires !== undefined && key.expires <= now) throw new DossierError("no-key", "This key has expired.");
  if ((key.used ?? 0) <= now - minute) await remembered(keys, key.id, now);
  return { owner: key.owner, scope: key.scope, key: key.id };
}

/** A request is not refused because its time could not be written down. */
async function remembered(keys: KeyStore, id: string, now: number): Promise<void> {
  try {
    await keys.touch(id, now);
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
  }
}

export function neededScope({ access }: Pick<Operation, "access">): Scope {
  return access ?? "read";
}

export function requireScope(caller: Caller, needed: Scope, what: string): void {
  if (scopes.indexOf(caller.scope) >= scopes.indexOf(needed)) return;
  throw new DossierError(
    "not-allowed",
    `${what} needs a key of the scope ${needed}; this one may only ${caller.scope}.`,
  );
}

/** Owners are named after people: logs tell them apart without naming them. */
export function ownerHash(owner: string): string {
  return createHash("sha256").update(owner).digest("hex").slice(0, 12);
}
