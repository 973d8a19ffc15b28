import { logPosition, type Replicas } from "../replicas/replicas.ts";
import type { DatabaseAddress } from "./address.ts";
import { batches } from "./batches.ts";
import type { DatabaseConnection, Driver, SqlResult, SqlStatement } from "./connection.ts";
import { asDatabaseFailure, isConnectionLost, isFollowUp, mayTryAgain } from "./failures.ts";
import { type OwnerLimits, ownerLimits } from "./owner-limits.ts";
import type { ProcessSignals } from "./signals.ts";

/**
 * Statements of one owner. The session passes the owner's number as $1, `values` are $2 and so on: the server refuses a statement
 * without $1, and row-level security hides other owners' rows. Arrays and Uint8Array are passed as such. Concurrent statements are one
 * round trip.
 */
export type Queries = {
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  get<Row>(sql: string, values?: readonly unknown[]): Promise<Row | undefined>;
  /** Number of rows written. */
  run(sql: string, values?: readonly unknown[]): Promise<number>;
};

export type TransactionQueries = Queries & {
  /** The owner's number. */
  readonly owner: number;
};

export type PostgresSession = {
  /** Its address, for messages. */
  readonly shown: string;
  /** Versions of the server and pgvector, for messages. */
  readonly server: string;
  /** The workspace of this session's owners. */
  readonly workspace: string;
  /** Reads of one owner. An owner who never wrote has no rows, and the server is not asked. */
  of(owner: string): Queries;
  /**
   * Everything in `work` happens or nothing does; a new owner gets a number. `work` uses only its own queries: waiting for another
   * connection while holding one would deadlock when all are in use. `idempotent` work is repeated when the server was lost or two
   * transactions conflicted.
   */
  transaction<T>(
    owner: string,
    work: (queries: TransactionQueries) => Promise<T>,
    options?: { idempotent?: boolean },
  ): Promise<T>;
  /** Statements without an owner: $1 is the first of `values`, and row-level security hides all owners' rows. */
  readonly shared: Queries;
  /** A transaction of such statements. */
  sharedTransaction<T>(work: (queries: Queries) => Promise<T>, options?: { idempotent?: boolean }): Promise<T>;
  /** The same connections for another workspace's owners. */
  inWorkspace(workspace: string): PostgresSession;
  /** Messages to and from other processes; absent where there is only one process. */
  readonly signals?: ProcessSignals;
  /** Called when another process changes an owner's rows, to invalidate caches; undefined: of all owners. */
  onWritten(forget: (owner: string | undefined) => void): void;
  /** Number of round trips so far, for tests. */
  roundTrips(): number;
  close(): Promise<void>;
};

export type SessionOptions = {
  workspace: string;
  searchPath: string;
  server: string;
  replicas?: Replicas;
  signals?: ProcessSignals;
  /** Shared by all sessions with the same connections. */
  limits?: OwnerLimits;
};

/** Pauses before retries of reads and idempotent work, milliseconds: long enough for a server that restarts. */
const pauses = [50, 250, 1000, 3000];

export function openSession(driver: Driver, address: DatabaseAddress, options: SessionOptions): PostgresSession {
  const numbers = new Map<string, number>();
  const { signals, limits = ownerLimits(address) } = options;
  let roundTrips = 0;

  const send = async (
    connection: DatabaseConnection,
    owner: number | undefined,
    statements: readonly SqlStatement[],
  ) => {
    roundTrips++;
    const settings = settingsFor(connection, owner, options.searchPath, address);
    const settled = await connection.send([...settings, ...statements]);
    const refused = settled.slice(0, settings.length).find((each) => each.status === "rejected");
    if (refused) throw (refused as PromiseRejectedResult).reason;
    connection.ready = true;
    connection.owner = owner;
    return settled.slice(settings.length);
  };

  const withConnection = async <T>(
    name: string | undefined,
    mayRetry: boolean,
    work: (connection: DatabaseConnection) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      const leave = name === undefined ? undefined : await limits.enter(name);
      let connection: DatabaseConnection | undefined;
      let lost = false;
      try {
        connection = await driver.connect();
        return await work(connection);
      } catch (error) {
        lost = isConnectionLost(error);
        if (!mayRetry || attempt === pauses.length || !mayTryAgain(error)) throw asDatabaseFailure(error, address);
      } finally {
        connection?.release(lost);
        leave?.();
      }
      await new Promise((resolve) => setTimeout(resolve, pauses[attempt]));
    }
  };

  /** Outside of transactions: reads are retried, a write is not. */
  const sendToPrimary = (
    name: string | undefined,
    owner: number | undefined,
    statements: SqlStatement[],
    mayRetry: boolean,
  ) =>
    withConnection(name, mayRetry, async (connection) => {
      const settled = await send(connection, owner, statements);
      const lost = settled.find((each) => each.status === "rejected" && isConnectionLost(each.reason));
      if (lost) throw (lost as PromiseRejectedResult).reason;
      return settled.map((each) =>
        each.status === "rejected" ? { ...each, reason: asDatabaseFailure(each.reason, address) } : each,
      );
    });

  const { replicas } = options;
  const sendAlone = async (name: string | undefined, owner: number | undefined, statements: SqlStatement[]) => {
    const reads = statements.every(isRead);
    if (!replicas || owner === undefined) return sendToPrimary(name, owner, statements, reads);
    if (reads)
      return replicas.read(owner, statements, send, (mayRetry) => sendToPrimary(name, owner, statements, mayRetry));
    const settled = await sendToPrimary(name, owner, [...statements, logPosition], false);
    replicas.wrote(owner, settled.pop()!);
    return settled;
  };

  const sharedBatches = batches((statements) => sendAlone(undefined, undefined, statements));
  const shared = queriesOver(sharedBatches.ask);

  const findNumber = async (name: string): Promise<number | undefined> => {
    const cached = numbers.get(name);
    if (cached !== undefined) return cached;
    const row = await shared.get<{ id: number }>("SELECT id FROM owners WHERE workspace = $1 AND name = $2", [
      options.workspace,
      name,
    ]);
    if (row) numbers.set(name, row.id);
    return row?.id;
  };
  const makeNumber = async (name: string): Promise<number> => {
    await shared.run("INSERT INTO owners(workspace, name) VALUES($1, $2) ON CONFLICT DO NOTHING", [
      options.workspace,
      name,
    ]);
    return (await findNumber(name))!;
  };

  const owned = new Map<string, Queries>();
  const of = (name: string): Queries => {
    let queries = owned.get(name);
    if (!queries) {
      const { ask } = batches((statements) => sendAlone(name, numbers.get(name), statements));
      queries = queriesOver(async ({ sql, values }) => {
        const number = await findNumber(name);
        return number === undefined ? { rows: [], affected: 0 } : ask({ sql, values: [number, ...values] });
      });
      if (owned.size >= mostRemembered) owned.clear();
      owned.set(name, queries);
    }
    return queries;
  };

  /** BEGIN is sent with the first statements, so that it costs no round trip of its own. */
  const inTransaction = <T>(
    name: string | undefined,
    owner: number | undefined,
    mayRetry: boolean,
    work: (ask: (statement: SqlStatement) => Promise<SqlResult>) => Promise<T>,
  ): Promise<T> =>
    withConnection(name, mayRetry, async (connection) => {
      let hasBegun = false;
      let hasEnded = false;
      let failure: PromiseRejectedResult | undefined;
      const { ask } = batches(async (statements) => {
        // A statement that nobody waited for: outside of the transaction it would be permanent.
        if (hasEnded) throw new Error("The transaction has ended.");
        const settled = await send(connection, owner, hasBegun ? statements : [begin, ...statements]);
        failure ??= settled.find((each) => each.status === "rejected");
        if (hasBegun) return settled;
        hasBegun = true;
        return settled.slice(1);
      });
      try {
        const result = await work(ask);
        hasEnded = true;
        if (hasBegun) await finish(send, connection, owner, "COMMIT", replicas);
        return result;
      } catch (error) {
        hasEnded = true;
        if (hasBegun && !isConnectionLost(error)) await finish(send, connection, owner, "ROLLBACK");
        // Of statements sent together, those after the failed one fail for no reason of their own.
        throw failure && isFollowUp(error) ? failure.reason : error;
      }
    });

  const session: PostgresSession = {
    shown: address.shown,
    server: options.server,
    workspace: options.workspace,
    of,
    shared,
    async transaction(name, work, { idempotent = false } = {}) {
      const owner = (await findNumber(name)) ?? (await makeNumber(name));
      const result = await inTransaction(name, owner, idempotent, (ask) => {
        const queries = queriesOver(({ sql, values }) => ask({ sql, values: [owner, ...values] }));
        return work({ ...queries, owner });
      });
      signals?.announce(owner);
      return result;
    },
    sharedTransaction: (work, { idempotent = false } = {}) =>
      inTransaction(undefined, undefined, idempotent, (ask) => work(queriesOver(ask))),
    inWorkspace: (workspace) =>
      workspace === options.workspace ? session : openSession(driver, address, { ...options, limits, workspace }),
    signals,
    onWritten(forget) {
      signals?.listen((owners) => {
        if (owners === "any") return forget(undefined);
        // Of owners without a known number nothing was read.
        for (const [name, number] of numbers) if (owners.includes(number)) forget(name);
      });
    },
    roundTrips: () => roundTrips,
    async close() {
      await replicas?.close();
      await signals?.close();
      await driver.close();
    },
  };
  return session;
}

const begin: SqlStatement = { sql: "BEGIN", values: [] };
/** Limit of owners whose queues are kept: a server may have many. */
const mostRemembered = 10_000;

async function finish(
  send: (connection: DatabaseConnection, owner: number | undefined, statements: SqlStatement[]) => Promise<unknown[]>,
  connection: DatabaseConnection,
  owner: number | undefined,
  sql: "COMMIT" | "ROLLBACK",
  replicas?: Replicas,
): Promise<void> {
  const statements = [{ sql, values: [] }, ...(replicas && owner !== undefined ? [logPosition] : [])];
  const [settled, position] = (await send(connection, owner, statements)) as PromiseSettledResult<SqlResult>[];
  if (settled!.status === "rejected") throw settled!.reason;
  if (position) replicas!.wrote(owner!, position);
}

export const setOwner = "SELECT set_config('dossier.owner', $1, false)";

/** Settings that a connection needs before its first statement, and when it serves another owner than before. */
function settingsFor(
  connection: DatabaseConnection,
  owner: number | undefined,
  searchPath: string,
  { networkTimeout }: DatabaseAddress,
): SqlStatement[] {
  const settings: SqlStatement[] = [];
  if (!connection.ready) {
    settings.push({
      // Statements are many and short: JIT compilation and parallel workers cost more than they save. Tables are joined in the written
      // order: before the server has statistics of an owner's first rows, any order looks as good as another. A generic plan is made once
      // per connection, for any owner: with the owner's number the server takes an owner without statistics for empty, and joins each of
      // its rows with each (ingest was three times slower); and planning again costs more than most statements.
      sql: `SELECT set_config('search_path', $1, false), set_config('hnsw.iterative_scan', 'strict_order', false),
        set_config('hnsw.ef_search', '100', false),
        set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
        set_config('join_collapse_limit', '1', false), set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('idle_in_transaction_session_timeout', $2, false)`,
      // A process that was cut off in a transaction must not hold its owner's locks for ever.
      values: [searchPath, String(2 * networkTimeout)],
    });
  }
  if (!connection.ready || connection.owner !== owner) {
    settings.push({ sql: setOwner, values: [String(owner ?? "")] });
  }
  return settings;
}

function isRead({ sql }: SqlStatement): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/.test(sql);
}

function queriesOver(ask: (statement: SqlStatement) => Promise<SqlResult>): Queries {
  const all = async <Row>(sql: string, values: readonly unknown[] = []) => (await ask({ sql, values })).rows as Row[];
  return {
    all,
    get: async <Row>(sql: string, values?: readonly unknown[]) => (await all<Row>(sql, values))[0],
    run: async (sql, values = []) => (await ask({ sql, values })).affected,
  };
}
