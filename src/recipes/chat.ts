import { code, records } from "./code.ts";
import type { Ask, ChatRanking, Recipe } from "./recipe.ts";

/** Things that were named by whoever asks, or that belong to the thread: ids of items of one source. */
export type Explicit = { source: string; ids: string[] };

export const explicitSection = "Referenced";

/** Weights and bands as the first design has them: what was named is above all that was found, what was found above what was said. */
const ranking: ChatRanking = {
  weights: { text: 0.35, keywords: 0.25, recency: 0.15, source: 0.15, usage: 0.1 },
  // Hours after which recency is a third: 0.01 an hour.
  recencyHours: 100,
  sources: { explicit: 1, file: 0.7, chunk: 0.6, message: 0.5 },
  bands: { explicit: [0.8, 1], document: [0.4, 0.8], message: [0.2, 0.6], recent: [0.1, 0.3] },
};

const deadline = 2000;

/** Context for the next message of a thread: what it refers to, documents, and what was said before. */
export function chat(explicit: readonly Explicit[] = []): Recipe {
  const named: Ask[] = explicit
    .filter(({ ids }) => ids.length > 0)
    .map(({ source, ids }) => ({ source, ids, deadline, certain: true, section: explicitSection, limit: ids.length }));
  return {
    ...code,
    name: "chat",
    asks: [...named, { source: "document", deadline, limit: 40 }, { source: "message", deadline, limit: 40 }],
    records,
    chat: ranking,
    look: {
      budget: "worth",
      exact: true,
      style: "brief",
      sections: [
        { title: explicitSection, holds: [] },
        { title: "Documents", holds: ["documentation", "code", "other"] },
        { title: "Conversation", holds: ["conversation"] },
      ],
    },
  };
}
