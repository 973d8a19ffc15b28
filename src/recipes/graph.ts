import type { Header } from "../document.ts";
import { code, records } from "./code.ts";
import { builtInLenses, type Lens } from "./lenses.ts";
import type { Ask, NoteSelection, NotesView, Recipe } from "./recipe.ts";

export type GraphOptions = {
  lens?: Lens;
  excludeTags?: string[];
  newerThan?: number;
  header?: Header;
  selection?: NoteSelection;
  /** True for a selection without a topic, which needs no source. */
  isTopicless?: boolean;
};

/** How many matching notes are found: the walk starts from some; the others add to the scores of their pages. */
const mostFound = 100;

/**
 * A topic or a note in a notes graph: matching notes, and the notes that the lens's relations lead to. Weights for
 * distance to the source, similarity to the query, and recency.
 */
export function graph(options: GraphOptions = {}): Recipe {
  const { lens = builtInLenses[0]!, excludeTags = [], newerThan, header, selection, isTopicless = false } = options;
  return {
    ...code,
    name: "graph",
    asks: isTopicless ? [] : [askOf(selection)],
    records: { ...records, signals: { ...records.signals, asked: 3 } },
    notes: {
      ...{ ...view, lens, excludeTags },
      ...(newerThan === undefined ? {} : { newerThan }),
      ...(selection ? { selection } : {}),
    },
    look: {
      ...(header ? { header } : {}),
      budget: "worth",
      style: "heading",
      sections: [{ title: "Notes", holds: ["note"] }],
    },
  };
}

/** With a selection, finds all of its notes that match the topic. */
function askOf(selection: NoteSelection | undefined): Ask {
  const ask = { source: "note", deadline: 5000 };
  return selection
    ? { ...ask, limit: Math.max(mostFound, selection.notes.length), ids: selection.notes.map(({ id }) => id) }
    : { ...ask, limit: mostFound };
}

const view: Omit<NotesView, "lens" | "excludeTags"> = {
  weights: { distance: 0.4, similar: 0.35, recency: 0.25 },
  withoutSimilar: { distance: 0.6, recency: 0.4 },
  recencyDays: 30,
  boost: 0.25,
};
