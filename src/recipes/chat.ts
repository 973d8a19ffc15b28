import type { TimeRange } from "../text/times/times.ts";
import { code, records } from "./code.ts";
import type { Ask, ChatRanking, NamedItems, Recipe } from "./recipe.ts";

/** Items of one source that the message names or that belong to the thread. */
type Explicit = { source: string; references: readonly NamedItems[] };

export const explicitSection = "Referenced";

/** Weights and bands: named items above documents, documents above messages. */
const ranking: ChatRanking = {
  weights: { text: 0.35, keywords: 0.25, recency: 0.15, source: 0.15, usage: 0.1 },
  // Exponential decay of 0.01 per hour: a third after 100 hours.
  recencyHours: 100,
  sources: { explicit: 1, file: 0.7, chunk: 0.6, message: 0.5 },
  bands: { explicit: [0.8, 1], document: [0.4, 0.8], message: [0.2, 0.6], recent: [0.1, 0.3] },
};

const deadline = 2000;
/** Limit on named items: the most relevant of every reference. */
const mostNamed = 60;
/** Limit on documents, and on messages. */
const limit = 40;
const mostFiles = 12;

export type ChatOptions = {
  explicit?: readonly Explicit[];
  /**
   * The message without its mentions: a mention already names its items, and its words should not match other
   * documents.
   */
  about?: string;
  /** The times that the message names. */
  times?: readonly TimeRange[];
  /** Tokens of the budget for documents. */
  room?: number;
  /** Whether to search at all: small talk and questions about the conversation itself need only the latest turns. */
  search?: boolean;
};

/** Context for the next message of a thread: referenced items, documents, files and earlier messages. */
export function chat({ explicit = [], about, times = [], room, search = true }: ChatOptions = {}): Recipe {
  const withQuery = about === undefined ? {} : { query: about };
  const named = explicit.flatMap(({ source, references }): Ask[] => {
    const ids = [...new Set(references.flatMap((each) => each.ids))];
    const limit = Math.min(ids.length, Math.max(mostNamed, references.length));
    const ask = { source, ...withQuery, ids, references, deadline, certain: true, section: explicitSection, limit };
    return ids.length === 0 ? [] : [ask];
  });
  return {
    ...code,
    name: "chat",
    asks: [
      ...named,
      ...(search
        ? [{ source: "document", ...withQuery, deadline, limit, ...(room === undefined ? {} : { room }) }]
        : []),
      ...(search ? [{ source: "files", ...withQuery, deadline, limit: mostFiles }] : []),
      { source: "message", ...(search ? {} : { query: "" }), deadline, limit, ...(times.length > 0 ? { times } : {}) },
    ],
    records,
    chat: ranking,
    look: {
      budget: "worth",
      exact: true,
      conversation: { latest: 0.25, earlier: 0.2 },
      style: "brief",
      sections: [
        { title: explicitSection, holds: [] },
        { title: "Documents", holds: ["documentation", "code", "other"] },
        { title: "Conversation", holds: ["conversation"] },
      ],
    },
  };
}
