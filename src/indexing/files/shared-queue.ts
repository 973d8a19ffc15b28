import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { CacheFolders } from "../descriptions/description-cache.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, prepareDescribing } from "./describe.ts";
import { openDescriber } from "./describe-cached.ts";
import { type Reply, type WorkerData, workerLimits } from "./pool.ts";
import { type Claims, nextJob, noJob, type SharedQueue } from "./shared-jobs.ts";

/**
 * A queue of jobs that this thread and worker threads take from. All are busy to the end, though this one also writes
 * what was described; a pool of workers lets it wait, and costs the start of one more: each thread compiles the program
 * and the grammars by itself.
 */

/** A worker thread that helps this one; it starts while this one goes on. */
export type Helper = {
  /** Hands it the queue. `onReply` gets its replies; `onEnd` hears why it ended before it was closed. */
  begin(queue: SharedQueue, onReply: (reply: Reply) => void, onEnd: (problem: string) => void): void;
  close(): Promise<void>;
};

export type TogetherOptions = {
  context: DescribeContext;
  /** Where descriptions are cached; absent for no cache. */
  cache?: CacheFolders;
  /** A file of this size and more is left to a helper, which can be ended. */
  largest: number;
  signal?: AbortSignal;
  /** A helper that has a file in hand for longer is ended. */
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
 * Describes the files of these jobs here and by the helpers, and hands each outcome over, in any order. A helper that
 * crashes or hangs is not replaced: the file it had in hand is reported, and this thread does the rest. Returns
 * warnings.
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
  /** Ends all helpers: what they have in hand is done here, except for the file that is to blame. */
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
      // Replies of the helpers come in between.
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
    // What the helpers sent last may still be taken.
    while (left > 0 && !isStopped()) await woken();
  } finally {
    clearInterval(watch);
    signal?.removeEventListener("abort", onAbort);
    describer.close();
  }
  if (failure) throw failure.error;
  return warnings;
}
