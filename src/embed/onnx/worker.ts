import { asDossierError, type ErrorCode } from "../../errors.ts";
import type { LocalModel } from "../model-folder.ts";
import { type OnnxSession, openSession } from "./session.ts";

/** The process that runs a model. It takes one job at a time. It ends on a message, or when its parent is gone. */

export type ModelStart = { folder: string; model: LocalModel; dimensions?: number };
export type ModelJob = { start: ModelStart } | { texts: string[] } | { close: true };
export type ModelAnswer =
  | { ready: { dimensions: number } }
  /** One vector per text, in order; zeros for a text without a direction. */
  | { vectors: Int8Array }
  | { failed: { code: ErrorCode; message: string } };

let session: OnnxSession | undefined;

async function work(job: ModelJob): Promise<void> {
  if ("start" in job) {
    const { folder, model, dimensions } = job.start;
    session = await openSession(folder, model, dimensions);
    answer({ ready: { dimensions: session.dimensions } });
    return;
  }
  if ("close" in job) {
    await session?.close();
    process.disconnect();
    return;
  }
  const { dimensions } = session!;
  const vectors = new Int8Array(job.texts.length * dimensions);
  for (const [i, text] of job.texts.entries()) {
    const vector = await session!.embed(text);
    if (vector) vectors.set(vector, i * dimensions);
  }
  answer({ vectors });
}

function answer(message: ModelAnswer): void {
  process.send!(message);
}

// Messages are handled in sequence: a session must not be released while it runs.
let last = Promise.resolve();
process.on("message", (job: ModelJob) => {
  last = last
    .then(() => work(job))
    .catch((error) => {
      const { code, message } = asDossierError(error);
      answer({ failed: { code, message } });
    });
});
// The parent is gone, so nothing can be answered. `exit` is not used: if the runtime is ended during a run, it aborts
// with a memory dump.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Ctrl-C reaches this process too, but only its parent decides whether to end.
process.on("SIGINT", () => undefined);
