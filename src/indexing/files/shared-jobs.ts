import type { DescribeJob } from "./describe.ts";

/** The index of the next job; and for each worker the index of its current job, or `noJob`. */
export type Claims = Int32Array<SharedArrayBuffer>;

/**
 * A queue as a worker receives it. The worker does the first `own` jobs before it takes others. `slot`: where it writes
 * the index of its current job.
 */
export type SharedQueue = { jobs: DescribeJob[]; claims: Claims; own: number; slot: number };

export const noJob = -1;

/** Takes the next job: returns its index, which no other thread gets. */
export function nextJob(claims: Claims): number {
  return Atomics.add(claims, 0, 1);
}
