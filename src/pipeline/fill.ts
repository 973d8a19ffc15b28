import { type Draft, fits, type Room, shared, withOffer } from "./draft.ts";
import type { Offer } from "./offers.ts";

/** The knapsack's costs are exact but for what items share (imports, sources, titles); these settle the rest. */

type Step = { rank: number; offer: Offer | undefined; cost: number; value: number };

/** Takes back what costs least in value for the tokens it frees, until the document fits. */
export function repair(room: Room, draft: Draft): Draft {
  let current = draft;
  while (!fits(room, current)) {
    const step = cheapestLoss(room, current);
    if (!step) return current;
    current = withOffer(room, current, step.rank, step.offer);
  }
  return current;
}

function cheapestLoss(room: Room, { chosen, layout }: Draft): Step | undefined {
  const onlyLinked = layout.tokens <= room.budget;
  let best: Step | undefined;
  for (const [rank, now] of chosen.entries()) {
    if (!now || (onlyLinked && now.unique.distance === 0)) continue;
    const cheaper = room.items[rank]!.offers.filter(({ cost }) => cost < now.cost);
    for (const offer of [...cheaper, undefined]) {
      const cost = now.cost - (offer?.cost ?? 0);
      const value = now.value - (offer?.value ?? 0);
      if (!best || value * best.cost < best.value * cost) best = { rank, offer, cost, value };
    }
  }
  return best;
}

/** Steps that are tried, best first, before the room counts as full. */
const mostTries = 40;

/** Spends what is left on better levels and further items, those left for variety last. */
export function fill(room: Room, draft: Draft): Draft {
  let current = draft;
  // Where nothing was left for variety, a second round would try the same again.
  for (const allowVaried of draft.varied.size > 0 ? [false, true] : [false]) {
    for (let next: Draft | undefined = current; next; next = bestGain(room, current, allowVaried)) current = next;
  }
  return current;
}

function bestGain(room: Room, draft: Draft, allowVaried: boolean): Draft | undefined {
  const slack = room.budget - draft.layout.tokens;
  const steps: Step[] = [];
  for (const { rank, offers } of room.items) {
    if (!allowVaried && draft.varied.has(rank)) continue;
    const now = draft.chosen[rank];
    for (const offer of offers) {
      const cost = offer.cost - (now?.cost ?? 0);
      const value = offer.value - (now?.value ?? 0);
      if (value > 0 && cost <= slack + shared) steps.push({ rank, offer, cost, value });
    }
  }
  steps.sort((a, b) => b.value - a.value || a.rank - b.rank || a.cost - b.cost);
  for (const step of steps.slice(0, mostTries)) {
    const next = withOffer(room, draft, step.rank, step.offer);
    if (fits(room, next)) return next;
  }
  return undefined;
}
