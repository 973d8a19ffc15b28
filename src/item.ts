import type { LevelCost } from "./document.ts";

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
  // A member or variable of about one line: found by its name, not by its text.
  "field",
  // Module-level statements outside all other units, and static initialisers.
  "block",
  "module",
  "file",
] as const;
export const documentKinds = ["document", "section", "config"] as const;
/** Kinds of records, items that are not in files. An experience has one item per axis, such as its root cause. */
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

/** The group of an item for a reader, whatever language or tool it comes from: sections of a document hold groups. */
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

/** Properties of all items of a source. The pipeline reads these instead of names: a new source is one more line. */
type SourceTraits = {
  /** For items in files: what the file contains. */
  lines?: "code" | "text" | "any";
  /** The group they are printed in; absent where it depends on the kind of each item. */
  group?: Group;
  /** Whether they lose score with age. Memories and values do not: they hold until they are changed. */
  ages?: true;
  /** When two of them count as duplicates. */
  copies: readonly CopyRule[];
  /** Links that the index does not have: between nodes of the notes graph, or from a change to the files it touched. */
  links?: "graph" | "touched-files";
  /** Parts of a longer text, which are used and counted together. */
  chunks?: true;
  /** One record is several items, one for each axis on which it can be found. */
  axes?: true;
  /** The caller named them: they were not found by a search. */
  named?: true;
  /** What the short form of a record keeps in a list of many: its one line of text, or its telling fields. */
  short?: "line" | "fields";
};

/** Equal code, exactly the same words, or near-duplicate texts: of any length, or only long ones. */
export type CopyRule = "code" | "words" | "texts" | "long-texts";

export const sourceTraits: Record<SourceName, SourceTraits> = {
  // Only equal code: two functions that share most of their lines are still two functions.
  code: { lines: "code", copies: ["code"] },
  file: { lines: "text", copies: ["long-texts"] },
  reference: { lines: "any", copies: ["long-texts"], named: true },
  // There may be hundreds of notes and chunks, and short ones may be similar without being copies.
  note: { group: "note", copies: ["words", "long-texts"], links: "graph" },
  document: { group: "documentation", copies: ["long-texts"], chunks: true },
  memory: { group: "memory", copies: ["texts"], short: "line" },
  experience: { group: "experience", ages: true, copies: ["texts"], axes: true, short: "fields" },
  value: { group: "value", copies: ["texts"], short: "line" },
  commit: { group: "commit", ages: true, copies: ["texts"], links: "touched-files" },
  // Turns of a conversation repeat much of each other, but each adds something.
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
  // Between notes: ownership (child, parent), mentions in both directions (reference), values of fields (field).
  "child",
  "parent",
  "reference",
  "field",
] as const;
export type LinkKind = (typeof linkKinds)[number];

/** The role of a file that is no product code or current documentation: ranks lower unless the query asks for it. */
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
  "project",
] as const;
export type Role = (typeof roles)[number];

/** One piece of evidence: a function, a class, a heading's section, a whole file. Lines are 1-based and inclusive. */
export type Item = {
  /** `cod-` and a 64-bit hash of source, path, kind, qualified name and ordinal: it survives edits and moved lines. */
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
  /** The role of its file. */
  role?: Role;
  /** For code: the number of decisions in it and its members (`if`, loops, cases, `&&`); absent if there are none. */
  decisions?: number;
  /** Last change, milliseconds since 1970, where known. */
  changed?: number;
};

/** Whether items of a source are lines of a file; all others are records, with their own text. */
export function isInFile(source: SourceName): boolean {
  return sourceTraits[source].lines !== undefined;
}

/** Whether items of a source are turns of a conversation: short, and only understood together with the turns before. */
export function isTurn(source: SourceName): boolean {
  return sourceTraits[source].group === "conversation";
}

/** Whether items of a source are nodes of the notes graph, with a page, tags, fields and a key in their origin. */
export function isNode(source: SourceName): boolean {
  return sourceTraits[source].links === "graph";
}

/** Whether items of a source are changes of files, as commits are. */
export function isChange(source: SourceName): boolean {
  return sourceTraits[source].links === "touched-files";
}

/** Whether an item stands for a whole file and not for a part of one. */
export function isWholeFile(kind: Kind): boolean {
  return kind === "file" || kind === "document" || kind === "config";
}

/** Whether an item is prose: a document or a section of one. Configuration is not: it is read like code. */
export function isProse({ source, kind }: Pick<Item, "source" | "kind">): boolean {
  return sourceTraits[source].lines === "text" && kind !== "config";
}

/** The path of an item, or the address of a record: `memory:mem-1k3f…`, `commit:1a2b3c4…`. */
export function addressOf(item: Item): string {
  if (isInFile(item.source)) return item.path;
  return `${item.source}:${isChange(item.source) ? item.id.slice(item.id.indexOf("-") + 1) : item.id}`;
}

/**
 * A directed, typed link. `to` is an item id; `name`, a name or path in the source text, is looked up otherwise.
 * `declares` is not followed: it states a member of a type, by which the links of others are resolved.
 */
export type Link = { from: string; kind: LinkKind | "declares"; to?: string; name?: string };

/** One import statement of a file, kept so that a printed block can bring the imports it uses. */
export type ImportStatement = { startLine: number; endLine: number; module: string; names: string[] };

export type Signals = Record<string, number>;

/** Metadata of a record, by the names that results use: category, importance, sha, confidence_tier. */
export type Facts = Record<string, string | number | boolean | string[] | Record<string, string[]>>;

/** One step of a path: an item, and the link to the next one. `key`: a note's id at its origin. */
type Step = { id: string; name: string; kind: LinkKind; key?: string };

/** An item that a search strategy found, with the signals of each strategy. */
export type Candidate = {
  item: Item;
  /** Signals by name, on the raw scale of the strategy that produced them. */
  signals: Signals;
  /** Number of links from the nearest directly found item; 0 when found directly. */
  distance: number;
  /** The path by which it was reached, nearest first: ids and link kinds. */
  via?: Step[];
  /** Remarks for the reader: "src/old.ts was renamed to src/new.ts". */
  notes?: string[];
  /** Id of an item that must come before it: the newer of two that contradict each other. */
  follows?: string;
  /** The relevant lines of it (as numbered on disk): kept when the rest is cut. */
  focus?: { startLine: number; endLine: number }[];
  /** The line that was asked for (`path:line`, as numbered on disk): what is around it is printed first. */
  askedLine?: number;
  /** A file that was asked for by its path and nothing else: its parts do not take its place. */
  askedWhole?: boolean;
  /** Title of the section of its ask, if the recipe asks a source more than once. */
  section?: string;
};

/** A ranked item: `score` is 0..1 and comparable across queries; `because` sums to it before calibration. */
export type Scored = Candidate & {
  score: number;
  because: Signals;
  /** In a briefing: how certain it is that its source has an answer, 0..1. */
  confidence?: number;
};

/** A ranked item with the exact text that may be printed. */
export type Enriched = Scored & {
  /** The item's current lines on disk, or the stored ones (see `freshness`). */
  lines: string[];
  /** Line range of `lines` on disk, context lines included. */
  startLine: number;
  endLine: number;
  freshness: "current" | "moved" | "stored";
  /** Import statements of the file that these lines use, verbatim. */
  imports: string[];
  /** All import statements of the file, in its order: the parts of a file print the union of theirs. */
  fileImports?: readonly string[];
  /** The outermost units inside it, in source order; only if the file is unchanged since it was indexed. */
  parts?: InnerUnit[];
  /** Names of directly linked items, best first. */
  related: string[];
  /** Only for items that were asked for by name. */
  uses?: Uses;
  /** Items merged into this one (overlapping spans, near-duplicate text). */
  merged: { id: string; name: string; why: string }[];
  citation: Citation;
  /** Set for records, whose `lines` are their text, numbered from 1. */
  facts?: Facts;
};

/** A unit inside another: its lines on disk and its name. */
export type InnerUnit = { startLine: number; endLine: number; name: string };

/** A line that uses an item. `text` is the line without its indentation, `name` the unit that contains it. */
export type UsageSite = { path: string; line: number; text: string; name: string };

/** Usage sites of an item: callers or references, and tests. */
export type Uses = { callers: UsageSite[]; tests: UsageSite[] };

export type Citation = {
  /** What a model writes in its answer, with brackets: `[cod-1k3f]`. */
  id: string;
  itemId: string;
  path: string;
  startLine: number;
  endLine: number;
  /** Hash of the whole item's lines, for `verify`. */
  hash: string;
  /** A link that opens a note in its application. */
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
  /** Everything printed for it, in the `brief` style. */
  block?: string;
  imports: string[];
  related: string[];
  merged: Enriched["merged"];
  uses?: Uses;
  facts?: Facts;
  notes?: string[];
  section?: string;
  /** The path of links to it, nearest first. */
  via?: Candidate["via"];
  /** Its place in the ranking, 1 for the best. */
  rank: number;
  /** Whether the caller pinned it. */
  pinned?: boolean;
  /** On request: tokens of its own text (without headings and fences), and the cost of each level. */
  content?: number;
  levels?: LevelCost[];
};
