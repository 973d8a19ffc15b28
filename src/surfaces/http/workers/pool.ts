import { DossierError } from "../../../errors.ts";
import type { BuiltFigures } from "../../../operations/chat/context-figures.ts";
import type { Progress } from "../../../operations/core/operation.ts";
import { startWorker, type WorkerProcess } from "./process.ts";
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
  /** Processes at most; each is started when there is work for it. */
  size: number;
  /** Further processes, for short jobs while all others work on long ones. */
  express?: number;
  /** Jobs of one process at the same time; those that wait for the server are not counted. */
  jobsEach: number;
  niceness?: number;
  /** Milliseconds after which a process without work ends. */
  idle?: number;
  /** Milliseconds for a job to end by itself when its time is over; then its process is ended. */
  notice?: number;
  /** The same where nobody waits for it any more. */
  noticeOfLeft?: number;
};

export type JobOptions = Queued & {
  signal?: AbortSignal;
  /** Whether it may be run again from its beginning, because its process was ended for another one's sake. */
  repeatable: boolean;
  onProgress?: (progress: Progress) => void;
  onQuestion?: (question: Question) => Promise<WorkerReply>;
  onChanged?: () => void;
  onBuilt?: (figures: BuiltFigures) => void;
};

/** Worker processes and the jobs that wait for them. */
export type WorkerPool = {
  run(job: Job, options: JobOptions): Promise<unknown>;
  /** Ends all processes and runs something that none of them may see; waiting and repeatable jobs go on afterwards. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Ends all for good. */
  close(): Promise<void>;
};

const usualIdle = 5 * 60_000;
const usualNotice = 500;
/**
 * While somebody types, each letter aborts the question before it. A process that is killed for that must read the
 * index anew, which takes seconds. So an abandoned job may go on for a while, for less than it could have taken had
 * its client stayed.
 */
const usualNoticeOfLeft = 10_000;
/** The most owners remembered for a process, as many as its stores cache. */
const mostOwners = 64;
/** Most attempts for a job: if its process crashes every time, the job is to blame. */
const mostAttempts = 2;

type Entry = JobOptions & {
  id: number;
  job: Job;
  attempts: number;
  seat?: Seat;
  /** Whether it has a place at work; not while it waits for the server. */
  working: boolean;
  isLong: boolean;
  notice?: NodeJS.Timeout;
  done: (output: unknown) => void;
  failed: (error: unknown) => void;
};

type Seat = {
  process: WorkerProcess;
  jobs: Map<number, Entry>;
  /** Jobs whose wait is over and that have no place yet. */
  ready: (() => void)[];
  working: number;
  /** Owners whose data it has read before are answered faster. */
  owners: Set<string>;
  idle?: NodeJS.Timeout;
  /** Its program is loaded. */
  started: boolean;
  /** It was ended on purpose. */
  reason?: "killed" | "closed";
};

export function createPool(options: WorkerPoolOptions): WorkerPool {
  const {
    size,
    express = 0,
    jobsEach,
    idle = usualIdle,
    notice = usualNotice,
    noticeOfLeft = usualNoticeOfLeft,
  } = options;
  const queue = fairQueue<Entry>();
  const seats = new Set<Seat>();
  let ids = 0;
  let closed = false;
  let paused = false;
  /** Long jobs that are running. */
  let long = 0;

  function open(): Seat {
    const seat: Seat = {
      jobs: new Map(),
      ready: [],
      working: 0,
      started: false,
      owners: new Set(),
      process: startWorker({
        ...options,
        onMessage: (message) => hear(seat, message),
        onEnd: (reason) => lose(seat, reason),
      }),
    };
    seats.add(seat);
    return seat;
  }

  /** Processes with room that are not about to end. */
  function freeSeats(): Seat[] {
    return [...seats].filter(
      ({ working, ready, reason }) => reason === undefined && working < jobsEach && ready.length === 0,
    );
  }

  /** The free process that knows the owner, else the one with the least to do; a new one rather than one that works. */
  function seatFor(owner: string): Seat | undefined {
    const free = freeSeats();
    const unused = free.filter(({ working }) => working === 0);
    const best = unused.find(({ owners }) => owners.has(owner)) ?? unused[0];
    if (best) return best;
    if (seats.size < size + express) return open();
    return free.sort((a, b) => a.working - b.working)[0];
  }

  function dispatch(): void {
    for (const seat of seats) {
      while (seat.working < jobsEach && seat.ready.length > 0) seat.ready.shift()!();
    }
    while (!closed && !paused && (seats.size < size + express || freeSeats().length > 0)) {
      const entry = queue.take(long < size * jobsEach ? undefined : "short");
      if (!entry) break;
      begin(entry, seatFor(entry.owner)!);
    }
    for (const seat of seats) rest(seat);
  }

  function begin(entry: Entry, seat: Seat): void {
    entry.seat = seat;
    entry.attempts++;
    entry.isLong = !queue.isShort(entry);
    seat.jobs.set(entry.id, entry);
    if (seat.owners.size >= mostOwners) seat.owners.clear();
    seat.owners.add(entry.owner);
    work(entry, seat);
    seat.process.send({ type: "run", id: entry.id, job: entry.job });
  }

  function work(entry: Entry, seat: Seat): void {
    clearTimeout(seat.idle);
    seat.idle = undefined;
    entry.working = true;
    if (entry.isLong) long++;
    seat.working++;
  }

  function pause(entry: Entry): void {
    if (!entry.working) return;
    entry.working = false;
    if (entry.isLong) long--;
    entry.seat!.working--;
  }

  function rest(seat: Seat): void {
    if (seat.jobs.size > 0 || seat.idle || seat.reason !== undefined) return;
    seat.idle = setTimeout(() => void end(seat, "closed"), idle);
    seat.idle.unref();
  }

  function hear(seat: Seat, message: FromWorker): void {
    if (message.type === "ready") {
      seat.started = true;
      return;
    }
    const entry = seat.jobs.get(message.id);
    if (!entry) return;
    if (message.type === "progress") entry.onProgress?.(message.progress);
    else if (message.type === "changed") entry.onChanged?.();
    else if (message.type === "built") entry.onBuilt?.(message.figures);
    else if (message.type === "question") wait(entry, seat, message.number, message.question);
    else {
      leave(entry);
      if (message.type === "done") {
        queue.took(entry, message.cost);
        entry.done(message.output);
      } else entry.failed(unpackFailure(message.failure));
      dispatch();
    }
  }

  /** While a job waits for the server, its process has room for another one. */
  function wait(entry: Entry, seat: Seat, question: number, request: Question): void {
    pause(entry);
    const goOn = (reply: WorkerReply) => {
      if (entry.seat !== seat) return;
      seat.ready.push(() => {
        if (entry.seat !== seat) return;
        work(entry, seat);
        seat.process.send({ type: "reply", id: entry.id, question, reply });
      });
      dispatch();
    };
    (entry.onQuestion ? entry.onQuestion(request) : Promise.resolve([])).then(goOn, (error) =>
      goOn({ failure: packFailure(error) }),
    );
    dispatch();
  }

  function leave(entry: Entry): void {
    pause(entry);
    clearTimeout(entry.notice);
    entry.seat?.jobs.delete(entry.id);
    entry.seat = undefined;
  }

  /**
   * A process has ended. Which job was at fault cannot be known, so those at work fail, and the rest is queued again.
   */
  function lose(seat: Seat, reason: string): void {
    if (!seats.delete(seat)) return;
    clearTimeout(seat.idle);
    for (const entry of seat.jobs.values()) {
      const innocent = seat.reason !== undefined || !entry.working || jobsEach > 1;
      leave(entry);
      if (entry.signal?.aborted) entry.failed(entry.signal.reason);
      else if (closed) entry.failed(new DossierError("server-busy", "The server is shutting down."));
      else if (innocent && entry.repeatable && entry.attempts < mostAttempts) queue.add(entry);
      else entry.failed(crashed(reason));
    }
    dispatch();
  }

  async function end(seat: Seat, reason: "killed" | "closed"): Promise<void> {
    seat.reason = reason;
    await (reason === "killed" ? seat.process.kill() : seat.process.close());
  }

  /** Asks a job to stop; where it does not react in time, its process is killed. */
  function stop(entry: Entry): void {
    if (queue.remove(entry)) {
      entry.failed(entry.signal!.reason);
      return;
    }
    const { seat } = entry;
    if (!seat) return;
    seat.process.send({ type: "stop", id: entry.id });
    if (!seat.started) {
      // The process is still starting: the job fails, but the process goes on. Else it would be killed and started
      // for ever where starting takes longer than a request may.
      leave(entry);
      entry.failed(entry.signal!.reason);
      dispatch();
      return;
    }
    entry.notice = setTimeout(() => void end(seat, "killed"), hasLeft(entry) ? noticeOfLeft : notice);
  }

  return {
    run(job, options) {
      return new Promise((done, failed) => {
        if (closed) throw new DossierError("server-busy", "The server is shutting down.");
        options.signal?.throwIfAborted();
        const entry: Entry = { ...options, id: ++ids, job, attempts: 0, working: false, isLong: false, done, failed };
        const onAbort = () => stop(entry);
        options.signal?.addEventListener("abort", onAbort, { once: true });
        const stopListening = () => options.signal?.removeEventListener("abort", onAbort);
        entry.done = (output) => {
          stopListening();
          done(output);
        };
        entry.failed = (error) => {
          stopListening();
          failed(error);
        };
        queue.add(entry);
        dispatch();
      });
    },
    async without(work) {
      paused = true;
      try {
        await Promise.all([...seats].map((seat) => end(seat, "closed")));
        return await work();
      } finally {
        paused = false;
        dispatch();
      }
    },
    async close() {
      closed = true;
      for (let entry = queue.take(); entry; entry = queue.take()) {
        entry.failed(new DossierError("server-busy", "The server is shutting down."));
      }
      await Promise.all([...seats].map((seat) => end(seat, "closed")));
    },
  };
}

/** Whether whoever asked has left; otherwise time was over. */
export function hasLeft({ signal }: Pick<JobOptions, "signal">): boolean {
  return signal?.reason instanceof DossierError && signal.reason.code === "interrupted";
}

function crashed(reason: string): DossierError {
  return new DossierError("worker-crashed", "The process that worked on this request ended.", {
    cause: new Error(reason),
  });
}
