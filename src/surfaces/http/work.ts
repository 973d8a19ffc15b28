import { DossierError } from "../../errors.ts";

/** The operations under way: how many may be, how long each may take, and how all of them are told to stop. */
export type Work = {
  /** Runs one, which is told to stop when `request` is aborted, its time is over or the server stops. */
  run<Result>(
    request: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
    limit?: { seconds?: number },
  ): Promise<Result>;
  /** Tells all to stop. */
  stop(): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
};

export function createWork(concurrency: number, running: (change: 1 | -1) => void): Work {
  // Kept by hand: a signal made of a lasting one and a short one is not collected while the lasting one lives.
  const stops = new Set<(reason: DossierError) => void>();
  let waiting: (() => void)[] = [];
  const ended = () => {
    running(-1);
    if (stops.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  async function run<Result>(
    request: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
    { seconds }: { seconds?: number } = {},
  ): Promise<Result> {
    if (stops.size >= concurrency) {
      throw new DossierError("server-busy", `The server is at work on ${concurrency} requests already.`);
    }
    const controller = new AbortController();
    const stop = (reason: DossierError) => controller.abort(reason);
    const leave = () => stop(new DossierError("interrupted", "The client went away."));
    const timeOut = () => stop(new DossierError("timed-out", `There was no answer within ${seconds} seconds.`));
    stops.add(stop);
    running(1);
    request.addEventListener("abort", leave, { once: true });
    if (request.aborted) leave();
    const timer = seconds === undefined ? undefined : setTimeout(timeOut, seconds * 1000);
    const { signal } = controller;
    const result = Promise.resolve().then(() => work(signal));
    // Its place is free when it has really ended, not when its caller is told that it takes too long.
    const settled = () => {
      stops.delete(stop);
      ended();
    };
    result.then(settled, settled);
    try {
      return await Promise.race([result, aborted(signal)]);
    } catch (error) {
      // Work that was told to stop may say so in its own words; the reason is what the caller should read.
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      request.removeEventListener("abort", leave);
    }
  }

  return {
    run,
    stop() {
      for (const stop of stops) stop(new DossierError("server-busy", "The server is shutting down."));
    },
    idle: () => (stops.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
