import { isLoopback } from "../../operations/core/serving.ts";
import type { HttpSettings, Service } from "./settings.ts";
import { sharedRateLimit } from "./shared-rate-limit.ts";
import { rateLimit } from "./token-bucket.ts";

/** Refuses who asks more than it may: by its key, or without one by its address. */
export type RequestLimit = { key(id: string): Promise<void>; address(address: string): Promise<void> };

/** In all processes of a service together, where they share a database. */
export function requestLimit(
  { rateBuckets }: Pick<Service["workspace"], "rateBuckets">,
  { rate }: Pick<HttpSettings, "rate">,
): RequestLimit {
  const own = rateLimit(rate);
  if (!rateBuckets) return { key: async (id) => own(id), address: async (address) => own(`address ${address}`) };
  let opened: ReturnType<typeof rateBuckets> | undefined;
  const shared = sharedRateLimit(rate, {
    async take(...asked) {
      opened ??= rateBuckets();
      return (await opened).take(...asked);
    },
  });
  return {
    key: (id) => shared(id),
    // Every machine has one that calls itself 127.0.0.1: those are not the same.
    address: async (address) => (isLoopback(address) ? own(`address ${address}`) : shared(`address ${address}`)),
  };
}
