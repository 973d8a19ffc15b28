/** Buckets of tokens that all processes of a service draw from: one fills at `rate` a second up to `size`, and begins full. */
export type RateBuckets = {
  /** As many as are there, `wanted` at most; without any, the seconds until there is one. */
  take(
    caller: string,
    bucket: { rate: number; size: number },
    wanted: number,
  ): Promise<{ granted: number; wait: number }>;
};
