import type { SqlResult, SqlStatement } from "./connection.ts";

type Waiting = { statement: SqlStatement; resolve: (result: SqlResult) => void; reject: (error: unknown) => void };

/**
 * Statements that are asked for in one turn of the event loop are sent together: what a caller asks for side by side, as with `Promise.all`,
 * costs one round trip. They run in the order in which they were asked for.
 */
export function batches(send: (statements: SqlStatement[]) => Promise<PromiseSettledResult<SqlResult>[]>): {
  ask(statement: SqlStatement): Promise<SqlResult>;
} {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const sent = waiting;
    waiting = [];
    try {
      const settled = await send(sent.map(({ statement }) => statement));
      settled.forEach((each, i) => {
        if (each.status === "fulfilled") sent[i]!.resolve(each.value);
        else sent[i]!.reject(each.reason);
      });
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  };
  return {
    ask: (statement) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ statement, resolve, reject }) === 1) setImmediate(flush);
      }),
  };
}
