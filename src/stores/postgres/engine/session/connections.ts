import { logPosition, type Replicas } from "../../replicas/replicas.ts";
import type { DatabaseAddress } from "../address.ts";
import type { DatabaseConnection, Driver, SqlResult, SqlStatement } from "../connection.ts";
import { asDatabaseFailure, isConnectionLost, mayTryAgain } from "../failures.ts";
import type { OwnerLimits } from "./owner-limits.ts";

/** An owner by name, for the limit of its connections, and by number, for row-level security. */
export type SessionOwner = { name: string; number: number };

export type ConnectionOptions = {
  address: DatabaseAddress;
  searchPath: string;
  limits: OwnerLimits;
  replicas?: Replicas;
};

type Settled = PromiseSettledResult<SqlResult>[];

/** Pauses before retries of reads and idempotent work, milliseconds: long enough for a server that restarts. */
const pauses = [50, 250, 1000, 3000];

/**
 * A driver's connections, each set to the owner it serves; what is retried when one is lost, and what a replica may
 * answer.
 */
export class Connections {
  roundTrips = 0;
  readonly #driver: Driver;
  readonly #options: ConnectionOptions;

  constructor(driver: Driver, options: ConnectionOptions) {
    this.#driver = driver;
    this.#options = options;
  }

  /** One round trip: the statements, and before them the settings that the connection needs for this owner. */
  readonly send = async (
    connection: DatabaseConnection,
    owner: number | undefined,
    statements: readonly SqlStatement[],
  ): Promise<Settled> => {
    this.roundTrips++;
    const settings = settingsFor(connection, owner, this.#options);
    const settled = await connection.send([...settings, ...statements]);
    const refused = settled.slice(0, settings.length).find((each) => each.status === "rejected");
    if (refused) throw (refused as PromiseRejectedResult).reason;
    connection.ready = true;
    connection.owner = owner;
    return settled.slice(settings.length);
  };

  /** Runs `work` with a connection of its own; again with another one after a passing failure, if it may be retried. */
  async use<T>(
    owner: SessionOwner | undefined,
    mayRetry: boolean,
    work: (connection: DatabaseConnection) => Promise<T>,
  ): Promise<T> {
    const { limits, address } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const leave = owner && (await limits.enter(owner.name));
      let connection: DatabaseConnection | undefined;
      let lost = false;
      try {
        connection = await this.#driver.connect();
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
  }

  /** Statements outside of transactions. Reads may be retried and answered by a replica; writes may not. */
  async sendAlone(owner: SessionOwner | undefined, statements: SqlStatement[]): Promise<Settled> {
    const { replicas } = this.#options;
    const reads = statements.every(isRead);
    if (!replicas || !owner) return this.#sendToPrimary(owner, statements, reads);
    if (reads) {
      const askPrimary = (mayRetry: boolean) => this.#sendToPrimary(owner, statements, mayRetry);
      return replicas.read(owner.number, statements, this.send, askPrimary);
    }
    const settled = await this.#sendToPrimary(owner, [...statements, logPosition], false);
    replicas.wrote(owner.number, settled.pop()!);
    return settled;
  }

  #sendToPrimary(owner: SessionOwner | undefined, statements: SqlStatement[], mayRetry: boolean): Promise<Settled> {
    return this.use(owner, mayRetry, async (connection) => {
      const settled = await this.send(connection, owner?.number, statements);
      const lost = settled.find((each) => each.status === "rejected" && isConnectionLost(each.reason));
      if (lost) throw (lost as PromiseRejectedResult).reason;
      return settled.map((each) =>
        each.status === "rejected" ? { ...each, reason: asDatabaseFailure(each.reason, this.#options.address) } : each,
      );
    });
  }
}

export const setOwner = "SELECT set_config('dossier.owner', $1, false)";

/** Settings that a connection needs before its first statement, and when it serves another owner than before. */
function settingsFor(
  connection: DatabaseConnection,
  owner: number | undefined,
  { searchPath, address: { networkTimeout } }: ConnectionOptions,
): SqlStatement[] {
  const settings: SqlStatement[] = [];
  if (!connection.ready) {
    settings.push({
      // JIT and parallel workers: statements are many and short, so both cost more than they save. Join order as
      // written: before an owner's first rows have statistics, any order looks as good as another. Generic plans, one
      // per connection: planning costs more than most statements. With an owner's number the server takes an owner
      // without statistics for empty and joins each of its rows with each (ingest was three times slower).
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
