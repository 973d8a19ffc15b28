import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import { descriptionFolders } from "../descriptions/cache-folder.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, describePath } from "./describe.ts";
import type { Pool } from "./pool.ts";
import type { Helper } from "./shared-queue.ts";
import { workerScript } from "./worker-script.ts";

/** How jobs are run: in this thread when they are few, else in worker threads. */
export type RunOptions = {
  signal?: AbortSignal;
  /** Number of worker threads for larger updates; with 0 this thread does everything. */
  workers?: number;
  /** The workers' program; the built one by default. */
  workerScript?: string;
  /** True if no other work waits for this thread. */
  isForOneCall?: boolean;
  /** Threads that were started before the jobs were known; see `startHelpers`. */
  helpers?: Helper[];
};

/**
 * Below these limits, starting threads takes longer than the work. A large file still gets a thread, so that it can be
 * cancelled.
 */
const fewFiles = 24;
const fewBytes = 512 * 1024;
/**
 * From this many bytes on, a first answer is described together with helpers (shared-queue.ts). Below it, a helper
 * saved no time and cost a fifth more processor time.
 */
export const fewTogether = 320 * 1024;
/**
 * An index of fewer bytes is made by this thread alone: a helper compiles the program and the grammars again, a tenth
 * to a seventh of the processor time. Above it, describing takes so long that a helper saves time; above
 * `mostTogether`, writing keeps this thread busy.
 */
const fewForIndex = 1024 * 1024;
const mostTogether = 4 * 1024 * 1024;
/** A file of this size is left to a helper, since a helper can be terminated. */
const largest = 256 * 1024;

/**
 * Writing a file takes about half as long as describing it, and one thread writes, so a third worker would only cost
 * memory.
 */
const mostWorkers = 2;
/**
 * Queue length of a worker: enough to stay busy while a batch is written, which blocks this thread for some 200 ms. The
 * bytes are limited too, since descriptions wait in memory until they are written.
 */
const jobsPerWorker = 32;
const bytesPerWorker = 1024 * 1024;

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DossierError("interrupted", "Indexing was interrupted.");
}

/**
 * Describes the files of these jobs and passes each outcome on, in any order. Jobs are started only as fast as outcomes
 * are taken, which limits memory. Returns warnings.
 */
export async function runJobs(
  jobs: DescribeJob[],
  context: DescribeContext,
  options: RunOptions,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<string[]> {
  const { signal } = options;
  const helpers = options.helpers ?? (await helpersFor(jobs, context, options));
  if (helpers) {
    const cache = descriptionFolders(context.root, options.workerScript);
    const { describeTogether } = await import("./shared-queue.ts");
    try {
      const warnings = await describeTogether(jobs, helpers, { context, cache, largest, signal }, take);
      stopIfAborted(signal);
      return warnings;
    } finally {
      // Not awaited: the helpers have no job left, and what they described can be written meanwhile.
      for (const helper of helpers) void helper.close();
    }
  }
  const warnings: string[] = [];
  const pool = await poolFor(jobs, context, options, warnings);
  const stop = () => void pool?.pool.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await (pool ? inThreads(jobs, pool, signal, take) : inThisThread(jobs, context, signal, take));
  } catch (error) {
    stopIfAborted(signal);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool?.pool.close();
  }
  return warnings;
}

async function helpersFor(
  jobs: DescribeJob[],
  context: DescribeContext,
  options: RunOptions,
): Promise<Helper[] | undefined> {
  const bytes = bytesOf(jobs);
  if (!isAlone(options) || isFew(jobs) || bytes > mostTogether) return undefined;
  const isSmall = bytes < fewForIndex && jobs.every(({ size }) => size < largest);
  return isSmall ? [] : startHelpers(context, options);
}

/** Whether this thread serves one command only. */
function isAlone({ isForOneCall, workers }: RunOptions): boolean {
  return isForOneCall === true && workers === undefined;
}

/**
 * Starts threads that help a command to describe files; the command continues while they start. Undefined if others
 * wait for this thread, as in a server, or if there is no second core. `runJobs` closes them.
 */
export async function startHelpers(context: DescribeContext, options: RunOptions): Promise<Helper[] | undefined> {
  const { workerScript: script = workerScript() } = options;
  const count = Math.min(mostWorkers, availableParallelism() - 1);
  if (!isAlone(options) || script === undefined || count <= 0) return undefined;
  const cache = descriptionFolders(context.root, script);
  const { startHelper } = await import("./shared-queue.ts");
  return Array.from({ length: count }, () => startHelper(script, { context, cache }));
}

async function inThisThread(
  jobs: DescribeJob[],
  context: DescribeContext,
  signal: AbortSignal | undefined,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<void> {
  for (const job of jobs) {
    stopIfAborted(signal);
    await nextTurn();
    await take(await describePath(context, job));
  }
}

/** Runs as many files at once as the queues have room for; each finished file admits the next. */
async function inThreads(
  jobs: DescribeJob[],
  { pool, size }: { pool: Pool; size: number },
  signal: AbortSignal | undefined,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<void> {
  let next = 0;
  let bytes = 0;
  let underWay = 0;
  let failure: { error: unknown } | undefined;
  await new Promise<void>((done) => {
    const run = async (job: DescribeJob) => {
      try {
        await take(await pool.describe(job));
      } catch (error) {
        failure ??= { error };
      }
      underWay--;
      bytes -= job.size;
      begin();
    };
    const begin = () => {
      while (next < jobs.length && !failure && !signal?.aborted) {
        const job = jobs[next]!;
        const isFull = underWay >= size * jobsPerWorker || bytes + job.size > size * bytesPerWorker;
        if (isFull && underWay > 0) return;
        next++;
        underWay++;
        bytes += job.size;
        void run(job);
      }
      if (underWay === 0) done();
    };
    begin();
  });
  stopIfAborted(signal);
  if (failure) throw failure.error;
}

async function poolFor(
  jobs: DescribeJob[],
  context: DescribeContext,
  options: RunOptions,
  warnings: string[],
): Promise<{ pool: Pool; size: number } | undefined> {
  if (isFew(jobs)) return undefined;
  const size = Math.min(options.workers ?? Math.min(mostWorkers, availableParallelism()), jobs.length);
  if (size <= 0) return undefined;
  try {
    const script = options.workerScript;
    // Loaded here, since few commands describe so much that they need threads.
    const { openPool } = await import("./pool.ts");
    return { pool: await openPool({ size, context, script, cache: descriptionFolders(context.root, script) }), size };
  } catch (error) {
    warnings.push(`Indexed in one thread, because worker threads did not start (${(error as Error).message}).`);
    return undefined;
  }
}

function isFew(jobs: DescribeJob[]): boolean {
  return jobs.length < fewFiles && bytesOf(jobs) < fewBytes;
}

function bytesOf(jobs: DescribeJob[]): number {
  return jobs.reduce((sum, { size }) => sum + size, 0);
}
