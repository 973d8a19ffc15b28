import type { Header } from "../document.ts";
import type { Group, Kind, Role, SourceName } from "../item.ts";
import type { Note } from "../note.ts";
import type { Query, QueryShape } from "../text/analysis/query.ts";
import type { TermField } from "../text/analysis/terms.ts";
import type { TimeRange } from "../text/times/times.ts";
import type { Lens } from "./lenses.ts";

/**
 * A recipe is data: the questions to each source, the weights of the signals, the shares of the budget, and the layout.
 */
export type Recipe = {
  name: string;
  asks: Ask[];
  /** How many candidates in files the second phase ranks. */
  candidates: number;
  /**
   * BM25F of the second phase: items for short queries, for questions about what the project does, for long queries,
   * and whole files.
   */
  question: Bm25;
  behaviour: Bm25;
  report: Bm25;
  file: Bm25;
  /**
   * Weights of the signals that rank whole files, for short queries and for long ones; equal unless measured otherwise.
   */
  fileSignals: Record<"question" | "report", Record<FileSignal, number>>;
  /**
   * Weights of the signals that rank items in files, by the shape of the query; `behaviour`: for what the project does;
   * `prose`: for prose, in a question.
   */
  signals: Record<QueryShape | "behaviour" | "prose", Record<ItemSignal, number>>;
  /**
   * Factors for the embedding model's weight, by the shape of the query and the kind of item: 0 leaves the model out.
   */
  meaning: MeaningFactors;
  /** Factor for tests when the query is not about tests. */
  testFactor: number;
  /**
   * Factor for prose that was not requested: a report needs the code to change, a question the code that does the work.
   * `heading`: in a question, for a section whose headings contain all of its words.
   */
  proseFactors: Record<"question" | "report" | "heading", number>;
  /**
   * Factor for configuration and for what builds or packages the project, in a question about what the project does.
   */
  configFactor: number;
  /** Factor for items whose file has a role, unless the query asks for that role. */
  roleFactors: Record<Role, number>;
  /** Factor for everything but prose and examples in "how do I use" queries. */
  usageFactor: number;
  records: RecordRanking;
  /** How notes are walked and ranked, in a document about a notes graph. */
  notes?: NotesView;
  /** Ranking for the next message of a thread; without it every source is ranked by its own signals. */
  chat?: ChatRanking;
  /** Which notes may be found, if notes are one source of several. */
  noteFilter?: Pick<NotesView, "excludeTags" | "newerThan"> & { withoutOrigins?: string[] };
  look: Look;
};

/** `prose`: prose in files, for a question; `record`: all records except messages. */
export type MeaningFactors = Record<QueryShape | "prose" | "record" | "message", number>;

export type ChatRanking = {
  weights: { text: number; keywords: number; recency: number; source: number; usage: number };
  recencyHours: number;
  /** Value of the signal `source` by kind; `file` is an item in a file, `chunk` one of a stored document. */
  sources: { explicit: number; file: number; chunk: number; message: number };
  /**
   * Lowest and highest score of each kind. `recent`: documents that are included only because they were opened
   * recently.
   */
  bands: Record<"explicit" | "document" | "message" | "recent", readonly [low: number, high: number]>;
};

/** Which notes the document may contain, and what makes a note relevant. */
export type NotesView = {
  lens: Lens;
  /** Tags: notes with one of them, or with one that inherits from it, are left out and not walked through. */
  excludeTags: string[];
  /** Milliseconds since 1970: older notes are left out and not walked through. */
  newerThan?: number;
  /** Notes selected by tags and fields, in the requested order. */
  selection?: NoteSelection;
  weights: { distance: number; similar: number; recency: number };
  /** The weights for a query that no note matches. */
  withoutSimilar: { distance: number; recency: number };
  recencyDays: number;
  /** Share of the score that a tag of the lens adds. */
  boost: number;
};

/** `sorted`: the order was requested, and relevance does not change it. */
export type NoteSelection = { notes: readonly SelectedNote[]; sorted: boolean };

/** The fields of a note that are needed to name it. */
export type SelectedNote = Pick<Note, "key" | "name" | "tags" | "created" | "changed"> & { id: string; origin: string };

/** One question to one source. */
export type Ask = {
  /** Name of a source (sources/all.ts). */
  source: string;
  /** Most milliseconds it may take. */
  deadline: number;
  /** Replaces the request's query. */
  query?: string;
  /** Only these items of the source. */
  ids?: string[];
  /** The same items, grouped by the mention or reference that named them. */
  references?: readonly NamedItems[];
  /** Times in the query: messages from then are found, whatever their text. */
  times?: readonly TimeRange[];
  kinds?: Kind[];
  /** Only records whose body has one of these values at a dotted path. */
  where?: Record<string, (string | boolean)[]>;
  /** Items that are always printed first, in the order of importance, and not repeated among the found ones. */
  alwaysFirst?: boolean;
  /** Most items to take from the source. */
  limit?: number;
  /** Tokens of the budget: items that rank too low to get any of it are dropped early. */
  room?: number;
  /** Factor for the scores of the items: sources are not equally likely to answer. */
  factor?: number;
  /** The factor for a question about history. */
  historyFactor?: number;
  /** The section its items are printed in, if their kind does not decide it. */
  section?: string;
  /** All items that pass `where` or `ids` are relevant; the query only orders them. */
  certain?: boolean;
};

/** `priority`: 0..1, the highest comes first. */
export type NamedItems = { ids: string[]; priority: number };

/** How records (items that are not in files) are ranked. */
export type RecordRanking = {
  model: Bm25;
  signals: Record<RecordSignal, number>;
  /** The share of its score that a record loses if the value is 0, 0..1. */
  adjust: Record<Adjustment, number>;
  /** Recency is exp(-age / scale), age counted from the newest candidate. */
  recencyDays: number;
  /** For a task: records of several kinds are ranked as one list. */
  together?: Together;
};

/** How records of several kinds are ranked as one list for a task. */
export type Together = {
  /** Names of their sources. */
  sources: readonly string[];
  /** Factor for general task words ("fix", "update"), relative to words of the subject. */
  taskWords: number;
  /** How many of the best records the others are compared with. */
  best: number;
  /** With fewer query terms, each kind is ranked separately. */
  fewestTerms: number;
};

/** How the document is laid out and its budget shared. */
export type Look = {
  title?: string;
  /** Set for a document about a notes graph: it is laid out as a tree of the paths that led to each note. */
  header?: Header;
  /** The sentence for an empty result, instead of the list of unknown words. */
  nothing?: string;
  /** The summary line at the end of the document. */
  summary?: "sources" | "experiences";
  /**
   * `worth`: the highest total value (knapsack). `shares`: each section has its share, and unused tokens go to the
   * others.
   */
  budget: "worth" | "shares";
  /** With `worth`: compute the exact optimum if that is affordable. */
  exact?: boolean;
  /** Set for a chat: shares of the budget that are reserved for the conversation. */
  conversation?: ConversationShares;
  /** With `shares`: the share of a section's tokens that one item may take. */
  itemCap?: number;
  style: "heading" | "brief";
  /** The best `count` items of these sources come first, in their own section, if there are more than that. */
  mostRelevant?: { title: string; count: number; sources: readonly SourceName[] };
  /** In printed order. */
  sections: Section[];
};

/** Shares of the whole budget: for the latest turns, newest first, and for the most relevant earlier ones. */
export type ConversationShares = { latest: number; earlier: number };

/** `holds`: items of these groups, unless their ask names another section. */
export type Section = {
  title: string;
  holds: Group[];
  weight?: number;
  /** The largest share of the whole budget that the section may take, even if tokens are left. */
  maxShare?: number;
};

/** The recipe without an embedding model. */
export function withoutMeaning(recipe: Recipe): Recipe {
  const factors = Object.keys(recipe.meaning).map((name) => [name, 0]);
  return { ...recipe, meaning: Object.fromEntries(factors) as MeaningFactors };
}

/** The BM25F parameters for a query: a pasted report and a query of six words need different ones. */
export function unitModel(recipe: Recipe, { shape, wantsBehaviour }: Query): Bm25 {
  if (isReport(shape)) return recipe.report;
  return wantsBehaviour ? recipe.behaviour : recipe.question;
}

/** Weights of file signals, by the shape of the query. */
export function fileWeights({ fileSignals }: Recipe, shape: QueryShape): Record<FileSignal, number> {
  return isReport(shape) ? fileSignals.report : fileSignals.question;
}

/** Whether the query is a pasted issue or error: long, and mostly about circumstances. */
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
  "body",
  "hinted",
] as const;
export type ItemSignal = (typeof itemSignals)[number];

/** `neighbours`: similarity to the records that match the task best. `asked`: 1 for items of a certain ask. */
const recordSignals = ["text", "title", "similar", "neighbours", "asked"] as const;
type RecordSignal = (typeof recordSignals)[number];

/** `importance` of memories, `tier` of experiences, `recency` of commits and experiences. */
export const adjustments = ["importance", "tier", "recency"] as const;
type Adjustment = (typeof adjustments)[number];
