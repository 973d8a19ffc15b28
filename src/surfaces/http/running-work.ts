import { DossierError } from "../../errors.ts";

/** The running operations: how many there may be, how long each may take, and how all of them are stopped. */
export type Work = {
  /** Runs an operation. Its signal is aborted when `request` is aborted, its time is over or the server stops. */
  run<Result>(request: AbortSignal, work: (signal: AbortSignal) => Promise<Result>, limit?: Limit): Promise<Result>;
  /** Called by running work: waits for all other work to end, holds new work back meanwhile, and runs exclusively. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Aborts all running work. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
};

type Limit = {
  seconds?: number;
  /** The owner who asks: no single owner takes all slots. */
  owner?: string;
};

/** The share of all slots that one owner may take, so that other owners find room. */
const shareOfOne = 0.75;
/** Milliseconds to wait for other work before something runs exclusively. */
const millisecondsForOthers = 10_000;

/** `running`: called when work really begins or ends. */
export function createWork(
  concurrency: number,
  running: (change: 1 | -1) => void,
  patience = millisecondsForOthers,
): Work {
  return new RunningWork(concurrency, running, patience);
}

class RunningWork implements Work {
  readonly #concurrency: number;
  readonly #running: (change: 1 | -1) => void;
  readonly #patience: number;
  /**
   * Aborts each running operation; with its owner. `AbortSignal.any` is not used: a signal made of a long-lived and a
   * short-lived one is not collected while the long-lived one lives.
   */
  readonly #stops = new Map<(reason: DossierError) => void, string | undefined>();
  #waiting: { met: () => boolean; resolve: () => void }[] = [];
  /** Work that is really running, without work that waits for an exclusive operation. */
  #working = 0;
  #gate: Promise<void> | undefined;

  constructor(concurrency: number, running: (change: 1 | -1) => void, patience: number) {
    this.#concurrency = concurrency;
    this.#running = running;
    this.#patience = patience;
  }

  async run<Result>(
    request: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
    { seconds, owner }: Limit = {},
  ): Promise<Result> {
    this.#refuseExcess(owner);
    const controller = new AbortController();
    const stop = (reason: DossierError) => controller.abort(reason);
    const leave = () => stop(new DossierError("interrupted", "The client went away."));
    const timeOut = () => stop(new DossierError("timed-out", `There was no answer within ${seconds} seconds.`));
    this.#stops.set(stop, owner);
    request.addEventListener("abort", leave, { once: true });
    if (request.aborted) leave();
    const timer = seconds === undefined ? undefined : setTimeout(timeOut, seconds * 1000);
    const { signal } = controller;
    const result = this.#runWhenOpen(() => work(signal), signal);
    // The slot is free when the work has really ended, not when its caller gets the timeout.
    const settled = () => {
      this.#stops.delete(stop);
      this.#resolveMet();
    };
    result.then(settled, settled);
    try {
      return await Promise.race([result, aborted(signal)]);
    } catch (error) {
      // Aborted work may throw an error of its own; the caller should read the reason of the abort.
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      request.removeEventListener("abort", leave);
    }
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#gate) throw new DossierError("server-busy", "Something that must be done alone is under way already.");
    let open: () => void = () => undefined;
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const refusal = new DossierError("server-busy", "Other requests take too long to wait for.");
      timer = setTimeout(() => reject(refusal), this.#patience);
    });
    try {
      await Promise.race([this.#until(() => this.#working <= 1), timeout]);
      return await work();
    } finally {
      clearTimeout(timer);
      this.#gate = undefined;
      open();
    }
  }

  stop(): void {
    for (const stop of this.#stops.keys()) stop(new DossierError("server-busy", "The server is shutting down."));
  }

  idle(): Promise<void> {
    return this.#until(() => this.#stops.size === 0);
  }

  #refuseExcess(owner: string | undefined): void {
    if (this.#stops.size >= this.#concurrency) {
      throw new DossierError("server-busy", `The server is at work on ${this.#concurrency} requests already.`);
    }
    const ownRunning = [...this.#stops.values()].filter((each) => each === owner).length;
    if (owner !== undefined && ownRunning >= Math.ceil(this.#concurrency * shareOfOne)) {
      throw new DossierError("server-busy", `The server is at work on ${ownRunning} requests of yours already.`);
    }
  }

  async #runWhenOpen<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    while (this.#gate) await this.#gate;
    signal.throwIfAborted();
    this.#working++;
    this.#running(1);
    try {
      return await work();
    } finally {
      this.#working--;
      this.#running(-1);
      this.#resolveMet();
    }
  }

  #until(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    return new Promise<void>((resolve) => this.#waiting.push({ met: isMet, resolve }));
  }

  #resolveMet(): void {
    const over = this.#waiting.filter(({ met }) => met());
    this.#waiting = this.#waiting.filter((each) => !over.includes(each));
    for (const { resolve } of over) resolve();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
