import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DossierError } from "../../errors.ts";
import type { ModelAnswer, ModelJob, ModelStart } from "./worker.ts";

/**
 * A process with a model in it. It is started when it is needed, and again after it died. It is not a thread: the
 * runtime is native code, which takes the whole program down if it fails, or if the program ends while it runs.
 */
export type ModelProcess = {
  /** Starts the process, if it is not running; throws the error that keeps the model from loading. */
  start(): Promise<{ dimensions: number }>;
  /** The texts' vectors in order. Urgent jobs go before those that wait. */
  embed(texts: string[], options: { isUrgent: boolean; signal?: AbortSignal }): Promise<Int8Array>;
  close(): Promise<void>;
};

type Waiting = { texts: string[]; done: (vectors: Int8Array) => void; failed: (error: Error) => void };
type Running = { child: ChildProcess; ready: Promise<{ dimensions: number }> };

/** Milliseconds after which a process that was asked to end is killed. */
const patience = 2_000;
/**
 * Milliseconds after which an idle process is ended: it uses more memory than the program, and restarts in half a
 * second.
 */
const longestIdle = 5 * 60_000;

/**
 * Options that keep the process small: 54 MB of its own instead of 71 after a question with MiniLM. The heap is
 * collected after a megabyte of growth, not sixteen, and there is one pool of native memory, not one for each thread,
 * which is returned when it is free.
 */
const smallHeap = ["--max-semi-space-size=1"];
const smallPools = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };

/** The built program: beside this file in dist, or in dist when this file is run from source. */
function workerScript(): string {
  const places = ["./model-worker.js", "../../../dist/model-worker.js"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const script = paths.find((path) => existsSync(path));
  if (!script) throw new DossierError("internal", "The program of the models' process is not built.");
  return script;
}

/** `script`: the process's program, by default the built one. */
export function openModelProcess(start: ModelStart, script = workerScript(), idleTime = longestIdle): ModelProcess {
  const name = start.model.model;
  const queue: Waiting[] = [];
  let running: Running | undefined;
  let current: Waiting | undefined;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  const closedError = () => new DossierError("interrupted", `The model ${name} was closed.`);

  function launch(): Running {
    const child = fork(script, [], {
      // Structured cloning preserves typed arrays.
      serialization: "advanced",
      execArgv: smallHeap,
      env: { ...process.env, ...smallPools },
      // The runtime's own output is not shown; its failures come as messages.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ready = new Promise<{ dimensions: number }>((started, failed) => {
      let isReady = false;
      let isOver = false;
      /** Runs once: Node may report the end of a process by two events, and by then another process may be running. */
      const end = (error: DossierError) => {
        if (isOver) return;
        isOver = true;
        child.kill("SIGKILL");
        failed(error);
        // A process that was ended because it was idle has no job that could fail.
        if (running?.child !== child) return;
        running = undefined;
        settle((job) => job.failed(error));
      };
      const died = (reason: string) =>
        isClosed
          ? closedError()
          : new DossierError("model-unavailable", `The process of the model ${name} ended unexpectedly (${reason}).`);
      child.on("message", (message: ModelAnswer) => {
        if (isOver) return;
        if ("ready" in message) {
          isReady = true;
          started(message.ready);
        } else if ("vectors" in message) settle((job) => job.done(message.vectors));
        else {
          const error = new DossierError(message.failed.code, message.failed.message);
          if (isReady) settle((job) => job.failed(error));
          else end(error);
        }
      });
      child.on("error", (error) => end(died(error.message)));
      child.on("exit", (code, signal) => end(died(signal ?? `status ${code}`)));
    });
    // A caller that waits gets the failure; without one, the next job fails in the same way.
    ready.catch(() => undefined);
    send(child, { start });
    return { child, ready };
  }

  function settle(how: (job: Waiting) => void): void {
    const job = current;
    current = undefined;
    if (job) how(job);
    if (running) unrefProcess(running.child);
    void next();
    endWhenIdle();
  }

  function endWhenIdle(): void {
    clearTimeout(idle);
    if (current || queue.length > 0 || !running) return;
    const { child } = running;
    idle = setTimeout(() => {
      if (current || queue.length > 0 || running?.child !== child) return;
      running = undefined;
      child.kill("SIGKILL");
    }, idleTime);
    idle.unref();
  }

  /**
   * Sends the next job to the process. Only one is sent at a time, so that an urgent one does not wait for all others.
   */
  async function next(): Promise<void> {
    if (current || queue.length === 0) return;
    const job = queue.shift()!;
    current = job;
    try {
      running ??= launch();
      const { child, ready } = running;
      refProcess(child);
      await ready;
      // Meanwhile the process may have been closed, or have died.
      if (current === job) send(child, { texts: job.texts });
    } catch (error) {
      if (current === job) settle((failed) => failed.failed(error as Error));
    }
  }

  return {
    async start() {
      if (isClosed) throw closedError();
      running ??= launch();
      const { child, ready } = running;
      refProcess(child);
      try {
        return await ready;
      } finally {
        if (!current) unrefProcess(child);
        endWhenIdle();
      }
    },
    async embed(texts, { isUrgent, signal }) {
      if (isClosed) throw closedError();
      let job: Waiting | undefined;
      let stop: (() => void) | undefined;
      try {
        return await new Promise<Int8Array>((done, failed) => {
          const waiting: Waiting = { texts, done, failed };
          job = waiting;
          stop = () => failed(new DossierError("interrupted", "Interrupted.", { cause: signal?.reason }));
          signal?.addEventListener("abort", stop, { once: true });
          if (isUrgent) queue.unshift(waiting);
          else queue.push(waiting);
          void next();
        });
      } finally {
        if (stop) signal?.removeEventListener("abort", stop);
        // A job that has been sent ends by itself in a moment; one that waits is removed.
        const place = queue.indexOf(job!);
        if (place >= 0) queue.splice(place, 1);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(idle);
      for (const job of queue.splice(0)) job.failed(closedError());
      const child = running?.child;
      if (!child) return;
      refProcess(child);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      send(child, { close: true });
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** A message to a process that has just died is lost; the handler of its end deals with that. */
function send(child: ChildProcess, job: ModelJob): void {
  child.send(job, () => undefined);
}

/** An idle process must not keep the program alive; a job that is waited for does. */
function unrefProcess(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function refProcess(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
