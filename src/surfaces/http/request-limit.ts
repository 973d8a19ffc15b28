import { isLoopback } from "../../operations/core/serving.ts";
import type { HttpSettings, Service } from "./settings.ts";
import { bucketSize, rateLimit, TooManyRequests } from "./token-bucket.ts";

/** Refuses callers that send too many requests: by key, or without one by address. */
export type RequestLimit = { key(id: string): Promise<void>; address(address: string): Promise<void> };

/** Limits all processes of a service together, where they share a database. */
export function requestLimit(
  { rateBuckets }: Pick<Service["workspace"], "rateBuckets">,
  { rate }: Pick<HttpSettings, "rate">,
): RequestLimit {
  const localLimit = rateLimit(rate);
  if (!rateBuckets)
    return { key: async (id) => localLimit(id), address: async (address) => localLimit(`address ${address}`) };
  let sharedBuckets: ReturnType<typeof rateBuckets> | undefined;
  const shared = sharedRateLimit(rate, {
    async take(...args) {
      sharedBuckets ??= rateBuckets();
      return (await sharedBuckets).take(...args);
    },
  });
  return {
    key: (id) => shared(id),
    // Every machine has its own 127.0.0.1, so that address is never shared.
    address: async (address) => (isLoopback(address) ? localLimit(`address ${address}`) : shared(`address ${address}`)),
  };
}

/** The share of one second's tokens that is fetched at once: larger batches need fewer queries. */
const share = 0.1;
const mostAtOnce = 50;
/** Milliseconds after which unused tokens expire, so that no caller collects more than a burst. */
const untilGivenUp = 1000;
/** Milliseconds before the buckets are queried again for a caller that was refused. */
const betweenRefusals = 50;
/** Milliseconds that a request waits for the shared buckets; after a timeout they are not queried for a while. */
const patience = 250;
const untilAskedAgain = 1000;
const mostCallers = 10_000;

type RateBuckets = Awaited<ReturnType<NonNullable<Service["workspace"]["rateBuckets"]>>>;
type Lease = { left: number; until: number; refusedUntil: number; asking?: Promise<void> };

/**
 * One limit for all processes of a service: tokens are taken from shared buckets, in batches. While the buckets cannot
 * be queried, each process limits by itself: a service works on when its database is slow, and a caller gets at most
 * the limit of each process.
 */
export function sharedRateLimit(
  rate: number,
  buckets: RateBuckets,
  now: () => number = () => performance.now(),
): (caller: string) => Promise<void> {
  const localLimit = rateLimit(rate, now);
  const size = bucketSize(rate);
  const atOnce = Math.min(mostAtOnce, Math.max(1, Math.floor(rate * share)));
  const leases = new Map<string, Lease>();
  let aloneUntil = Number.NEGATIVE_INFINITY;

  const leaseOf = (caller: string): Lease => {
    const lease = leases.get(caller) ?? { left: 0, until: 0, refusedUntil: Number.NEGATIVE_INFINITY };
    // Inserted last, so that the first entry of the map is the one that was quiet longest.
    leases.delete(caller);
    leases.set(caller, lease);
    if (leases.size > mostCallers) leases.delete(leases.keys().next().value!);
    return lease;
  };
  const ask = async (caller: string, lease: Lease) => {
    try {
      const { granted, wait } = await within(patience, buckets.take(caller, { rate, size }, atOnce));
      lease.left = granted;
      lease.until = now() + untilGivenUp;
      if (granted === 0) lease.refusedUntil = now() + Math.max(wait * 1000, betweenRefusals);
    } catch {
      // Any failure is passed over: requests that need the database report it.
      aloneUntil = now() + untilAskedAgain;
    } finally {
      lease.asking = undefined;
    }
  };

  return async (caller) => {
    if (rate <= 0) return;
    const lease = leaseOf(caller);
    while (now() >= aloneUntil) {
      if (lease.left > 0 && now() < lease.until) {
        lease.left--;
        return;
      }
      if (now() < lease.refusedUntil) throw new TooManyRequests((lease.refusedUntil - now()) / 1000);
      lease.asking ??= ask(caller, lease);
      await lease.asking;
    }
    localLimit(caller);
  };
}

/** The result within this time; otherwise an error. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
