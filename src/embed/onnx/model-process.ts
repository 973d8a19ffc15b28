import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DossierError } from "../../errors.ts";
import type { ModelAnswer, ModelJob, ModelStart } from "./worker.ts";

/**
 * A process that runs a model. It is started when it is needed, and again after it died. It is not a thread: the
 * runtime is native code, which crashes the whole program if it fails, or if the program ends during a run.
 */
export type ModelProcess = {
  /** Starts the process if it is not running; throws the error that prevents the model from loading. */
  start(): Promise<{ dimensions: number }>;
  /** The vectors of the texts, in order. Urgent jobs go before waiting ones. */
  embed(texts: string[], options: { isUrgent: boolean; signal?: AbortSignal }): Promise<Int8Array>;
  close(): Promise<void>;
};

type WaitingJob = { texts: string[]; done: (vectors: Int8Array) => void; failed: (error: Error) => void };
type Ready = { dimensions: number };
type RunningProcess = { child: ChildProcess; ready: Promise<Ready> };

/** Milliseconds after which a process that was told to end is killed. */
const patience = 2_000;
/**
 * Milliseconds after which an idle process is ended: it uses more memory than the program, and restarts in half a
 * second.
 */
const longestIdle = 5 * 60_000;

/**
 * Options that keep the process small: 54 MB instead of 71 after a question with MiniLM. The heap is collected after
 * one megabyte of growth, not sixteen. There is one pool of native memory for all threads, and free memory is returned.
 */
const smallHeap = ["--max-semi-space-size=1"];
const smallPools = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };

/** The path of the built program: beside this file in dist, or in dist when this file is run from source. */
function workerScript(): string {
  const places = ["./model-worker.js", "../../../dist/model-worker.js"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const script = paths.find((path) => existsSync(path));
  if (!script) throw new DossierError("internal", "The program of the models' process is not built.");
  return script;
}

/** `script`: the process's program, by default the built one. */
export function openModelProcess(start: ModelStart, script = workerScript(), idleTime = longestIdle): ModelProcess {
  return new RestartingProcess(start, script, idleTime);
}

class RestartingProcess implements ModelProcess {
  readonly #start: ModelStart;
  readonly #script: string;
  readonly #idleTime: number;
  readonly #queue: WaitingJob[] = [];
  #running: RunningProcess | undefined;
  #current: WaitingJob | undefined;
  #isClosed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(start: ModelStart, script: string, idleTime: number) {
    this.#start = start;
    this.#script = script;
    this.#idleTime = idleTime;
  }

  async start(): Promise<Ready> {
    if (this.#isClosed) throw this.#closedError();
    this.#running ??= this.#launch();
    const { child, ready } = this.#running;
    refProcess(child);
    try {
      return await ready;
    } finally {
      if (!this.#current) unrefProcess(child);
      this.#endWhenIdle();
    }
  }

  async embed(texts: string[], { isUrgent, signal }: { isUrgent: boolean; signal?: AbortSignal }): Promise<Int8Array> {
    if (this.#isClosed) throw this.#closedError();
    let job: WaitingJob | undefined;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<Int8Array>((done, failed) => {
        job = { texts, done, failed };
        stop = () => failed(new DossierError("interrupted", "Interrupted.", { cause: signal?.reason }));
        signal?.addEventListener("abort", stop, { once: true });
        if (isUrgent) this.#queue.unshift(job);
        else this.#queue.push(job);
        void this.#next();
      });
    } finally {
      if (stop) signal?.removeEventListener("abort", stop);
      // A job that was sent ends soon without help; a waiting job is removed.
      const place = this.#queue.indexOf(job!);
      if (place >= 0) this.#queue.splice(place, 1);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    for (const job of this.#queue.splice(0)) job.failed(this.#closedError());
    const child = this.#running?.child;
    if (!child) return;
    refProcess(child);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    send(child, { close: true });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    await ended;
    clearTimeout(timer);
  }

  #launch(): RunningProcess {
    const child = fork(this.#script, [], {
      // Structured cloning preserves typed arrays.
      serialization: "advanced",
      execArgv: smallHeap,
      env: { ...process.env, ...smallPools },
      // The runtime's own output is not shown; its failures come as messages.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ready = this.#follow(child);
    // A waiting caller gets the failure; if there is none, the next job fails in the same way.
    ready.catch(() => undefined);
    send(child, { start: this.#start });
    return { child, ready };
  }

  /** Passes a process's answers to its jobs, until the process ends. Resolves when the model is loaded. */
  #follow(child: ChildProcess): Promise<Ready> {
    return new Promise<Ready>((started, failed) => {
      let isReady = false;
      let isOver = false;
      /**
       * Runs once: Node may report the end of a process by two events, and another process may be running by the
       * second.
       */
      const end = (error: DossierError) => {
        if (isOver) return;
        isOver = true;
        child.kill("SIGKILL");
        failed(error);
        this.#onEnded(child, error);
      };
      child.on("message", (message: ModelAnswer) => {
        if (isOver) return;
        if ("ready" in message) {
          isReady = true;
          started(message.ready);
        } else if ("vectors" in message) this.#settle((job) => job.done(message.vectors));
        else {
          const error = new DossierError(message.failed.code, message.failed.message);
          if (isReady) this.#settle((job) => job.failed(error));
          else end(error);
        }
      });
      child.on("error", (error) => end(this.#deathError(error.message)));
      child.on("exit", (code, signal) => end(this.#deathError(signal ?? `status ${code}`)));
    });
  }

  #onEnded(child: ChildProcess, error: DossierError): void {
    // A process that was ended for being idle has no job that could fail.
    if (this.#running?.child !== child) return;
    this.#running = undefined;
    this.#settle((job) => job.failed(error));
  }

  /** Sends the next job to the process, one at a time, so that an urgent job does not wait for all others. */
  async #next(): Promise<void> {
    if (this.#current || this.#queue.length === 0) return;
    const job = this.#queue.shift()!;
    this.#current = job;
    try {
      this.#running ??= this.#launch();
      const { child, ready } = this.#running;
      refProcess(child);
      await ready;
      // The process may have been closed, or have died, meanwhile.
      if (this.#current === job) send(child, { texts: job.texts });
    } catch (error) {
      if (this.#current === job) this.#settle(({ failed }) => failed(error as Error));
    }
  }

  #settle(how: (job: WaitingJob) => void): void {
    const job = this.#current;
    this.#current = undefined;
    if (job) how(job);
    if (this.#running) unrefProcess(this.#running.child);
    void this.#next();
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    if (this.#isBusy() || !this.#running) return;
    const { child } = this.#running;
    this.#idleTimer = setTimeout(() => {
      if (this.#isBusy() || this.#running?.child !== child) return;
      this.#running = undefined;
      child.kill("SIGKILL");
    }, this.#idleTime);
    this.#idleTimer.unref();
  }

  #isBusy(): boolean {
    return this.#current !== undefined || this.#queue.length > 0;
  }

  #closedError(): DossierError {
    return new DossierError("interrupted", `The model ${this.#start.model.model} was closed.`);
  }

  #deathError(reason: string): DossierError {
    if (this.#isClosed) return this.#closedError();
    const { model } = this.#start.model;
    return new DossierError("model-unavailable", `The process of the model ${model} ended unexpectedly (${reason}).`);
  }
}

/** A message to a process that has just died is lost; the handler of its end deals with this. */
function send(child: ChildProcess, job: ModelJob): void {
  child.send(job, () => undefined);
}

/** An idle process must not keep the program alive; a process with a job must. */
function unrefProcess(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function refProcess(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
