import type { DocumentPart, Dropped, Header, LevelCost, TokenUse } from "./document.ts";

/** The nouns of Dossier. Everything that can be found, ranked, printed or left out is an Item. */

export const sourceNames = [
  "code",
  "file",
  "note",
  "memory",
  "experience",
  "value",
  "commit",
  "message",
  "document",
  "reference",
] as const;
export type SourceName = (typeof sourceNames)[number];

export const codeKinds = [
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "constant",
  // A member or a variable of a line or so: found by its name, not by its text.
  "field",
  // Statements of a module that belong to no other unit, and static initialisers.
  "block",
  "module",
  "file",
] as const;
export const documentKinds = ["document", "section", "config"] as const;
/**
 * Kinds of items that are not in a file. An experience is an item on each of its axes: the whole story, the strategy,
 * the surprise, the root cause.
 */
const recordKinds = [
  "memory",
  "experience",
  "strategy",
  "surprise",
  "root_cause",
  "value",
  "commit",
  "note",
  "message",
  "chunk",
] as const;
export const kinds = [...codeKinds, ...documentKinds, ...recordKinds] as const;
export type Kind = (typeof kinds)[number];

/**
 * The group that an item belongs to for a reader, whatever language or tool it came from: documents are divided by
 * it.
 */
export type Group =
  | "code"
  | "documentation"
  | "conversation"
  | "memory"
  | "experience"
  | "value"
  | "commit"
  | "note"
  | "other";

/**
 * Traits of all items of a source. The pipeline asks for these and not for names, so that a new source is one more
 * line here.
 */
type SourceTraits = {
  /** Of items that are lines of a file: what the file is. */
  lines?: "code" | "text" | "any";
  /** The group they are printed in; absent where the kind of each item tells. */
  group?: Group;
  /** Whether they count less as they get older. Memories and values do not: they are true until they are changed. */
  ages?: true;
  /** Which two of them are one. */
  copies: readonly CopyRule[];
};

/** The same code, the very same words, or texts that are nearly the same: of any length, or only long ones. */
export type CopyRule = "code" | "words" | "texts" | "long-texts";

export const sourceTraits: Record<SourceName, SourceTraits> = {
  // Two functions that share most of their lines are two.
  code: { lines: "code", copies: ["code"] },
  file: { lines: "text", copies: ["long-texts"] },
  reference: { lines: "any", copies: ["long-texts"] },
  // There may be hundreds of notes and chunks, and short ones are alike without being copies.
  note: { group: "note", copies: ["words", "long-texts"] },
  document: { group: "documentation", copies: ["long-texts"] },
  memory: { group: "memory", copies: ["texts"] },
  experience: { group: "experience", ages: true, copies: ["texts"] },
  value: { group: "value", copies: ["texts"] },
  commit: { group: "commit", ages: true, copies: ["texts"] },
  // Turns of a conversation repeat much of each other, and each says something else.
  message: { group: "conversation", copies: ["words"] },
};

export const linkKinds = [
  "contains",
  "imports",
  "calls",
  "references",
  "extends",
  "implements",
  "tests",
  "touches",
  // Of notes: what owns it and what it owns, what it mentions or is mentioned by, what is a value of its fields.
  "child",
  "parent",
  "reference",
  "field",
] as const;
export type LinkKind = (typeof linkKinds)[number];

/** What a file is, where it is not the product's own code or its documentation as it is now: ranked lower unless the query asks for it. */
const roles = [
  "example",
  "fixture",
  "benchmark",
  "vendored",
  "generated",
  "build-output",
  "declaration",
  "old-version",
  "translation",
  "changelog",
] as const;
export type Role = (typeof roles)[number];

/** One piece of evidence: a function, a class, a heading's section, a whole file. Lines are 1-based and inclusive. */
export type Item = {
  /** `cod-` and a 64-bit hash in base 36 of source, path, kind, qualified name and ordinal: it survives edits and moved lines. */
  id: string;
  source: SourceName;
  kind: Kind;
  name: string;
  /** `path::Outer.inner`; for a whole file, its path. */
  qualifiedName: string;
  path: string;
  startLine: number;
  endLine: number;
  language?: string;
  /** The declaration without its body, as written; several lines are kept. */
  signature?: string;
  /** The doc comment's text, without comment marks. */
  doc?: string;
  /** Hash of the exact lines startLine..endLine when they were indexed (`hashText`). */
  hash: string;
  /** Id of the item that contains this one. */
  parent?: string;
  /** True for tests and their helpers: ranked lower unless the query asks for tests. */
  test?: boolean;
  /** Of its file. */
  role?: Role;
  /** Last change, milliseconds since 1970, where known. */
  changed?: number;
};

/** Items that are lines of a file; all others are records, with a text of their own. */
export function isInFile(source: SourceName): boolean {
  return sourceTraits[source].lines !== undefined;
}

/** True for messages of a conversation: short, and understood by the messages before them. */
export function isTurn(source: SourceName): boolean {
  return sourceTraits[source].group === "conversation";
}

/** Items that stand for a whole file rather than a part of one. */
export function isWholeFile(kind: Kind): boolean {
  return kind === "file" || kind === "document" || kind === "config";
}

/** A text for people, whole or a section of it. Configuration is text too, and is read as code is. */
export function isProse({ source, kind }: Pick<Item, "source" | "kind">): boolean {
  return sourceTraits[source].lines === "text" && kind !== "config";
}

/** The address of an item that is in no file: `memory:mem-1k3f…`, `commit:1a2b3c4…`. */
export function addressOf(item: Item): string {
  if (isInFile(item.source)) return item.path;
  return `${item.source}:${item.source === "commit" ? item.id.slice(item.id.indexOf("-") + 1) : item.id}`;
}

/** A directed, typed connection. `to` is an item id; `name` is what the source text says when the target must be looked up by name or path. */
export type Link = { from: string; kind: LinkKind; to?: string; name?: string };

/** One import statement of a file, kept so that a printed block can bring the imports it uses. */
export type ImportStatement = { startLine: number; endLine: number; module: string; names: string[] };

export type Signals = Record<string, number>;

/** Facts of a record besides its text, under the names that results use: category, importance, sha, confidence_tier. */
export type Facts = Record<string, string | number | boolean | string[] | Record<string, string[]>>;

/** One step of a way: an item, and the link by which the next one was reached from it. `key`: a note's id at its origin. */
type Step = { id: string; name: string; kind: LinkKind; key?: string };

/** An item a strategy found, with what each strategy thought of it. */
export type Candidate = {
  item: Item;
  /** Named evidence, raw scale of the strategy that produced it. */
  signals: Signals;
  /** Links walked from the nearest directly found item: 0 when found directly. */
  distance: number;
  /** Why it was reached, nearest first: ids and link kinds. */
  via?: Step[];
  /** Remarks for the reader: "src/old.ts was renamed to src/new.ts". */
  notes?: string[];
  /** Id of an item that must come before it: the newer of two that contradict each other. */
  follows?: string;
  /** Lines of it, as numbered on disk, that are what was asked for: kept when the rest is cut. */
  focus?: { startLine: number; endLine: number }[];
  /** Title of the section it was asked for, where the recipe asks a source more than once. */
  section?: string;
};

/** A ranked item: `score` is 0..1 and comparable across queries; `because` sums to it before calibration. */
export type Scored = Candidate & { score: number; because: Signals };

/** A ranked item with the exact text that may be printed. */
export type Enriched = Scored & {
  /** The item's lines as they are on disk now (or stored, when `freshness` says so). */
  lines: string[];
  /** Lines of `lines[0]` on disk; context lines included. */
  startLine: number;
  endLine: number;
  freshness: "current" | "moved" | "stored";
  /** Import statements of the file that these lines use, verbatim. */
  imports: string[];
  /** The outermost units inside it, in source order, where the file is as it was indexed. */
  parts?: InnerUnit[];
  /** Names of directly linked items, best first. */
  related: string[];
  /** Of what was asked for by name. */
  uses?: Uses;
  /** Items merged into this one (overlapping spans, near-same text). */
  merged: { id: string; name: string; why: string }[];
  citation: Citation;
  /** Of records: `lines` is then their text, numbered from 1. */
  facts?: Facts;
};

/** A unit inside another: its lines on disk, and what it is called. */
export type InnerUnit = { startLine: number; endLine: number; name: string };

/** A line that uses an item. `text` is the line without its indentation, `name` the unit that it stands in. */
export type UsageSite = { path: string; line: number; text: string; name: string };

/** The callers of an item and other references to it, and the tests among them. */
export type Uses = { callers: UsageSite[]; tests: UsageSite[] };

export type Citation = {
  /** The citation that a model writes in its answer, with brackets: `[cod-1k3f]`. */
  id: string;
  itemId: string;
  path: string;
  startLine: number;
  endLine: number;
  /** Hash of the printed lines' origin (the whole item's lines), for `verify`. */
  hash: string;
  /** Of a note: where it opens in the application that it comes from. */
  link?: string;
};

export const levels = ["full", "elided", "signature", "pointer"] as const;
export type Level = (typeof levels)[number];

/** One printed item, as the result reports it. */
export type Included = {
  id: string;
  source: SourceName;
  kind: Kind;
  name: string;
  title: string;
  qualifiedName: string;
  citation: Citation;
  level: Level;
  tokens: number;
  score: number;
  because: Signals;
  distance?: number;
  path: string;
  startLine: number;
  endLine: number;
  language?: string;
  freshness: Enriched["freshness"];
  /** The exact text that was printed for this item (without headings and fences). */
  text: string;
  /** All that was printed for it, where the document is made of small pieces. */
  block?: string;
  imports: string[];
  related: string[];
  merged: Enriched["merged"];
  uses?: Uses;
  facts?: Facts;
  notes?: string[];
  section?: string;
  /** How it was reached by links, nearest first. */
  via?: Candidate["via"];
  /** Its place among what is worth printing, 1 for the best. */
  rank: number;
  /** True when the caller pinned it. */
  pinned?: boolean;
  /** Where it was asked for: tokens of its own text (the others are its headings and fences), and what each level would take. */
  content?: number;
  levels?: LevelCost[];
};

/** The result of every assembly, whatever the recipe or surface. */
export type Context = {
  query: string;
  recipe: string;
  format: string;
  text: string;
  tokens: TokenUse;
  items: Included[];
  dropped: Dropped[];
  warnings: string[];
  /** `sentence`: what was shortened or left out, in words. */
  summary: { included: number; excluded: number; filesRead: number; truncated: boolean; sentence: string };
  /** How close the selection's value is to an upper bound of the best possible one, 0..1. */
  optimality: number;
  /** How sure Dossier is that anything relevant was found, 0..1. */
  confidence: number;
  stats: { found: Record<string, number>; milliseconds: Record<string, number> };
  /** Of an answer from a notes graph: how it was looked at, and where the notes come from. */
  header?: Header;
  /** Of an answer that was asked for with `since`: names all that was given up to now. */
  bundle?: string;
  /** The notice at the top of a document that is not sure of itself. */
  notice?: string;
  /** Words of the question that no source has, and others for them that some source has. */
  unknown: { word: string; near: string[] }[];
  /** Where it was asked for: the whole text in pieces. */
  parts?: DocumentPart[];
};
