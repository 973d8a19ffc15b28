import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, describePath } from "./describe.ts";
import { openPool, type Pool } from "./pool.ts";

/** How jobs are run: in this thread when they are few, in worker threads otherwise. */
export type RunOptions = {
  signal?: AbortSignal;
  /** Worker threads for larger updates; 0 does everything in this thread. */
  workers?: number;
  /** The workers' program; the built one by default. */
  workerScript?: string;
};

/** Below these, starting threads takes longer than the work. A large file still gets a thread, so that it can be given up. */
const fewFiles = 24;
const fewBytes = 512 * 1024;

/** Writing a file takes about half as long as describing it, and one thread writes: a third worker would only cost memory. */
const mostWorkers = 2;
/** One job at work and one waiting, so that a worker does not idle while results are written. */
const jobsPerWorker = 2;

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DossierError("interrupted", "Indexing was interrupted.");
}

/**
 * Describes the jobs' files and hands each outcome over, in any order. No more jobs are begun than outcomes are taken,
 * which bounds memory. Returns what the user should know about how it went.
 */
export async function runJobs(
  jobs: DescribeJob[],
  ground: DescribeContext,
  options: RunOptions,
  take: (outcome: DescribeOutcome) => Promise<void>,
): Promise<string[]> {
  const warnings: string[] = [];
  const { signal } = options;
  const pool = await poolFor(jobs, ground, options, warnings);
  const stop = () => void pool?.pool.close();
  signal?.addEventListener("abort", stop, { once: true });
  let next = 0;
  const lane = async () => {
    while (next < jobs.length) {
      stopIfAborted(signal);
      const job = jobs[next++]!;
      if (!pool) await nextTurn();
      await take(pool ? await pool.pool.describe(job) : await describePath(ground, job));
    }
  };
  try {
    await Promise.all(Array.from({ length: (pool?.size ?? 0) * jobsPerWorker || 1 }, lane));
  } catch (error) {
    stopIfAborted(signal);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool?.pool.close();
  }
  return warnings;
}

async function poolFor(
  jobs: DescribeJob[],
  ground: DescribeContext,
  options: RunOptions,
  warnings: string[],
): Promise<{ pool: Pool; size: number } | undefined> {
  const bytes = jobs.reduce((sum, job) => sum + job.size, 0);
  if (jobs.length < fewFiles && bytes < fewBytes) return undefined;
  const size = Math.min(options.workers ?? Math.min(mostWorkers, availableParallelism()), jobs.length);
  if (size <= 0) return undefined;
  try {
    return { pool: await openPool({ size, ground, script: options.workerScript }), size };
  } catch (error) {
    warnings.push(`Indexed in one thread, because worker threads did not start (${(error as Error).message}).`);
    return undefined;
  }
}
