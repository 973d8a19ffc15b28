import type { UsageEvent, UsageKind } from "../stores/library.ts";

/** What one event counts: a person's word is worth more than a model's citation. */
const weights: Record<UsageKind, number> = { cited: 1, useful: 3, "not-useful": -3 };

const day = 86_400_000;
/** After this long an event counts half. */
const halfLife = 30 * day;
/** So much use is as much as counts. */
const saturation = 10;

/** How often an item proved useful, 0..1: what is cited ten times now counts as much as can be. Never negative. */
export function usageFrequency(events: readonly Pick<UsageEvent, "kind" | "at">[], now: number): number {
  let sum = 0;
  for (const { kind, at } of events) sum += weights[kind] * 2 ** (-Math.max(0, now - at) / halfLife);
  return Math.min(1, Math.max(0, sum / saturation));
}
