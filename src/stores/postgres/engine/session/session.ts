import type { Replicas } from "../../replicas/replicas.ts";
import type { DatabaseAddress } from "../address.ts";
import type { Driver, SqlResult, SqlStatement } from "../connection.ts";
import type { ProcessSignals } from "../signals.ts";
import { batches } from "./batches.ts";
import { Connections, type SessionOwner } from "./connections.ts";
import { type OwnerLimits, ownerLimits } from "./owner-limits.ts";
import { OwnerNumbers } from "./owner-numbers.ts";
import { inTransaction } from "./transaction.ts";

/**
 * Statements of one owner. The session passes the owner's number as $1, `values` are $2 and so on: the server refuses a
 * statement without $1, and row-level security hides other owners' rows. Arrays and Uint8Array are passed as such.
 * Concurrent statements are one round trip.
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
   * Everything in `work` happens or nothing does; a new owner gets a number. `work` uses only its own queries: waiting
   * for another connection while holding one would deadlock when all are in use. `idempotent` work is repeated when the
   * server was lost or two transactions conflicted.
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

/** Limit of owners whose queues of statements are kept: a server may have many. */
const mostRemembered = 10_000;

export function openSession(driver: Driver, address: DatabaseAddress, options: SessionOptions): PostgresSession {
  const { workspace, searchPath, replicas, signals, limits = ownerLimits(address) } = options;
  const connections = new Connections(driver, { address, searchPath, limits, replicas });
  const shared = queriesOver(batches((statements) => connections.sendAlone(undefined, statements)).ask);
  const owners = new OwnerNumbers(shared, workspace);
  const queriesOf = new Map<string, Queries>();

  // Plain properties: sessions are copied with one of them replaced.
  const session: PostgresSession = {
    shown: address.shown,
    server: options.server,
    workspace,
    of(name) {
      let queries = queriesOf.get(name);
      if (!queries) {
        if (queriesOf.size >= mostRemembered) queriesOf.clear();
        queriesOf.set(name, (queries = ownerQueries(name, owners, connections)));
      }
      return queries;
    },
    shared,
    async transaction(name, work, { idempotent = false } = {}) {
      const number = (await owners.find(name)) ?? (await owners.create(name));
      const options = { owner: { name, number }, mayRetry: idempotent, replicas };
      const result = await inTransaction(connections, options, (ask) => {
        const queries = queriesOver(({ sql, values }) => ask({ sql, values: [number, ...values] }));
        return work({ ...queries, owner: number });
      });
      signals?.announce(number);
      return result;
    },
    sharedTransaction: (work, { idempotent = false } = {}) =>
      inTransaction(connections, { mayRetry: idempotent }, (ask) => work(queriesOver(ask))),
    inWorkspace: (name) =>
      name === workspace ? session : openSession(driver, address, { ...options, limits, workspace: name }),
    signals,
    onWritten(forget) {
      signals?.listen((written) => {
        if (written === "any") return forget(undefined);
        // Of owners without a known number nothing was read.
        for (const { name, number } of owners.known()) if (written.includes(number)) forget(name);
      });
    },
    roundTrips: () => connections.roundTrips,
    async close() {
      await replicas?.close();
      await signals?.close();
      await driver.close();
    },
  };
  return session;
}

/** An owner without a number never wrote anything: the server is not asked. */
function ownerQueries(name: string, owners: OwnerNumbers, connections: Connections): Queries {
  let owner: SessionOwner | undefined;
  const { ask } = batches((statements) => connections.sendAlone(owner, statements));
  return queriesOver(async ({ sql, values }) => {
    const number = await owners.find(name);
    if (number === undefined) return { rows: [], affected: 0 };
    owner ??= { name, number };
    return ask({ sql, values: [number, ...values] });
  });
}

function queriesOver(ask: (statement: SqlStatement) => Promise<SqlResult>): Queries {
  const all = async <Row>(sql: string, values: readonly unknown[] = []) => (await ask({ sql, values })).rows as Row[];
  return {
    all,
    get: async <Row>(sql: string, values?: readonly unknown[]) => (await all<Row>(sql, values))[0],
    run: async (sql, values = []) => (await ask({ sql, values })).affected,
  };
}
