import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import { descriptionFolders } from "../descriptions/cache-folder.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, describePath } from "./describe.ts";
import type { Pool } from "./pool.ts";

/** How jobs are run: in this thread when they are few, else in worker threads. */
export type RunOptions = {
  signal?: AbortSignal;
  /** Worker threads for larger updates; 0 does everything in this thread. */
  workers?: number;
  /** The workers' program; the built one by default. */
  workerScript?: string;
  /** True where nobody else waits for this thread. */
  isForOneCall?: boolean;
};

/** Below these, starting threads takes longer than the work. A large file still gets a thread, so that it can be cancelled. */
const fewFiles = 24;
const fewBytes = 512 * 1024;
/**
 * The same for a command that does nothing else. Each thread starts, loads its grammars and compiles by itself, a third of a second of the
 * processor: without them a cold chi (99 files, 417 KB) takes a fifth less, and .98 times as long by the clock. On two quiet cores gin (126 files,
 * 830 KB) would take a sixth less of the processor, but 1.08 times as long.
 */
const ofOneCall = { files: 320, bytes: 512 * 1024, largest: 256 * 1024 };

/** Writing a file takes about half as long as describing it, and one thread writes: a third worker would only cost memory. */
const mostWorkers = 2;
/**
 * Queue length of a worker: enough to stay busy while a batch is written, which blocks this thread for some 200 ms. Bounded in bytes
 * too, since descriptions wait in memory until they are written.
 */
const jobsPerWorker = 32;
const bytesPerWorker = 1024 * 1024;

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DossierError("interrupted", "Indexing was interrupted.");
}

/**
 * Describes the files of these jobs and hands each outcome over, in any order. Jobs are started only as fast as outcomes are taken,
 * which bounds memory. Returns warnings.
 */
export async function runJobs(
  jobs: DescribeJob[],
  context: DescribeContext,
  options: RunOptions,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<string[]> {
  const warnings: string[] = [];
  const { signal } = options;
  const pool = await poolFor(jobs, context, options, warnings);
  const stop = () => void pool?.pool.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await (pool ? inThreads(jobs, pool, signal, take) : inThisThread(jobs, context, options, take));
  } catch (error) {
    stopIfAborted(signal);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool?.pool.close();
  }
  return warnings;
}

async function inThisThread(
  jobs: DescribeJob[],
  context: DescribeContext,
  options: RunOptions,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<void> {
  const { signal } = options;
  const isMany = jobs.length >= fewFiles && isSmallForOneCall(jobs, options);
  const folders = isMany ? descriptionFolders(context.root, options.workerScript) : undefined;
  const cached = folders && (await import("./describe-cached.ts")).cachedDescriber(context, folders);
  try {
    for (const job of jobs) {
      stopIfAborted(signal);
      await nextTurn();
      await take(await (cached ? cached.describe(job) : describePath(context, job)));
    }
  } finally {
    cached?.close();
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
  if (jobs.length < fewFiles && bytesOf(jobs) < fewBytes) return undefined;
  if (isSmallForOneCall(jobs, options)) return undefined;
  const size = Math.min(options.workers ?? Math.min(mostWorkers, availableParallelism()), jobs.length);
  if (size <= 0) return undefined;
  try {
    const script = options.workerScript;
    // Loaded here: few commands describe so much that they need threads.
    const { openPool } = await import("./pool.ts");
    return { pool: await openPool({ size, context, script, cache: descriptionFolders(context.root, script) }), size };
  } catch (error) {
    warnings.push(`Indexed in one thread, because worker threads did not start (${(error as Error).message}).`);
    return undefined;
  }
}

function isSmallForOneCall(jobs: DescribeJob[], { isForOneCall, workers }: RunOptions): boolean {
  const { files, bytes, largest } = ofOneCall;
  if (!isForOneCall || workers !== undefined) return false;
  return jobs.length < files && bytesOf(jobs) < bytes && jobs.every(({ size }) => size < largest);
}

function bytesOf(jobs: DescribeJob[]): number {
  return jobs.reduce((sum, { size }) => sum + size, 0);
}
