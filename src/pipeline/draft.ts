import type { Layout, Layouter } from "./layout.ts";
import type { Offer, Offers } from "./offers.ts";

/** What there is to choose from, and the room for it. */
export type Room = {
  items: Offers[];
  layouter: Layouter;
  /** Tokens for the whole document, and for the items that were only reached by links. */
  budget: number;
  linkedBudget: number;
};

/** An offer may turn out this much cheaper than it was priced alone: its imports or its file are there already. */
export const shared = 12;

/** A choice in progress, at most one offer for each item by rank, laid out and counted. */
export type Draft = { chosen: (Offer | undefined)[]; varied: ReadonlySet<number>; layout: Layout };

export function draftOf(room: Room, chosen: (Offer | undefined)[], varied: ReadonlySet<number> = new Set()): Draft {
  const shown = chosen.filter((offer) => offer !== undefined);
  let leftForVariety = 0;
  for (const rank of varied) if (!chosen[rank]) leftForVariety++;
  return { chosen, varied, layout: room.layouter.lay(shown, leftForVariety) };
}

/** The same draft with another offer, or none, for one item. */
export function withOffer(room: Room, draft: Draft, rank: number, offer: Offer | undefined): Draft {
  return draftOf(room, draft.chosen.with(rank, offer), draft.varied);
}

export function fits({ budget, linkedBudget }: Room, { layout }: Draft): boolean {
  return layout.tokens <= budget && layout.linked <= linkedBudget;
}

export function valueOfDraft({ chosen }: Draft): number {
  return chosen.reduce((sum, offer) => sum + (offer?.value ?? 0), 0);
}
