import { escapeText } from "../../rules/stored-text.ts";
import type { PostgresSession, TransactionQueries } from "../engine/session/session.ts";

/** An owner's name for the session: different names stay different, whatever their characters. */
export const recordOwner = (owner: string): string => escapeText(owner);

/** Counters of an owner, each the highest in use. */
export type Revisions = { records: number; library: number; usage: number };

/** Within a transaction: nobody else writes for this owner until it ends. */
export async function lockRevisions(queries: TransactionQueries): Promise<Revisions> {
  const lock = "SELECT records, library, usage FROM record_revisions WHERE owner = $1 FOR UPDATE";
  const existing = await queries.get<Revisions>(lock);
  if (existing) return existing;
  const [, created] = await Promise.all([
    queries.run("INSERT INTO record_revisions(owner) VALUES($1) ON CONFLICT DO NOTHING"),
    queries.get<Revisions>(lock),
  ]);
  return created!;
}

export function saveRevision(queries: TransactionQueries, counter: keyof Revisions, revision: number): Promise<number> {
  return queries.run(`UPDATE record_revisions SET ${counter} = $2 WHERE owner = $1`, [revision]);
}

export async function readRevision(session: PostgresSession, owner: string, counter: keyof Revisions): Promise<number> {
  const sql = `SELECT ${counter} AS revision FROM record_revisions WHERE owner = $1`;
  return (await session.of(recordOwner(owner)).get<{ revision: number }>(sql))?.revision ?? 0;
}

/** Bytes of an owner's rows as stored, without indexes. */
export async function recordBytes(session: PostgresSession, owner: string): Promise<number> {
  const sizes = ["records", "documents", "contents", "threads", "messages", "usage"].map(
    (table) => `(SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM ${table} AS t WHERE owner = $1)`,
  );
  const sql = `SELECT ${sizes.join(" + ")} AS bytes`;
  return (await session.of(recordOwner(owner)).get<{ bytes: number }>(sql))?.bytes ?? 0;
}

/** Transactions of owners over one session. */
export type OwnerWrites = {
  /** For writes that create something. */
  write<T>(owner: string, work: OwnerWork<T>, options?: { idempotent?: boolean }): Promise<T>;
  /**
   * For writes that change something: an owner who never wrote has nothing to change, gets `none` and stays unknown.
   */
  change<T>(owner: string, none: () => T, work: OwnerWork<T>): Promise<T>;
};
type OwnerWork<T> = (queries: TransactionQueries, revisions: Revisions) => Promise<T>;

export function ownerWrites(session: PostgresSession): OwnerWrites {
  /** Owners known to have written, which never ends. */
  const writers = new Set<string>();
  const isWriter = async (name: string) =>
    writers.has(name) ||
    (await session.of(name).get("SELECT 1 AS one FROM record_revisions WHERE owner = $1")) !== undefined;

  const write: OwnerWrites["write"] = async (owner, work, options) => {
    const name = recordOwner(owner);
    const result = await session.transaction(
      name,
      async (queries) => work(queries, await lockRevisions(queries)),
      options,
    );
    if (writers.size >= mostRemembered) writers.clear();
    writers.add(name);
    return result;
  };
  return {
    write,
    change: async (owner, none, work) => ((await isWriter(recordOwner(owner))) ? write(owner, work) : none()),
  };
}

const mostRemembered = 10_000;

/**
 * After a purge: frees the space of old row versions, which otherwise stay until autovacuum. PostgreSQL does not
 * overwrite what it frees: see "Deleting for good" in docs/scaling.md.
 */
export async function cleanUp(session: PostgresSession, owner: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const sql = `SELECT DISTINCT tableoid::regclass::text AS name FROM ${table} WHERE owner = $1`;
    const parts = await session.of(recordOwner(owner)).all<{ name: string }>(sql);
    for (const { name } of parts) await session.shared.run(`VACUUM ${name}`);
  }
}
