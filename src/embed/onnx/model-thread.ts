import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { DossierError } from "../../errors.ts";
import type { Answer, Job, WorkerStart } from "./worker.ts";

/** A thread with a model in it, started when it is needed, and started again after it died. */
export type ModelThread = {
  /** Starts the thread, if it is not running; throws what keeps the model from loading. */
  start(): Promise<{ dimensions: number }>;
  /** The texts' vectors, one after the other. Urgent jobs go before those that wait. */
  embed(texts: string[], options: { isUrgent: boolean; signal?: AbortSignal }): Promise<Int8Array>;
  close(): Promise<void>;
};

type Waiting = { texts: string[]; done: (vectors: Int8Array) => void; failed: (error: Error) => void };
type Running = { worker: Worker; ready: Promise<{ dimensions: number }> };

/** A thread that was told to end and has not is ended. */
const patience = 2_000;

/** The built program: beside this file in dist, or in dist when this file is run from source. */
function workerScript(): string {
  const places = ["./model-worker.js", "../../../dist/model-worker.js"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const script = paths.find((path) => existsSync(path));
  if (!script) throw new DossierError("internal", "The program of the models' thread is not built.");
  return script;
}

/** `script`: the thread's program; the built one by default. */
export function openModelThread(data: WorkerStart, script = workerScript()): ModelThread {
  const name = data.model.model;
  const queue: Waiting[] = [];
  let running: Running | undefined;
  let current: Waiting | undefined;
  let isClosed = false;

  const closedError = () => new DossierError("interrupted", `The model ${name} was closed.`);

  function launch(): Running {
    const worker = new Worker(script, { workerData: data, stdout: true, stderr: true });
    // The thread must not keep a program alive whose work is done; a job that is waited for does.
    worker.unref();
    const ready = new Promise<{ dimensions: number }>((started, failed) => {
      let reason = "it ended";
      worker.on("message", (message: Answer) => {
        if ("ready" in message) started(message.ready);
        else if ("vectors" in message) settle((job) => job.done(message.vectors));
        else {
          const { code, message: sentence } = message.failed;
          const error = new DossierError(code, sentence);
          failed(error);
          settle((job) => job.failed(error));
        }
      });
      worker.on("error", (error) => {
        reason = error.message;
      });
      worker.on("exit", () => {
        if (running?.worker === worker) running = undefined;
        const error = isClosed
          ? closedError()
          : new DossierError("model-unavailable", `The thread of the model ${name} ended unexpectedly: ${reason}.`);
        failed(error);
        settle((job) => job.failed(error));
      });
    });
    // Whoever waits for it hears of a failure; where nobody does, the next job meets it again.
    ready.catch(() => undefined);
    return { worker, ready };
  }

  function settle(how: (job: Waiting) => void): void {
    const job = current;
    current = undefined;
    if (job) how(job);
    running?.worker.unref();
    void next();
  }

  /** Gives the thread its next job. One at a time: what is urgent comes next, not after everything that was asked before. */
  async function next(): Promise<void> {
    if (current || queue.length === 0) return;
    const job = queue.shift()!;
    current = job;
    try {
      running ??= launch();
      const { worker, ready } = running;
      worker.ref();
      await ready;
      // It may have been closed, or have died, in between.
      if (current === job) worker.postMessage({ texts: job.texts } satisfies Job);
    } catch (error) {
      if (current === job) settle((failed) => failed.failed(error as Error));
    }
  }

  return {
    async start() {
      if (isClosed) throw closedError();
      running ??= launch();
      const { worker, ready } = running;
      worker.ref();
      try {
        return await ready;
      } finally {
        if (!current) worker.unref();
      }
    },
    async embed(texts, { isUrgent, signal }) {
      if (isClosed) throw closedError();
      let job: Waiting | undefined;
      let stop: (() => void) | undefined;
      try {
        return await new Promise<Int8Array>((done, failed) => {
          const asked: Waiting = { texts, done, failed };
          job = asked;
          stop = () => failed(new DossierError("interrupted", "Interrupted.", { cause: signal?.reason }));
          signal?.addEventListener("abort", stop, { once: true });
          if (isUrgent) queue.unshift(asked);
          else queue.push(asked);
          void next();
        });
      } finally {
        if (stop) signal?.removeEventListener("abort", stop);
        // A job under way ends by itself in a moment; one that waits is taken out.
        const place = queue.indexOf(job!);
        if (place >= 0) queue.splice(place, 1);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const job of queue.splice(0)) job.failed(closedError());
      const worker = running?.worker;
      if (!worker) return;
      worker.ref();
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage({ close: true } satisfies Job);
      const timer = setTimeout(() => void worker.terminate(), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}
