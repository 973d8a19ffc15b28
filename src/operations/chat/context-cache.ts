import { LRUCache } from "lru-cache";
import type { Context } from "../../item.ts";

/** A context is kept for half a minute after it was last asked for, as long as nothing that it was made from has changed. */
const cache = new LRUCache<string, Context>({ max: 100, ttl: 30_000, updateAgeOnGet: true });

/**
 * The same answer for the same question. The key is everything that the answer depends on: owner, workspace, all options, the question, and
 * the revisions of what was searched; so a new message, another user or a changed document never gets an old context.
 */
export async function cached(
  key: readonly unknown[],
  build: () => Promise<Context>,
): Promise<{ context: Context; hit: boolean }> {
  const name = JSON.stringify(key);
  const known = cache.get(name);
  if (known) return { context: known, hit: true };
  const context = await build();
  cache.set(name, context);
  return { context, hit: false };
}

export function cachedContexts(): number {
  return cache.size;
}
