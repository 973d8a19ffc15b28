import type { KeyStore, NewKey } from "../../keys.ts";
import { randomId } from "../../rules/ids.ts";
import {
  asKey,
  type KeyRow,
  matching,
  newSecret,
  refuseSeveral,
  secretHash,
  usedAtMostEvery,
} from "../../rules/key-rows.ts";
import { escapeText, unescapeText } from "../../rules/stored-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { emptyLog } from "../engine/open.ts";
import { findOwner, makeOwner } from "../library/owner-number.ts";
import { openRecordsDatabase } from "./records.ts";

/** Opens or creates the API keys at `path`: the same file as the records'. */
export async function openSqliteKeys(path: string): Promise<KeyStore> {
  return keysOver(await openRecordsDatabase(path));
}

function keysOver(database: Database): KeyStore {
  const select = (rest: string, values: SqlValue[] = []): KeyRow[] =>
    database.all<KeyRow>(
      `SELECT keys.id AS id, keys.name AS name, owners.name AS owner, scope, hash, hint, created, expires, used, revoked
       FROM keys JOIN owners ON owners.id = keys.owner ${rest}`,
      values,
    );

  return {
    async create(key) {
      const created = newSecret();
      const id = database.transaction("write", () => insert(database, key, created));
      return { secret: created.secret, info: asKey(select("WHERE keys.id = ?", [id])[0]!) };
    },

    async find(secret) {
      const hash = secretHash(secret);
      return hash && matching(select("WHERE hash = ?", [hash])[0], hash);
    },

    async list(owner) {
      if (owner === undefined) return select("ORDER BY created DESC, number DESC").map(asKey);
      const number = findOwner(database, owner);
      if (number === undefined) return [];
      return select("WHERE keys.owner = ? ORDER BY created DESC, number DESC", [number]).map(asKey);
    },

    revoke: async (idOrName, at) =>
      database.transaction("write", () => {
        const number = revocable(database, escapeText(idOrName));
        if (number === undefined) return false;
        database.run("UPDATE keys SET revoked = ? WHERE number = ?", [at, number]);
        return true;
      }),

    async touch(id, at) {
      // Checked before writing: most requests come within a minute of the last, and a write would wait for the disk.
      const staleUse = "SELECT number FROM keys WHERE id = ? AND (used IS NULL OR used <= ?)";
      const row = database.get<{ number: number }>(staleUse, [escapeText(id), at - usedAtMostEvery]);
      if (row) database.run("UPDATE keys SET used = max(coalesce(used, ?), ?) WHERE number = ?", [at, at, row.number]);
    },

    async close() {
      emptyLog(database);
      database.close();
    },
  };
}

function insert(
  database: Database,
  { name, owner, scope, at, expires }: NewKey,
  { hash, hint }: ReturnType<typeof newSecret>,
): string {
  let id = randomId("key");
  while (database.get("SELECT number FROM keys WHERE id = ?", [id])) id = randomId("key");
  database.run(
    "INSERT INTO keys(owner, id, name, scope, hash, hint, created, expires) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    [makeOwner(database, owner), id, escapeText(name), scope, hash, hint, at, expires ?? null],
  );
  return id;
}

/** The number of the key to revoke; undefined if it is revoked already. */
function revocable(database: Database, idOrName: string): number | undefined {
  const byId = database.get<{ number: number; revoked: number | null }>(
    "SELECT number, revoked FROM keys WHERE id = ?",
    [idOrName],
  );
  if (byId) return byId.revoked === null ? byId.number : undefined;
  const active = database.all<{ number: number }>("SELECT number FROM keys WHERE name = ? AND revoked IS NULL", [
    idOrName,
  ]);
  refuseSeveral(active.length, unescapeText(idOrName));
  return active[0]?.number;
}
