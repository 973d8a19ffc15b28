import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { CacheFolders } from "../descriptions/description-cache.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, prepareDescribing } from "./describe.ts";
import { openDescriber } from "./describe-cached.ts";
import { type Reply, type WorkerData, workerLimits } from "./pool.ts";
import { type Claims, nextJob, noJob, type SharedQueue } from "./shared-jobs.ts";

/**
 * A queue of jobs from which this thread and worker threads take. All stay busy to the end, although this thread also
 * writes what was described. With a pool of workers this thread would wait, and one more worker would have to start:
 * each thread compiles the program and the grammars separately.
 */

/** A worker thread that helps this one; this thread continues while it starts. */
export type Helper = {
  /** Gives the helper the queue. `onReply` gets its replies; `onEnd` gets the reason if it ends before it is closed. */
  begin(queue: SharedQueue, onReply: (reply: Reply) => void, onEnd: (problem: string) => void): void;
  close(): Promise<void>;
};

export type TogetherOptions = {
  context: DescribeContext;
  /** Where descriptions are cached; if absent, nothing is cached. */
  cache?: CacheFolders;
  /** Files of at least this many bytes are left to a helper, since a helper can be terminated. */
  largest: number;
  signal?: AbortSignal;
  /** Milliseconds on one file after which a helper is terminated. */
  timeout?: number;
};

const defaultTimeout = 30_000;
const betweenLooks = 1_000;

export function startHelper(script: string, data: WorkerData): Helper {
  const worker = new Worker(script, { workerData: data, resourceLimits: workerLimits(), stdout: true, stderr: true });
  let problem = "it ended";
  let [isEnded, isClosed] = [false, false];
  let tellEnd: ((problem: string) => void) | undefined;
  worker.on("error", (error) => {
    problem = error.message;
  });
  worker.on("exit", () => {
    isEnded = true;
    if (!isClosed) tellEnd?.(problem);
  });
  return {
    begin(queue, onReply, onEnd) {
      if (isEnded) return onEnd(problem);
      tellEnd = onEnd;
      worker.on("message", (message: "ready" | Reply) => {
        if (message !== "ready" && !isClosed) onReply(message);
      });
      worker.postMessage(queue);
    },
    async close() {
      isClosed = true;
      await worker.terminate();
    },
  };
}

/**
 * Describes the files of these jobs here and in the helpers, and passes each outcome on, in any order. A helper that
 * crashes or hangs is not replaced: its current file is reported, and this thread does the rest. Returns warnings.
 */
export async function describeTogether(
  jobs: readonly DescribeJob[],
  helpers: readonly Helper[],
  options: TogetherOptions,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<string[]> {
  const { context, cache, largest, signal, timeout = defaultTimeout } = options;
  const large = jobs.filter(({ size }) => size >= largest);
  const queue = [...large, ...jobs.filter(({ size }) => size < largest)];
  const placeOf = new Map(queue.map(({ path }, place) => [path, place]));
  const claims: Claims = new Int32Array(new SharedArrayBuffer((1 + helpers.length) * 4)).fill(noJob);
  claims[0] = large.length;

  const warnings: string[] = [];
  const isDone = new Uint8Array(queue.length);
  let left = queue.length;
  let failure: { error: unknown } | undefined;
  let isAlone = helpers.length === 0;
  let wake: (() => void) | undefined;
  const deliver = async (place: number, outcome: DescribeOutcome) => {
    if (isDone[place]) return;
    isDone[place] = 1;
    try {
      await take(outcome);
    } catch (error) {
      failure ??= { error };
    }
    if (--left === 0 || failure) wake?.();
  };
  let hasHelp = false;
  /** Ends all helpers. This thread does their current jobs, except for the file that is to blame. */
  const giveUp = (slot: number, problem: string) => {
    const place = Atomics.load(claims, slot);
    if (place !== noJob) {
      const { path, size, modified } = queue[place]!;
      void deliver(place, { path, is: "skipped", reason: "failed", size, modified, detail: problem });
    } else if (!hasHelp) {
      warnings.push(`Indexed in one thread, because worker threads did not start (${problem}).`);
    }
    isAlone = true;
    for (const helper of helpers) void helper.close();
    wake?.();
  };

  const describer = openDescriber(context, cache);
  const since = helpers.map(() => ({ place: noJob, at: 0 }));
  const watch = setInterval(
    () => {
      for (const [index, last] of since.entries()) {
        const place = Atomics.load(claims, 1 + index);
        if (place !== last.place) since[index] = { place, at: performance.now() };
        else if (place !== noJob && !isAlone && performance.now() - last.at > timeout) {
          giveUp(1 + index, `the parser took more than ${timeout / 1000} s`);
        }
      }
    },
    Math.min(betweenLooks, timeout),
  );
  const onAbort = () => wake?.();
  signal?.addEventListener("abort", onAbort);
  try {
    for (const [index, helper] of helpers.entries()) {
      const shared = { jobs: queue, claims, own: index === 0 ? large.length : 0, slot: 1 + index };
      helper.begin(
        shared,
        ({ outcome }) => {
          if (isAlone) return;
          hasHelp = true;
          void deliver(placeOf.get(outcome.path)!, outcome.is === "packed" ? describer.unpacked(outcome) : outcome);
        },
        (problem) => {
          if (!isAlone) giveUp(1 + index, claims[1 + index] === noJob ? problem : `the parser crashed: ${problem}`);
        },
      );
    }
    await prepareDescribing(queue);
    const describeHere = async (place: number) => {
      if (isDone[place]) return;
      await deliver(place, await describer.describe(queue[place]!));
      // Lets replies of the helpers arrive in between.
      await nextTurn();
    };
    const isStopped = () => failure !== undefined || signal?.aborted === true;
    for (let place = 0; !isStopped() && (place = nextJob(claims)) < queue.length; ) await describeHere(place);
    const woken = () =>
      new Promise<void>((done) => {
        wake = done;
      });
    while (left > 0 && !isAlone && !isStopped()) await woken();
    for (let place = 0; place < queue.length && !isStopped(); place++) await describeHere(place);
    // The last replies of the helpers may still arrive.
    while (left > 0 && !isStopped()) await woken();
  } finally {
    clearInterval(watch);
    signal?.removeEventListener("abort", onAbort);
    describer.close();
  }
  if (failure) throw failure.error;
  return warnings;
}
