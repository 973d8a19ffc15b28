import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { DossierError } from "../../../errors.ts";
import type { KeyInfo, KeyScope, KeyStore, NewKey } from "../../keys.ts";
import { given, kept } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { emptyLog } from "../engine/open.ts";
import { randomId } from "../library/ids.ts";
import { findOwner, makeOwner } from "../library/owner-number.ts";
import { openRecordsDatabase } from "./records.ts";

const opening = "dsr_";
const secretBytes = 32;
/** 32 bytes in base64url. */
const shape = /^dsr_[\w-]{43}$/;
/** After the opening: enough to tell keys apart, and 232 bits stay unknown. */
const hintLength = opening.length + 4;
const usedAtMostEvery = 60_000;

/** Opens or makes the keys at `path`: the same file as the records'. */
export async function openSqliteKeys(path: string): Promise<KeyStore> {
  return keysOver(await openRecordsDatabase(path));
}

type Row = {
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

function keysOver(database: Database): KeyStore {
  const select = (rest: string, values: SqlValue[] = []): Row[] =>
    database.all<Row>(
      `SELECT keys.id AS id, keys.name AS name, owners.name AS owner, scope, hash, hint, created, expires, used, revoked
       FROM keys JOIN owners ON owners.id = keys.owner ${rest}`,
      values,
    );

  return {
    async create(key) {
      const secret = opening + randomBytes(secretBytes).toString("base64url");
      const id = database.transaction("write", () => insert(database, key, secret));
      return { secret, info: asKey(select("WHERE keys.id = ?", [id])[0]!) };
    },

    async find(secret) {
      if (!shape.test(secret)) return undefined;
      const hash = hashOf(secret);
      // The index stops at the first byte that differs, but of a hash, which nobody can steer; what it found is compared as a whole.
      const row = select("WHERE hash = ?", [hash])[0];
      return row && timingSafeEqual(row.hash, hash) ? asKey(row) : undefined;
    },

    async list(owner) {
      if (owner === undefined) return select("ORDER BY created DESC, number DESC").map(asKey);
      const number = findOwner(database, owner);
      if (number === undefined) return [];
      return select("WHERE keys.owner = ? ORDER BY created DESC, number DESC", [number]).map(asKey);
    },

    revoke: async (idOrName, at) =>
      database.transaction("write", () => {
        const number = revocable(database, kept(idOrName));
        if (number === undefined) return false;
        database.run("UPDATE keys SET revoked = ? WHERE number = ?", [at, number]);
        return true;
      }),

    async touch(id, at) {
      // Asked before it is written: most requests come within the minute, and a write would wait for the disk.
      const due = "SELECT number FROM keys WHERE id = ? AND (used IS NULL OR used <= ?)";
      const row = database.get<{ number: number }>(due, [kept(id), at - usedAtMostEvery]);
      if (row) database.run("UPDATE keys SET used = max(coalesce(used, ?), ?) WHERE number = ?", [at, at, row.number]);
    },

    async close() {
      emptyLog(database);
      database.close();
    },
  };
}

function insert(database: Database, { name, owner, scope, at, expires }: NewKey, secret: string): string {
  let id = randomId("key");
  while (database.get("SELECT number FROM keys WHERE id = ?", [id])) id = randomId("key");
  database.run(
    "INSERT INTO keys(owner, id, name, scope, hash, hint, created, expires) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    [
      makeOwner(database, owner),
      id,
      kept(name),
      scope,
      hashOf(secret),
      secret.slice(0, hintLength),
      at,
      expires ?? null,
    ],
  );
  return id;
}

/** The key that is meant, unless it is revoked already. */
function revocable(database: Database, idOrName: string): number | undefined {
  const byId = database.get<{ number: number; revoked: number | null }>(
    "SELECT number, revoked FROM keys WHERE id = ?",
    [idOrName],
  );
  if (byId) return byId.revoked === null ? byId.number : undefined;
  const named = database.all<{ number: number }>("SELECT number FROM keys WHERE name = ? AND revoked IS NULL", [
    idOrName,
  ]);
  if (named.length > 1) {
    throw new DossierError("conflict", `${named.length} keys are called "${given(idOrName)}": name one by its id.`);
  }
  return named[0]?.number;
}

/** The secret is 256 random bits: nobody guesses it, so a hash that is slow on purpose would only slow every request. */
function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function asKey(row: Row): KeyInfo {
  return {
    id: row.id,
    name: given(row.name),
    owner: given(row.owner),
    scope: row.scope,
    hint: row.hint,
    at: row.created,
    ...(row.expires !== null && { expires: row.expires }),
    ...(row.used !== null && { used: row.used }),
    ...(row.revoked !== null && { revoked: row.revoked }),
  };
}
