import type { DescribeJob } from "./describe.ts";

/** The place of the next job, and for each worker the place of the job it has in hand, or `noJob`. */
export type Claims = Int32Array<SharedArrayBuffer>;

/**
 * A queue as a worker gets it. It does the first `own` jobs before it takes others; `slot`: where it says which one it
 * has in hand.
 */
export type SharedQueue = { jobs: DescribeJob[]; claims: Claims; own: number; slot: number };

export const noJob = -1;

/** Takes the next job: its place, which no other thread gets. */
export function nextJob(claims: Claims): number {
  return Atomics.add(claims, 0, 1);
}
