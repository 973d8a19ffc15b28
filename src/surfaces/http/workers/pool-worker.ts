import type { JobOptions } from "./pool.ts";
import { startWorker, type WorkerOptions, type WorkerProcess } from "./process.ts";
import type { Job, WorkerReply } from "./worker-protocol.ts";

/** A job of the pool: queued while it has no worker. */
export type PoolJob = JobOptions & {
  id: number;
  job: Job;
  attempts: number;
  worker?: PoolWorker;
  /** Whether it takes one of its worker's slots; a job that waits for the server takes none. */
  isActive: boolean;
  isLong: boolean;
  graceTimer?: NodeJS.Timeout;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
};

/** The most owners remembered for a process, as many as its stores cache. */
const mostOwners = 64;

/** One process of the pool, with its jobs. */
export class PoolWorker {
  readonly jobs = new Map<number, PoolJob>();
  /** Its program is loaded. */
  isStarted = false;
  /** Set if it is ended on purpose. */
  endedBy?: "kill" | "close";
  readonly #process: WorkerProcess;
  readonly #slots: number;
  #active = 0;
  /** Jobs that have the server's reply and wait for a free slot. */
  readonly #resuming: (() => void)[] = [];
  /** Owners whose data it has read: their next request is answered faster. */
  readonly #owners = new Set<string>();
  #idleTimer?: NodeJS.Timeout;

  constructor(slots: number, process: WorkerOptions) {
    this.#slots = slots;
    this.#process = startWorker(process);
  }

  get active(): number {
    return this.#active;
  }

  /** Whether it takes another job: it has a free slot that no earlier job waits for, and is not about to end. */
  get isFree(): boolean {
    return this.endedBy === undefined && this.#active < this.#slots && this.#resuming.length === 0;
  }

  knows(owner: string): boolean {
    return this.#owners.has(owner);
  }

  begin(job: PoolJob): void {
    this.jobs.set(job.id, job);
    if (this.#owners.size >= mostOwners) this.#owners.clear();
    this.#owners.add(job.owner);
    this.#process.send({ type: "run", id: job.id, job: job.job });
  }

  /** Resumes a job that waited for the server as soon as a slot is free; `onSlot` takes the slot. */
  resume(onSlot: () => void): void {
    this.#resuming.push(onSlot);
  }

  resumeWaiting(): void {
    while (this.#active < this.#slots && this.#resuming.length > 0) this.#resuming.shift()!();
  }

  reply(id: number, question: number, reply: WorkerReply): void {
    this.#process.send({ type: "reply", id, question, reply });
  }

  occupySlot(): void {
    this.cancelIdleTimer();
    this.#active++;
  }

  vacateSlot(): void {
    this.#active--;
  }

  /** Asks a job to stop. */
  askToStop(id: number): void {
    this.#process.send({ type: "stop", id });
  }

  closeAfter(idleMilliseconds: number): void {
    if (this.jobs.size > 0 || this.#idleTimer || this.endedBy !== undefined) return;
    this.#idleTimer = setTimeout(() => void this.end("close"), idleMilliseconds);
    this.#idleTimer.unref();
  }

  cancelIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  async end(by: "kill" | "close"): Promise<void> {
    this.endedBy = by;
    await this.#process[by]();
  }
}
