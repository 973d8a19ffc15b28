import type { Scored } from "../item.ts";
import { explicitSection } from "../recipes/chat.ts";

/** Named by whoever asks: never given up for something that was only found. */
export function isExplicit({ item, signals, section }: Scored): boolean {
  return item.source === "reference" || (signals.asked === 1 && section === explicitSection);
}

/** The first of what one reference names: of every reference there is one. */
export function isFirstOfReference(scored: Scored): boolean {
  return isExplicit(scored) && (scored.signals.place ?? 0) === 0;
}

/** More than anything that was only found can be worth, however short it is. */
const least = 10;
/** The same for each of its tokens: a long function that was asked for does not go for a short one that was not. */
const leadBonus = 100;
/** Places of a reference that are told apart: sums of values are exact that far. */
const places = 16;

/**
 * What being named adds to an item's worth. Of what one reference names, each counts as much as all that are less relevant together: however
 * long it is, the most relevant comes first. Of several references each has its first before any has its second.
 */
export function bonusOf(scored: Scored & { lead?: boolean; pinned?: boolean }): number {
  if (!isExplicit(scored)) return scored.lead || scored.pinned ? leadBonus : 0;
  const { place = 0, priority = 1 } = scored.signals;
  return least * (1 + priority) * 2 ** Math.max(0, places - place);
}
