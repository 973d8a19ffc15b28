import { parentPort, workerData } from "node:worker_threads";
import { asDossierError, type ErrorCode } from "../../errors.ts";
import type { LocalModel } from "../model-folder.ts";
import { openSession } from "./session.ts";

/** The thread that runs a model. It takes one job at a time, and ends when it is told to or when its model cannot be loaded. */

export type WorkerStart = { folder: string; model: LocalModel; dimensions?: number };
export type Job = { texts: string[] } | { close: true };
export type Answer =
  | { ready: { dimensions: number } }
  /** One after the other; zeros for a text without a direction. */
  | { vectors: Int8Array }
  | { failed: { code: ErrorCode; message: string } };

const port = parentPort!;
const answer = (message: Answer) => port.postMessage(message);

function fail(error: unknown): void {
  const { code, message } = asDossierError(error);
  answer({ failed: { code, message } });
}

try {
  const { folder, model, dimensions } = workerData as WorkerStart;
  const session = await openSession(folder, model, dimensions);
  async function work(job: Job): Promise<void> {
    if ("close" in job) {
      await session.close();
      port.close();
      return;
    }
    const vectors = new Int8Array(job.texts.length * session.dimensions);
    for (const [i, text] of job.texts.entries()) {
      const vector = await session.embed(text);
      if (vector) vectors.set(vector, i * session.dimensions);
    }
    answer({ vectors });
  }
  // One after the other: a session must not be released while it runs.
  let last = Promise.resolve();
  port.on("message", (job: Job) => {
    last = last.then(() => work(job)).catch(fail);
  });
  answer({ ready: { dimensions: session.dimensions } });
} catch (error) {
  fail(error);
  port.close();
}
