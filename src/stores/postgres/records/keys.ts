import type { KeyStore } from "../../keys.ts";
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
import { escapeText } from "../../rules/stored-text.ts";
import type { PostgresSession, Queries } from "../engine/session/session.ts";

/** The API keys of a workspace's service over a session, which it closes. All processes see a change at once. */
export function postgresKeys(session: PostgresSession): KeyStore {
  const { shared, workspace } = session;
  const select = (rest: string, values: unknown[] = []) =>
    shared.all<KeyRow>(
      `SELECT id, name, owner, scope, hash, hint, created, expires, used, revoked FROM keys WHERE workspace = $1 ${rest}`,
      [workspace, ...values],
    );
  const newestFirst = "ORDER BY created DESC, number DESC";

  return {
    async create({ name, owner, scope, at, expires }) {
      const { secret, hash, hint } = newSecret();
      for (;;) {
        const id = randomId("key");
        const inserted = await shared.run(
          `INSERT INTO keys(workspace, owner, id, name, scope, hash, hint, created, expires)
           VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace, id) DO NOTHING`,
          [workspace, escapeText(owner), id, escapeText(name), scope, hash, hint, at, expires ?? null],
        );
        if (inserted > 0) return { secret, info: asKey((await select("AND id = $2", [id]))[0]!) };
      }
    },

    async find(secret) {
      const hash = secretHash(secret);
      return hash && matching((await select("AND hash = $2", [hash]))[0], hash);
    },

    async list(owner) {
      const rows =
        owner === undefined
          ? await select(newestFirst)
          : await select(`AND owner = $2 ${newestFirst}`, [escapeText(owner)]);
      return rows.map(asKey);
    },

    revoke: (idOrName, at) =>
      session.sharedTransaction(async (queries) => {
        const id = await revocable(queries, workspace, idOrName);
        if (id === undefined) return false;
        const sql = "UPDATE keys SET revoked = $3 WHERE workspace = $1 AND id = $2 AND revoked IS NULL";
        return (await queries.run(sql, [workspace, id, at])) > 0;
      }),

    async touch(id, at) {
      await shared.run(
        "UPDATE keys SET used = greatest(coalesce(used, $3), $3) WHERE workspace = $1 AND id = $2 AND (used IS NULL OR used <= $4)",
        [workspace, escapeText(id), at, at - usedAtMostEvery],
      );
    },

    close: () => session.close(),
  };
}

/** The id of the key to revoke, unless it is revoked already. Candidates are locked. */
async function revocable(queries: Queries, workspace: string, idOrName: string): Promise<string | undefined> {
  const rows = await queries.all<{ id: string; name: string; revoked: number | null }>(
    "SELECT id, name, revoked FROM keys WHERE workspace = $1 AND (id = $2 OR name = $2) ORDER BY number FOR UPDATE",
    [workspace, escapeText(idOrName)],
  );
  const byId = rows.find(({ id }) => id === escapeText(idOrName));
  if (byId) return byId.revoked === null ? byId.id : undefined;
  const active = rows.filter(({ revoked }) => revoked === null);
  refuseSeveral(active.length, idOrName);
  return active[0]?.id;
}
