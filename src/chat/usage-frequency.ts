import type { UsageEvent, UsageKind } from "../stores/library.ts";

/** Weight of one event: a person's feedback counts more than a model's citation. */
const weights: Record<UsageKind, number> = { cited: 1, useful: 3, "not-useful": -3 };

const day = 86_400_000;
/** After this long an event counts half. */
const halfLife = 30 * day;
/** The sum that counts as 1. */
const saturation = 10;

/** How often an item proved useful, 0..1: ten recent citations reach the maximum. Never negative. */
export function usageFrequency(events: readonly Pick<UsageEvent, "kind" | "at">[], now: number): number {
  let sum = 0;
  for (const { kind, at } of events) sum += weights[kind] * 2 ** (-Math.max(0, now - at) / halfLife);
  return Math.min(1, Math.max(0, sum / saturation));
}
