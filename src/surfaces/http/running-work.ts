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

export function createWork(
  concurrency: number,
  running: (change: 1 | -1) => void,
  patience = millisecondsForOthers,
): Work {
  // `AbortSignal.any` is not used: a signal made of a long-lived and a short-lived one is not collected while the
  // long-lived one lives.
  const stops = new Map<(reason: DossierError) => void, string | undefined>();
  let waiting: { met: () => boolean; resolve: () => void }[] = [];
  /** Work that is really running, without work that waits for an exclusive operation. */
  let working = 0;
  let gate: Promise<void> | undefined;

  const until = (isMet: () => boolean) =>
    isMet() ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ met: isMet, resolve }));
  const ended = () => {
    const over = waiting.filter(({ met }) => met());
    waiting = waiting.filter((each) => !over.includes(each));
    for (const { resolve } of over) resolve();
  };

  async function runWhenOpen<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    while (gate) await gate;
    signal.throwIfAborted();
    working++;
    running(1);
    try {
      return await work();
    } finally {
      working--;
      running(-1);
      ended();
    }
  }

  async function runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (gate) throw new DossierError("server-busy", "Something that must be done alone is under way already.");
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const refusal = new DossierError("server-busy", "Other requests take too long to wait for.");
      timer = setTimeout(() => reject(refusal), patience);
    });
    try {
      await Promise.race([until(() => working <= 1), timeout]);
      return await work();
    } finally {
      clearTimeout(timer);
      gate = undefined;
      open();
    }
  }

  async function run<Result>(
    request: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
    { seconds, owner }: Limit = {},
  ): Promise<Result> {
    if (stops.size >= concurrency) {
      throw new DossierError("server-busy", `The server is at work on ${concurrency} requests already.`);
    }
    const ownRunning = [...stops.values()].filter((each) => each === owner).length;
    if (owner !== undefined && ownRunning >= Math.ceil(concurrency * shareOfOne)) {
      throw new DossierError("server-busy", `The server is at work on ${ownRunning} requests of yours already.`);
    }
    const controller = new AbortController();
    const stop = (reason: DossierError) => controller.abort(reason);
    const leave = () => stop(new DossierError("interrupted", "The client went away."));
    const timeOut = () => stop(new DossierError("timed-out", `There was no answer within ${seconds} seconds.`));
    stops.set(stop, owner);
    request.addEventListener("abort", leave, { once: true });
    if (request.aborted) leave();
    const timer = seconds === undefined ? undefined : setTimeout(timeOut, seconds * 1000);
    const { signal } = controller;
    const result = runWhenOpen(() => work(signal), signal);
    // The slot is free when the work has really ended, not when its caller gets the timeout.
    const settled = () => {
      stops.delete(stop);
      ended();
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

  return {
    run,
    alone: runAlone,
    stop() {
      for (const stop of stops.keys()) stop(new DossierError("server-busy", "The server is shutting down."));
    },
    idle: () => until(() => stops.size === 0),
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
