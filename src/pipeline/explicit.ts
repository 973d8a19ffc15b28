import { type Scored, sourceTraits } from "../item.ts";
import { explicitSection } from "../recipes/chat.ts";

/** Whether the caller named the item: it is never given up for one that was only found. */
export function isExplicit({ item, signals, section }: Scored): boolean {
  return sourceTraits[item.source].named === true || (signals.asked === 1 && section === explicitSection);
}

/** Whether it is the most relevant item of a reference. Every reference has one. */
export function isFirstOfReference(scored: Scored): boolean {
  return isExplicit(scored) && (scored.signals.place ?? 0) === 0;
}

/** More than any item that was only found can be worth, however short it is. */
const namedBonus = 10;
/** The same per token: a long function that was asked for is not given up for a short one that was not. */
const leadBonus = 100;
/** How many places of a reference are distinguished: up to here the sums of powers of two are exact. */
const mostPlaces = 16;

/**
 * Value added to a named item. Within one reference, each item counts as much as all less relevant ones together
 * (powers of two), so the most relevant comes first however long it is. With several references, each gets its first
 * item before any gets its second.
 */
export function bonusOf(scored: Scored & { lead?: boolean; pinned?: boolean }): number {
  if (!isExplicit(scored)) return scored.lead || scored.pinned ? leadBonus : 0;
  const { place = 0, priority = 1 } = scored.signals;
  return namedBonus * (1 + priority) * 2 ** Math.max(0, mostPlaces - place);
}
