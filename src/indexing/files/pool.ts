import { Worker } from "node:worker_threads";
import { type CacheFolders, DescriptionCacheWriter } from "../descriptions/description-cache.ts";
import type { DescribeContext, DescribeJob, DescribeOutcome } from "./describe.ts";
import { type PackedOutcome, unpackOutcome } from "./describe-cached.ts";
import { workerScript } from "./worker-script.ts";

/** The data that a worker starts with. */
export type WorkerData = { context: DescribeContext; cache?: CacheFolders };

/** A worker's reply: the outcome, and the bytes that its heap and its parsers hold. */
export type Reply = { outcome: DescribeOutcome | PackedOutcome; memory: number };

export type PoolOptions = {
  size: number;
  context: DescribeContext;
  /** Where descriptions are cached; if absent, nothing is cached. */
  cache?: CacheFolders;
  /** The worker's program; the built one by default. */
  script?: string;
  /** Milliseconds after which a file is given up and its worker replaced. */
  timeout?: number;
  /** Bytes of memory above which a worker is replaced. */
  memoryLimit?: number;
  /** Megabytes of heap at which V8 ends a worker during a file. */
  heapMegabytes?: number;
};

/**
 * Worker threads that describe files. A worker that crashes, hangs or grows too large is replaced; the file it failed
 * on is reported.
 */
export type Pool = {
  describe(job: DescribeJob): Promise<DescribeOutcome>;
  /** Ends the workers; waiting jobs fail. */
  close(): Promise<void>;
};

const defaultTimeout = 30_000;
/**
 * Memory above which a worker is replaced. It starts at some 80 MB with its grammars loaded; above the limit it holds
 * caches and remains of large files. A much lower limit costs more: a new worker compiles everything again, which takes
 * a second of processor time. At 120 MB both workers were replaced while indexing django.
 */
const defaultMemoryLimit = 160 * 1024 * 1024;
const defaultHeapMegabytes = 384;
/** Half of V8's own limit for new objects: two workers hold 30 MB less, and a cold index of django takes as long. */
const youngMegabytes = 24;

export function workerLimits(heapMegabytes = defaultHeapMegabytes) {
  return { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes };
}

/** Starts the workers. Throws if they cannot start at all. */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const script = options.script ?? workerScript();
  if (!script) throw new Error("the worker program is not built");
  const cacheWriter = options.cache && new DescriptionCacheWriter(options.cache);
  const seats = Array.from({ length: options.size }, () => new Seat(script, options, cacheWriter));
  try {
    await Promise.all(seats.map((seat) => seat.start()));
  } catch (error) {
    await Promise.all(seats.map((seat) => seat.close()));
    throw error;
  }
  return {
    describe(job) {
      const idlest = seats.reduce((best, seat) => (seat.load < best.load ? seat : best));
      return idlest.describe(job);
    },
    async close() {
      cacheWriter?.finish();
      await Promise.all(seats.map((seat) => seat.close()));
    },
  };
}

type Waiting = { job: DescribeJob; done: (outcome: DescribeOutcome) => void; failed: (error: Error) => void };

/** One worker and its queue of jobs; the first is the one in progress. */
class Seat {
  readonly #script: string;
  readonly #options: PoolOptions;
  readonly #cacheWriter: DescriptionCacheWriter | undefined;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(script: string, options: PoolOptions, cacheWriter: DescriptionCacheWriter | undefined) {
    this.#script = script;
    this.#options = options;
    this.#cacheWriter = cacheWriter;
  }

  get load(): number {
    return this.#waiting.length;
  }

  describe(job: DescribeJob): Promise<DescribeOutcome> {
    return new Promise((done, failed) => {
      this.#waiting.push({ job, done, failed });
      if (this.#worker) this.#worker.postMessage(job);
      else this.#restart();
      if (this.#waiting.length === 1) this.#watch();
    });
  }

  /** Resolves when the worker reports that it is ready. */
  start(): Promise<void> {
    return new Promise((started, failed) => {
      const worker = new Worker(this.#script, {
        workerData: { context: this.#options.context, cache: this.#options.cache } satisfies WorkerData,
        resourceLimits: workerLimits(this.#options.heapMegabytes),
        // Output of parsers is not shown.
        stdout: true,
        stderr: true,
      });
      this.#worker = worker;
      let ready = false;
      let problem = "it ended";
      worker.on("message", (message: "ready" | Reply) => {
        if (worker !== this.#worker) return;
        if (message !== "ready") this.#receive(message);
        else started();
        ready = true;
      });
      worker.on("error", (error) => {
        problem = error.message;
      });
      worker.on("exit", () => {
        failed(new Error(problem));
        if (worker === this.#worker) this.#giveUpFirst(`the parser crashed: ${problem}`, ready);
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { failed } of this.#waiting.splice(0)) failed(new Error("the workers were stopped"));
    await worker?.terminate();
  }

  #receive({ outcome, memory }: Reply): void {
    this.#waiting.shift()?.done(outcome.is === "packed" ? unpackOutcome(outcome, this.#cacheWriter) : outcome);
    if (memory > (this.#options.memoryLimit ?? defaultMemoryLimit)) this.#restart();
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) return;
    const timeout = this.#options.timeout ?? defaultTimeout;
    this.#timer = setTimeout(() => this.#giveUpFirst(`the parser took more than ${timeout / 1000} s`, true), timeout);
  }

  /**
   * Gives up the first file. The file is to blame, unless its worker never began to read it: then its size and time are
   * not recorded, and it is tried again in the next run. The files behind it go to a new worker.
   */
  #giveUpFirst(detail: string, toBlame: boolean): void {
    if (this.#closed) return;
    const first = this.#waiting.shift();
    if (first) {
      const { path, size, modified } = first.job;
      const stamp = toBlame ? { size, modified } : { size: 0, modified: 0 };
      first.done({ path, is: "skipped", reason: "failed", ...stamp, detail });
    }
    this.#restart();
    this.#watch();
  }

  /** Ends the worker; a new one starts when there is work for it. */
  #restart(): void {
    const old = this.#worker;
    this.#worker = undefined;
    old?.terminate().catch(() => undefined); // a worker that cannot be terminated has already ended
    if (this.#closed || this.#waiting.length === 0) return;
    this.start().catch(() => undefined); // start() handles the worker's end
    for (const { job } of this.#waiting) this.#worker!.postMessage(job);
  }
}
