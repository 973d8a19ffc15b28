/** Token buckets shared by all processes of a service: one fills at `rate` a second up to `size`, and starts full. */
export type RateBuckets = {
  /** Takes the available tokens, at most `requested`; without any, returns the seconds until there is one. */
  take(
    caller: string,
    bucket: { rate: number; size: number },
    requested: number,
  ): Promise<{ granted: number; wait: number }>;
};
