import { DossierError } from "../../errors.ts";

/** Seconds of requests that may come at once. */
const burstSeconds = 5;
/** The most callers kept in memory: beyond this, those that have been quiet longest start with a full bucket again. */
const mostBuckets = 10_000;

type Bucket = { tokens: number; at: number };

/** The error of a refused request, with the seconds to wait. */
export class TooManyRequests extends DossierError {
  readonly retryAfter: number;
  constructor(seconds: number) {
    super("too-many-requests", "These are more requests than this key may make.");
    this.retryAfter = Math.max(1, Math.ceil(seconds));
  }
}

export function bucketSize(rate: number): number {
  return Math.max(1, rate * burstSeconds);
}

/** A token bucket for each caller: it fills at `rate` a second, a request takes one. `rate` 0 limits nothing. */
export function rateLimit(rate: number, now: () => number = () => performance.now()): (caller: string) => void {
  const buckets = new Map<string, Bucket>();
  const size = bucketSize(rate);
  return (caller) => {
    if (rate <= 0) return;
    const at = now();
    const bucket = buckets.get(caller) ?? { tokens: size, at };
    bucket.tokens = Math.min(size, bucket.tokens + ((at - bucket.at) / 1000) * rate);
    bucket.at = at;
    // Inserted last, so that the first entry of the map is the one that was quiet longest.
    buckets.delete(caller);
    buckets.set(caller, bucket);
    if (buckets.size > mostBuckets) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens < 1) throw new TooManyRequests((1 - bucket.tokens) / rate);
    bucket.tokens -= 1;
  };
}
