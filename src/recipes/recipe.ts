import type { Header } from "../document.ts";
import type { Group, Kind, Role, SourceName } from "../item.ts";
import type { Note } from "../note.ts";
import type { QueryShape } from "../text/analysis/query.ts";
import type { TermField } from "../text/analysis/terms.ts";
import type { TimeRange } from "../text/times/times.ts";
import type { Lens } from "./lenses.ts";

/** A recipe is data: what is asked of which source, what each signal is worth, how the budget is shared, how it looks. */
export type Recipe = {
  name: string;
  asks: Ask[];
  /** How many candidates of files the second phase ranks. */
  candidates: number;
  /** Term weighting of the second phase: of items for short queries, of items for long ones, and of whole files. */
  question: Bm25;
  report: Bm25;
  file: Bm25;
  /** Weights of the signals that rank whole files, for short queries and for long ones; equal unless measured otherwise. */
  fileSignals: Record<"question" | "report", Record<FileSignal, number>>;
  /** Weights of the signals that rank items of files, by what the query looks like; `prose` of texts, for a question. */
  signals: Record<QueryShape | "prose", Record<ItemSignal, number>>;
  /** How much of a language model's weight counts, by what is asked and of what: 0 leaves it out. */
  meaning: MeaningFactors;
  /** What a test's score is multiplied by when the question is not about tests. */
  testFactor: number;
  /** The same of texts where they are not asked for: what has to be changed is code, and how something works is told by what does it. */
  proseFactors: Record<"question" | "report", number>;
  /** The same of items whose file has a role, unless the question asks for it. */
  roleFactors: Record<Role, number>;
  /** The same of all that is not text, when somebody wants to use or set up something. */
  usageFactor: number;
  records: RecordRanking;
  /** How notes are walked and ranked, where they are what the document is about. */
  notes?: NotesView;
  /** How what may help with the next message of a thread is ranked; without it sources rank by what is theirs. */
  chat?: ChatRanking;
  /** Which notes may be found, where they are one source of several. */
  noteFilter?: Pick<NotesView, "excludeTags" | "newerThan"> & { withoutOrigins?: string[] };
  look: Look;
};

/** `prose`: of texts in files, for a question; `record`: of all that is in no file, but messages. */
export type MeaningFactors = Record<QueryShape | "prose" | "record" | "message", number>;

export type ChatRanking = {
  weights: { text: number; keywords: number; recency: number; source: number; usage: number };
  recencyHours: number;
  /** What each kind is worth as a source; `file` is a document that is one chunk. */
  sources: { explicit: number; file: number; chunk: number; message: number };
  /** Lowest and highest score of each: `recent` is there only because it was opened lately. */
  bands: Record<"explicit" | "document" | "message" | "recent", readonly [low: number, high: number]>;
};

/** Which notes may be in the document, and what makes one of them relevant. */
export type NotesView = {
  lens: Lens;
  /** Names of tags; notes with one of them, or one that inherits from it, are left out and not walked through. */
  excludeTags: string[];
  /** Milliseconds since 1970: older notes are left out and not walked through. */
  newerThan?: number;
  /** Notes that were asked for by their tags and fields, in the order that was asked for. */
  selection?: NoteSelection;
  weights: { distance: number; similar: number; recency: number };
  /** The same where nothing is known of similarity. */
  withoutSimilar: { distance: number; recency: number };
  recencyDays: number;
  /** What a tag of the lens adds to a score, as a share of it. */
  boost: number;
};

/** `sorted`: in an order that somebody asked for, which no relevance changes. */
export type NoteSelection = { notes: readonly SelectedNote[]; sorted: boolean };

/** As much of a note as it takes to name it. */
export type SelectedNote = Pick<Note, "key" | "name" | "tags" | "created" | "changed"> & { id: string; origin: string };

/** One question to one source. */
export type Ask = {
  /** Name of a source (sources/all.ts). */
  source: string;
  /** Milliseconds it may take. */
  deadline: number;
  /** What to ask instead of the request's query. */
  query?: string;
  /** Only these of its items. */
  ids?: string[];
  /** The same by what named them: a mention, a reference of the thread. */
  references?: readonly NamedItems[];
  /** The times that it is about: messages of then are found, whatever they say. */
  times?: readonly TimeRange[];
  kinds?: Kind[];
  /** Only records whose body has one of these values, by dotted path. */
  where?: Record<string, (string | boolean)[]>;
  /** What its user wants to be told always: before all that was found, in the order of importance, and not once more among it. */
  first?: boolean;
  /** Most items to take from it. */
  limit?: number;
  /** Tokens there is room for: items that rank too low to have any of it are not taken. */
  room?: number;
  /** What scores of its items are multiplied by: sources are not equally likely to answer. */
  factor?: number;
  /** The same for a question about how things came to be. */
  historyFactor?: number;
  /** The section its items are printed in, where that is not decided by their kind. */
  section?: string;
  /** What `where` lets pass is relevant as such: the query only orders it. */
  certain?: boolean;
};

/** `priority`: 0..1, higher comes first. */
export type NamedItems = { ids: string[]; priority: number };

/** How items that are not in files are ranked. */
export type RecordRanking = {
  model: Bm25;
  signals: Record<RecordSignal, number>;
  /** How much of the score a record loses that has none of it, 0..1. */
  adjust: Record<Adjustment, number>;
  /** Recency is exp(-age / scale), age counted from the newest candidate. */
  recencyDays: number;
  /** Of a task: records of several kinds are ranked as one list. */
  together?: Together;
};

/** How records of several kinds are ranked against one task. */
export type Together = {
  /** Names of their sources. */
  sources: readonly string[];
  /** What a word that tasks are told with counts, of one that says what the task is about. */
  taskWords: number;
  /** How many of the best the others are compared with. */
  best: number;
  /** Of a query with fewer terms than this, each kind is ranked for itself. */
  fewestTerms: number;
};

/** How the document is laid out and its budget shared. */
export type Look = {
  title?: string;
  /** Of a document about a notes graph, which is laid out as the tree of the ways that led to each note. */
  header?: Header;
  /** What it says where there is nothing, instead of which words were not found. */
  nothing?: string;
  /** What the document says of itself at its end. */
  summary?: "sources" | "experiences";
  /** `worth`: what is worth most within the budget. `shares`: each section its share, what one leaves goes to the others. */
  budget: "worth" | "shares";
  /** Of `worth`: the very best choice where that is affordable, not only nearly the best one. */
  exact?: boolean;
  /** Of a chat: parts of the budget that the conversation has for itself. */
  conversation?: ConversationShares;
  /** Share of a section's tokens that one item may take, for `shares`. */
  itemCap?: number;
  style: "heading" | "brief";
  /** The best so many of these sources come first, under a title of their own, where there are more than that. */
  foremost?: { title: string; count: number; sources: readonly SourceName[] };
  /** In the order of print. */
  sections: Section[];
};

/** Of the whole budget: for the latest turns, newest first, and for the most relevant of what was said before them. */
export type ConversationShares = { latest: number; earlier: number };

/** `holds`: items of these groups, unless they were asked for under another section's title. */
export type Section = {
  title: string;
  holds: Group[];
  weight?: number;
  /** The most of the whole budget that it may take, as a share, however much is left. */
  most?: number;
};

/** The recipe with no say for a language model. */
export function withoutMeaning(recipe: Recipe): Recipe {
  const factors = Object.keys(recipe.meaning).map((name) => [name, 0]);
  return { ...recipe, meaning: Object.fromEntries(factors) as MeaningFactors };
}

/** The weighting for a query: what is true of a pasted report is not true of six words. */
export function unitModel(recipe: Recipe, shape: QueryShape): Bm25 {
  return isReport(shape) ? recipe.report : recipe.question;
}

/** What speaks for a file, by what the query looks like. */
export function fileWeights({ fileSignals }: Recipe, shape: QueryShape): Record<FileSignal, number> {
  return isReport(shape) ? fileSignals.report : fileSignals.question;
}

/** A pasted issue or error: long, and mostly circumstance. */
export function isReport(shape: QueryShape): boolean {
  return shape === "issue" || shape === "stack-trace";
}

export type Bm25 = { k1: number; b: number; weights: Record<TermField, number> };

export const fileSignals = [
  "text",
  "bestUnit",
  "title",
  "path",
  "symbol",
  "mentioned",
  "quoted",
  "history",
  "near",
] as const;
export type FileSignal = (typeof fileSignals)[number];

export const itemSignals = [
  "text",
  "title",
  "quoted",
  "file",
  "whole",
  "share",
  "name",
  "spelling",
  "symbol",
  "path",
  "message",
  "similar",
  "called",
] as const;
export type ItemSignal = (typeof itemSignals)[number];

/** `neighbours`: like those that say most of a task. `asked`: 1 for what a certain ask let pass. */
const recordSignals = ["text", "title", "similar", "neighbours", "asked"] as const;
type RecordSignal = (typeof recordSignals)[number];

/** `importance` of memories, `tier` of experiences, `recency` of commits and experiences. */
export const adjustments = ["importance", "tier", "recency"] as const;
type Adjustment = (typeof adjustments)[number];
