import { kept } from "../../rules/stored-text.ts";
import type { PostgresSession, TransactionQueries } from "../engine/session.ts";

/** The name by which the session knows an owner: two that differ stay two, whatever their characters are. */
export const recordOwner = (owner: string): string => kept(owner);

/** Counters of an owner, each the highest that was given. */
export type Revisions = { records: number; library: number; usage: number };

/** Within a transaction: nobody else writes for this owner until it ends. */
export async function lockRevisions(queries: TransactionQueries): Promise<Revisions> {
  const lock = "SELECT records, library, usage FROM record_revisions WHERE owner = $1 FOR UPDATE";
  const known = await queries.get<Revisions>(lock);
  if (known) return known;
  const [, made] = await Promise.all([
    queries.run("INSERT INTO record_revisions(owner) VALUES($1) ON CONFLICT DO NOTHING"),
    queries.get<Revisions>(lock),
  ]);
  return made!;
}

export function saveRevision(queries: TransactionQueries, counter: keyof Revisions, revision: number): Promise<number> {
  return queries.run(`UPDATE record_revisions SET ${counter} = $2 WHERE owner = $1`, [revision]);
}

export async function readRevision(session: PostgresSession, owner: string, counter: keyof Revisions): Promise<number> {
  const sql = `SELECT ${counter} AS revision FROM record_revisions WHERE owner = $1`;
  return (await session.of(recordOwner(owner)).get<{ revision: number }>(sql))?.revision ?? 0;
}

/** Bytes of an owner's rows as they are stored, before indexes. */
export async function recordBytes(session: PostgresSession, owner: string): Promise<number> {
  const sizes = ["records", "documents", "contents", "threads", "messages", "usage"].map(
    (table) => `(SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM ${table} AS t WHERE owner = $1)`,
  );
  const sql = `SELECT ${sizes.join(" + ")} AS bytes`;
  return (await session.of(recordOwner(owner)).get<{ bytes: number }>(sql))?.bytes ?? 0;
}

/** Transactions of owners over one session. */
export type OwnerWrites = {
  /** For what makes something new. */
  write<T>(owner: string, work: OwnerWork<T>, options?: { idempotent?: boolean }): Promise<T>;
  /** For what changes what is there: whoever never wrote has nothing that could change, gets `none` and stays unknown. */
  change<T>(owner: string, none: () => T, work: OwnerWork<T>): Promise<T>;
};
type OwnerWork<T> = (queries: TransactionQueries, revisions: Revisions) => Promise<T>;

export function ownerWrites(session: PostgresSession): OwnerWrites {
  /** Who was seen to have written: that never ends. */
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
 * After something was purged: gives back the room of the versions of its rows, which are otherwise kept until the server cleans up by itself.
 * PostgreSQL does not write over what it frees: see "Deleting for good" in docs/scaling.md.
 */
export async function cleanUp(session: PostgresSession, owner: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const sql = `SELECT DISTINCT tableoid::regclass::text AS name FROM ${table} WHERE owner = $1`;
    const parts = await session.of(recordOwner(owner)).all<{ name: string }>(sql);
    for (const { name } of parts) await session.shared.run(`VACUUM ${name}`);
  }
}
