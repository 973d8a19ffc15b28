import { logPosition, type Replicas } from "../../replicas/replicas.ts";
import type { DatabaseConnection, SqlResult, SqlStatement } from "../connection.ts";
import { isConnectionLost, isFollowUp } from "../failures.ts";
import { batches } from "./batches.ts";
import type { Connections, SessionOwner } from "./connections.ts";

export type TransactionOptions = { owner?: SessionOwner; mayRetry: boolean; replicas?: Replicas };

const begin: SqlStatement = { sql: "BEGIN", values: [] };

/**
 * Everything that `work` asks happens or nothing does. BEGIN is sent with the first statements: it costs no round trip
 * of its own.
 */
export function inTransaction<T>(
  connections: Connections,
  { owner, mayRetry, replicas }: TransactionOptions,
  work: (ask: (statement: SqlStatement) => Promise<SqlResult>) => Promise<T>,
): Promise<T> {
  return connections.use(owner, mayRetry, async (connection) => {
    const send = (statements: SqlStatement[]) => connections.send(connection, owner?.number, statements);
    let hasBegun = false;
    let hasEnded = false;
    let failure: PromiseRejectedResult | undefined;
    const { ask } = batches(async (statements) => {
      // A statement that nobody waited for: outside of the transaction it would be permanent.
      if (hasEnded) throw new Error("The transaction has ended.");
      const settled = await send(hasBegun ? statements : [begin, ...statements]);
      failure ??= settled.find((each) => each.status === "rejected");
      if (hasBegun) return settled;
      hasBegun = true;
      return settled.slice(1);
    });
    try {
      const result = await work(ask);
      hasEnded = true;
      if (hasBegun) await commit(send, owner, replicas);
      return result;
    } catch (error) {
      hasEnded = true;
      if (hasBegun && !isConnectionLost(error)) await end(send, "ROLLBACK");
      // Of statements sent together, those after the failed one fail for no reason of their own.
      throw failure && isFollowUp(error) ? failure.reason : error;
    }
  });
}

type Send = (statements: SqlStatement[]) => ReturnType<DatabaseConnection["send"]>;

async function commit(send: Send, owner: SessionOwner | undefined, replicas: Replicas | undefined): Promise<void> {
  const isFollowed = replicas !== undefined && owner !== undefined;
  const [position] = await end(send, "COMMIT", isFollowed ? [logPosition] : []);
  if (isFollowed) replicas.wrote(owner.number, position!);
}

/** Ends the transaction, and returns the results of the statements after it. */
async function end(
  send: Send,
  sql: "COMMIT" | "ROLLBACK",
  after: SqlStatement[] = [],
): Promise<PromiseSettledResult<SqlResult>[]> {
  const [ended, ...results] = await send([{ sql, values: [] }, ...after]);
  if (ended!.status === "rejected") throw ended!.reason;
  return results;
}
