import type { SqlResult, SqlStatement } from "../connection.ts";

type Waiting = { statement: SqlStatement; resolve: (result: SqlResult) => void; reject: (error: unknown) => void };

/**
 * Batches statements: those issued in one turn of the event loop are sent together, so that concurrent queries, as with
 * `Promise.all`, cost one round trip. They run in the order in which they were issued.
 */
export function batches(send: (statements: SqlStatement[]) => Promise<PromiseSettledResult<SqlResult>[]>): {
  ask(statement: SqlStatement): Promise<SqlResult>;
} {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const settled = await send(batch.map(({ statement }) => statement));
      settled.forEach((each, i) => {
        if (each.status === "fulfilled") batch[i]!.resolve(each.value);
        else batch[i]!.reject(each.reason);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return {
    ask: (statement) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ statement, resolve, reject }) === 1) setImmediate(flush);
      }),
  };
}
