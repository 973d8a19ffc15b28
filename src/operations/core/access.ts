import { createHmac, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DossierError } from "../../errors.ts";
import { type KeyScope, type KeyStore, scopes } from "../../stores/keys.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defaultOwner } from "./call.ts";
import type { Operation } from "./operation.ts";

/** A remote caller, and what it may do. Without a key it is the person at this machine. */
export type Caller = { owner: string; scope: KeyScope; key?: string };

/** The person at this machine, who may do everything. */
export const localCaller: Caller = { owner: defaultOwner, scope: "admin" };

const minute = 60_000;

/** The caller of a secret. Read from the store each time, so that a revoked key is refused from the next request on. */
export async function callerOf(keys: KeyStore, secret: string, now: number): Promise<Caller> {
  const key = await keys.find(secret);
  if (!key) throw new DossierError("no-key", "This key is not known here.");
  if (key.revoked !== undefined) throw new DossierError("no-key", "This key was revoked.");
  if (key.expires !== undefined && key.expires <= now) throw new DossierError("no-key", "This key has expired.");
  if ((key.used ?? 0) <= now - minute) await noteUse(keys, key.id, now);
  return { owner: key.owner, scope: key.scope, key: key.id };
}

/** Failing to store the time of use does not refuse the request. */
async function noteUse(keys: KeyStore, id: string, now: number): Promise<void> {
  try {
    await keys.touch(id, now);
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
  }
}

type Accessed = Pick<Operation, "access">;

/** The scope that an operation needs, for an input that was checked already. */
export function neededScope({ access = "read" }: Accessed, { step }: Record<string, unknown>): KeyScope {
  if (typeof access === "string") return access;
  // A step without a stated scope needs `admin`.
  return access[String(step)] ?? "admin";
}

/** The least and the most that an operation asks, whatever the input. */
export function scopeRange({ access = "read" }: Accessed): { least: KeyScope; most: KeyScope } {
  if (typeof access === "string") return { least: access, most: access };
  const needed = scopes.filter((scope) => Object.values(access).includes(scope));
  return { least: needed[0] ?? "admin", most: needed.at(-1) ?? "admin" };
}

/** The same for people: `write`, or `read to show; write to create or rename`. */
export function scopeSentence({ access = "read" }: Accessed): string {
  if (typeof access === "string") return access;
  const steps = (scope: KeyScope) => Object.keys(access).filter((step) => access[step] === scope);
  return scopes
    .filter((scope) => steps(scope).length > 0)
    .map((scope) => `${scope} to ${listed(steps(scope))}`)
    .join("; ");
}

function listed(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Callers without admin rights see no paths of this machine. */
export function isDiscreet({ scope }: Caller): boolean {
  return scope !== "admin";
}

export function requireScope(caller: Caller, needed: KeyScope, name: string): void {
  if (scopes.indexOf(caller.scope) >= scopes.indexOf(needed)) return;
  throw new DossierError(
    "not-allowed",
    `${name} needs a key of the scope ${needed}; this one may only ${caller.scope}.`,
  );
}

const logKey = "log-key";

/**
 * Owners are named after people, so logs hold a keyed hash of the name. The key stays beside the database, because a
 * plain hash of a name can be found by trying names.
 */
export function ownerHashes({ databasePath }: Pick<Workspace, "databasePath">): (owner: string) => string {
  const key = keyAt(join(dirname(databasePath), logKey));
  return (owner) => createHmac("sha256", key).update(owner).digest("hex").slice(0, 12);
}

function keyAt(path: string): Buffer {
  try {
    writeFileSync(path, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    // Made by an earlier server.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path);
}
