import { DossierError } from "../../../errors.ts";
import { type DatabaseAddress, readDatabaseUrl } from "../engine/address.ts";
import type { DatabaseConnection, Driver, SqlResult, SqlStatement } from "../engine/connection.ts";
import { openServer } from "../engine/driver.ts";
import { asDatabaseFailure, isConnectionLost } from "../engine/failures.ts";

type Answers = PromiseSettledResult<SqlResult>[];
type Send = (connection: DatabaseConnection, owner: number, statements: readonly SqlStatement[]) => Promise<Answers>;

/**
 * Streaming replicas for reads of owners. Writes, transactions, and statements without an owner stay with the primary.
 */
export type Replicas = {
  /**
   * Answers of a replica that has everything this process wrote for the owner. Without one, the primary's. If the
   * primary is lost, those of any replica that has it. `askPrimary`: its argument allows retries.
   */
  read(
    owner: number,
    statements: readonly SqlStatement[],
    send: Send,
    askPrimary: (mayRetry: boolean) => Promise<Answers>,
  ): Promise<Answers>;
  /** After a write for this owner: the result of `logPosition`. */
  wrote(owner: number, position: PromiseSettledResult<SqlResult>): void;
  close(): Promise<void>;
};

/** The position of the log; sent after a write, it is at or behind its end. */
export const logPosition: SqlStatement = {
  sql: "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position",
  values: [],
};

/** A replica's position, and its lag in seconds: null when it is not connected to its primary. */
const replayPosition: SqlStatement = {
  sql: `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0')::float8 AS position,
    CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN 0
      WHEN EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())
    END::float8 AS lag`,
  values: [],
};
type ReplayPosition = { cluster: string; position: number; lag: number | null };

/** Milliseconds that a position stays valid, and that a failed replica is not used. */
const [trusted, rest] = [1000, 5000];
/** A replica that was behind is asked again after this many milliseconds. */
const soon = 20;
/** Limit of a replica's lag in seconds: for so long another process's writes may go unseen. */
const mostLag = 10;
/** Milliseconds: reads are short, and the primary answers when a replica hangs. */
const patience = { connectTimeout: 2000, networkTimeout: 10_000 };
/** Limit of owners whose last write is recorded; for others the newest discarded position counts. */
const mostRemembered = 10_000;

export async function openReplicas(
  urls: readonly string[],
  primary: DatabaseAddress,
  driver: Driver,
  warn: (sentence: string) => void = (sentence) => process.emitWarning(sentence, "DossierWarning"),
): Promise<Replicas | undefined> {
  if (urls.length === 0) return undefined;
  const cluster = await clusterOf(driver);
  const replicas = await Promise.all(
    urls.map(async (url) => {
      const { connectTimeout, networkTimeout, ...address } = readDatabaseUrl(url);
      const replicaAddress = {
        ...address,
        schema: primary.schema,
        connectTimeout: Math.min(connectTimeout, patience.connectTimeout),
        networkTimeout: Math.min(networkTimeout, patience.networkTimeout),
      };
      return new Replica(cluster, replicaAddress, await openServer(replicaAddress, () => undefined), warn);
    }),
  );
  const positions = new Map<number, number>();
  let positionOfOthers = 0;
  return {
    async read(owner, statements, send, askPrimary) {
      if (!statements.every(isPlainRead)) return askPrimary(true);
      const needed = positions.get(owner) ?? positionOfOthers;
      // An owner stays with one replica, so that a read never sees less than the one before.
      const order = replicas.map((_, i) => replicas[(owner + i) % replicas.length]!);
      const ask = async (isPrimaryLost: boolean) => {
        for (const replica of order) {
          const answers = await replica.read(owner, statements, send, needed, isPrimaryLost);
          if (answers) return answers;
        }
        return undefined;
      };
      const answers = await ask(false);
      if (answers) return answers;
      try {
        return await askPrimary(false);
      } catch (error) {
        if (!(error instanceof DossierError) || error.code !== "database-unreachable") throw error;
        return (await ask(true)) ?? askPrimary(true);
      }
    },
    wrote(owner, settled) {
      if (positions.size >= mostRemembered) {
        positionOfOthers = Math.max(positionOfOthers, ...positions.values());
        positions.clear();
      }
      // Without an answer the position of the write is unknown: only the primary surely has it.
      const position = settled.status === "fulfilled" ? (settled.value.rows[0] as ReplayPosition).position : Infinity;
      positions.set(owner, position);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}

/** True for statements that a standby can run: no locks, and no functions, which may write. */
function isPlainRead({ sql }: SqlStatement): boolean {
  return !/\bpg_|\bnextval\b|\bFOR\s+(UPDATE|NO\s+KEY|SHARE|KEY)\b/i.test(sql);
}

/** The system identifier that a primary and its replicas share. */
async function clusterOf(driver: Driver): Promise<string> {
  const connection = await driver.connect();
  try {
    const [settled] = await connection.send([replayPosition]);
    if (settled!.status === "rejected") throw settled!.reason;
    return (settled!.value.rows[0] as ReplayPosition).cluster;
  } finally {
    connection.release();
  }
}

class Replica {
  readonly #cluster: string;
  readonly #address: DatabaseAddress;
  readonly #driver: Driver;
  readonly #warn: (sentence: string) => void;
  #replayed = 0;
  #checked = Number.NEGATIVE_INFINITY;
  #restsUntil = 0;
  #hasWarned = false;

  constructor(cluster: string, address: DatabaseAddress, driver: Driver, warn: (sentence: string) => void) {
    this.#cluster = cluster;
    this.#address = address;
    this.#driver = driver;
    this.#warn = warn;
  }

  /**
   * Undefined when it has not reached `needed`, fails, or lags too far; the lag does not matter when the primary is
   * lost.
   */
  async read(
    owner: number,
    statements: readonly SqlStatement[],
    send: Send,
    needed: number,
    isPrimaryLost: boolean,
  ): Promise<Answers | undefined> {
    const now = performance.now();
    const age = now - this.#checked;
    if (!isPrimaryLost && (now < this.#restsUntil || (this.#replayed < needed && age < soon))) return undefined;
    let connection: DatabaseConnection | undefined;
    let isLost = false;
    try {
      connection = await this.#driver.connect();
      const isKnown = this.#replayed >= needed && age < trusted && !isPrimaryLost;
      const answers = await send(connection, owner, isKnown ? statements : [replayPosition, ...statements]);
      const refused = answers.find((each) => each.status === "rejected");
      if (refused && isConnectionLost(refused.reason)) throw refused.reason;
      // Such as a row that it needs and its primary has removed: the primary reports it, if the statement is at fault.
      if (refused) return undefined;
      if (!isKnown) {
        const [position] = (answers.shift() as PromiseFulfilledResult<SqlResult>).value.rows as [ReplayPosition];
        if (!this.#isFit(position, isPrimaryLost) || position.position < needed) return undefined;
      }
      if (!isPrimaryLost) this.#hasWarned = false;
      return answers;
    } catch (error) {
      isLost = isConnectionLost(error);
      const failure = asDatabaseFailure(error, this.#address);
      // All of its connections are in use: the primary helps out.
      if (failure instanceof DossierError && failure.code === "database-busy") return undefined;
      this.#degrade(failure instanceof Error ? failure.message : String(failure));
      return undefined;
    } finally {
      connection?.release(isLost);
    }
  }

  #isFit({ cluster, position, lag }: ReplayPosition, isPrimaryLost: boolean): boolean {
    if (cluster !== this.#cluster) {
      this.#degrade(`The server ${this.#address.shown} is a replica of another database.`);
      return false;
    }
    this.#replayed = position;
    this.#checked = performance.now();
    if (isPrimaryLost || (lag !== null && lag <= mostLag)) return true;
    const problem = lag === null ? "is not connected to its primary" : `is ${Math.round(lag)} s behind its primary`;
    this.#degrade(`The replica ${this.#address.shown} ${problem}.`);
    return false;
  }

  /** Reads go to the primary for a while; reported once, until it answers again. */
  #degrade(problem: string): void {
    this.#restsUntil = performance.now() + rest;
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#warn(`${problem} Reads go to the primary until it can be used again.`);
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}
