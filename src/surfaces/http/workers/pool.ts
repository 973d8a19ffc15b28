import { DossierError } from "../../../errors.ts";
import type { BuiltFigures } from "../../../operations/chat/context-figures.ts";
import type { Progress } from "../../../operations/core/operation.ts";
import { type PoolJob, PoolWorker } from "./pool-worker.ts";
import { fairQueue, type Queued } from "./queue.ts";
import {
  type FromWorker,
  type Job,
  packFailure,
  type Question,
  unpackFailure,
  type WorkerReply,
} from "./worker-protocol.ts";

export type WorkerPoolOptions = {
  root: string;
  script: string;
  /** Most processes; each is started when there is work for it. */
  size: number;
  /** Further processes for short jobs while all others work on long ones. */
  express?: number;
  /** Jobs of one process at the same time, without those that wait for the server. */
  jobsEach: number;
  niceness?: number;
  /** Milliseconds after which a process without work ends. */
  idle?: number;
  /** Milliseconds for an aborted job to end; then its process is killed. */
  gracePeriod?: number;
  /** The same for a job whose caller has left. */
  abandonedGracePeriod?: number;
};

export type JobOptions = Queued & {
  signal?: AbortSignal;
  /** Whether it may be run again from its beginning if its process was ended because of another job. */
  repeatable: boolean;
  onProgress?: (progress: Progress) => void;
  onQuestion?: (question: Question) => Promise<WorkerReply>;
  onChanged?: () => void;
  onBuilt?: (figures: BuiltFigures) => void;
};

/** Worker processes and the jobs that wait for them. */
export type WorkerPool = {
  run(job: Job, options: JobOptions): Promise<unknown>;
  /** Ends all processes and runs `work` without them; waiting and repeatable jobs go on afterwards. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Ends all processes for good. */
  close(): Promise<void>;
};

const usualIdle = 5 * 60_000;
const usualGracePeriod = 500;
/**
 * While somebody types, each letter aborts the question before it. Killing the process would lose its caches, and
 * reading the index again takes seconds. So an abandoned job may go on for a while.
 */
const usualAbandonedGracePeriod = 10_000;
/** Most attempts for a job: if its process crashes every time, the job is to blame. */
const mostAttempts = 2;

export function createPool(options: WorkerPoolOptions): WorkerPool {
  return new Pool(options);
}

class Pool implements WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue = fairQueue<PoolJob>();
  readonly #workers = new Set<PoolWorker>();
  readonly #mostWorkers: number;
  #lastId = 0;
  #isClosed = false;
  #isPaused = false;
  #activeLongJobs = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#mostWorkers = options.size + (options.express ?? 0);
  }

  run(job: Job, options: JobOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw shuttingDown();
      const { signal } = options;
      signal?.throwIfAborted();
      const onAbort = () => this.#abort(queued);
      const stopListening = () => signal?.removeEventListener("abort", onAbort);
      const queued: PoolJob = {
        ...options,
        id: ++this.#lastId,
        job,
        attempts: 0,
        isActive: false,
        isLong: false,
        resolve(output) {
          stopListening();
          resolve(output);
        },
        reject(error) {
          stopListening();
          reject(error);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#queue.add(queued);
      this.#dispatch();
    });
  }

  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isPaused = true;
    try {
      await this.#closeWorkers();
      return await work();
    } finally {
      this.#isPaused = false;
      this.#dispatch();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (let job = this.#queue.take(); job; job = this.#queue.take()) job.reject(shuttingDown());
    await this.#closeWorkers();
  }

  async #closeWorkers(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.end("close")));
  }

  /** Gives free slots to jobs: first to those that waited for the server, then to those of the queue. */
  #dispatch(): void {
    const { size, jobsEach, idle = usualIdle } = this.#options;
    for (const worker of this.#workers) worker.resumeWaiting();
    while (!this.#isClosed && !this.#isPaused && this.#hasRoom()) {
      const job = this.#queue.take(this.#activeLongJobs < size * jobsEach ? undefined : "short");
      if (!job) break;
      this.#begin(job, this.#workerFor(job.owner)!);
    }
    for (const worker of this.#workers) worker.closeAfter(idle);
  }

  #hasRoom(): boolean {
    return this.#workers.size < this.#mostWorkers || this.#freeWorkers().length > 0;
  }

  #freeWorkers(): PoolWorker[] {
    return [...this.#workers].filter(({ isFree }) => isFree);
  }

  /**
   * An idle worker, preferably one that knows the owner. Without one a new worker, then the free one with the fewest
   * jobs.
   */
  #workerFor(owner: string): PoolWorker | undefined {
    const free = this.#freeWorkers();
    const idle = free.filter(({ active }) => active === 0);
    const best = idle.find((worker) => worker.knows(owner)) ?? idle[0];
    if (best) return best;
    if (this.#workers.size < this.#mostWorkers) return this.#startWorker();
    return free.sort((a, b) => a.active - b.active)[0];
  }

  #startWorker(): PoolWorker {
    const { root, script, niceness, jobsEach } = this.#options;
    const worker: PoolWorker = new PoolWorker(jobsEach, {
      root,
      script,
      niceness,
      onMessage: (message) => this.#receive(worker, message),
      onEnd: (reason) => this.#onEnded(worker, reason),
    });
    this.#workers.add(worker);
    return worker;
  }

  #begin(job: PoolJob, worker: PoolWorker): void {
    job.worker = worker;
    job.attempts++;
    job.isLong = !this.#queue.isShort(job);
    this.#activate(job);
    worker.begin(job);
  }

  #activate(job: PoolJob): void {
    job.isActive = true;
    if (job.isLong) this.#activeLongJobs++;
    job.worker!.occupySlot();
  }

  #deactivate(job: PoolJob): void {
    if (!job.isActive) return;
    job.isActive = false;
    if (job.isLong) this.#activeLongJobs--;
    job.worker!.vacateSlot();
  }

  /** Removes a job from its worker. */
  #detach(job: PoolJob): void {
    this.#deactivate(job);
    clearTimeout(job.graceTimer);
    job.worker?.jobs.delete(job.id);
    job.worker = undefined;
  }

  #receive(worker: PoolWorker, message: FromWorker): void {
    if (message.type === "ready") {
      worker.isStarted = true;
      return;
    }
    const job = worker.jobs.get(message.id);
    if (!job) return;
    switch (message.type) {
      case "progress":
        job.onProgress?.(message.progress);
        return;
      case "changed":
        job.onChanged?.();
        return;
      case "built":
        job.onBuilt?.(message.figures);
        return;
      case "question":
        this.#answer(job, message.number, message.question);
        return;
      case "done":
        this.#detach(job);
        this.#queue.took(job, message.cost);
        job.resolve(message.output);
        break;
      case "failed":
        this.#detach(job);
        job.reject(unpackFailure(message.failure));
    }
    this.#dispatch();
  }

  /** While a job waits for the server's reply, its worker has a slot for another one. */
  #answer(job: PoolJob, number: number, question: Question): void {
    const worker = job.worker!;
    this.#deactivate(job);
    const resume = (reply: WorkerReply) => {
      if (job.worker !== worker) return;
      worker.resume(() => {
        if (job.worker !== worker) return;
        this.#activate(job);
        worker.reply(job.id, number, reply);
      });
      this.#dispatch();
    };
    (job.onQuestion ? job.onQuestion(question) : Promise.resolve([])).then(resume, (error) =>
      resume({ failure: packFailure(error) }),
    );
    this.#dispatch();
  }

  /** It is not known which job made the process end: the active ones fail, and the others are queued again. */
  #onEnded(worker: PoolWorker, reason: string): void {
    if (!this.#workers.delete(worker)) return;
    worker.cancelIdleTimer();
    for (const job of worker.jobs.values()) {
      const isInnocent = worker.endedBy !== undefined || !job.isActive || this.#options.jobsEach > 1;
      this.#detach(job);
      if (job.signal?.aborted) job.reject(job.signal.reason);
      else if (this.#isClosed) job.reject(shuttingDown());
      else if (isInnocent && job.repeatable && job.attempts < mostAttempts) this.#queue.add(job);
      else job.reject(crashed(reason));
    }
    this.#dispatch();
  }

  /** Aborts a job; if it does not end in time, its process is killed. */
  #abort(job: PoolJob): void {
    const reason = job.signal!.reason;
    if (this.#queue.remove(job)) {
      job.reject(reason);
      return;
    }
    const { worker } = job;
    if (!worker) return;
    worker.askToStop(job.id);
    if (!worker.isStarted) {
      // The process is still starting: the job fails, but the process goes on. Otherwise it would be killed and started
      // for ever if starting takes longer than a request may.
      this.#detach(job);
      job.reject(reason);
      this.#dispatch();
      return;
    }
    const { gracePeriod = usualGracePeriod, abandonedGracePeriod = usualAbandonedGracePeriod } = this.#options;
    job.graceTimer = setTimeout(() => void worker.end("kill"), hasLeft(job) ? abandonedGracePeriod : gracePeriod);
  }
}

/** Whether the caller has left; otherwise the time was over. */
export function hasLeft({ signal }: Pick<JobOptions, "signal">): boolean {
  return signal?.reason instanceof DossierError && signal.reason.code === "interrupted";
}

function shuttingDown(): DossierError {
  return new DossierError("server-busy", "The server is shutting down.");
}

function crashed(reason: string): DossierError {
  return new DossierError("worker-crashed", "The process that worked on this request ended.", {
    cause: new Error(reason),
  });
}
