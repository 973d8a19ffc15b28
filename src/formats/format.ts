import type { DropReason, Header } from "../document.ts";
import type { Facts, Kind, Level, LinkKind, SourceName, Uses } from "../item.ts";
import type { formatNames } from "../options.ts";
import { json } from "./json/json.ts";
import { markdown } from "./markdown/markdown.ts";
import { plain } from "./plain/plain.ts";
import { xml } from "./xml/xml.ts";

/**
 * A document is a list of parts, joined without anything between them. Every part ends in "\n" and begins with a
 * visible character other than "/", so no token spans two parts: the tokens of a document are the sum of the tokens of
 * its parts, and the budget counts exactly what is printed.
 */
export type Format = {
  opening: string;
  /**
   * Before everything else, in documents that have one; the opening is then "" where this opens them. `use` is what the
   * whole document takes, this part included.
   */
  header?(header: Header, use: Use): string;
  /** The document's title, where the recipe gives it one ("Context"); after the opening. */
  title(text: string): string;
  /** A notice for the reader, in one sentence; after the title. */
  notice(sentence: string): string;
  groupOpening(title: string, first: boolean): string;
  file: FileFormat;
  /**
   * One item is its head, the imports if there are any, and its body, which closes it; a pointer is all head. `first`:
   * of its list, which begins anew after `pointersOpening`.
   */
  head(entry: PrintedEntry, first: boolean): string;
  imports(statements: readonly string[], language: string | undefined): string;
  /**
   * Where the plain notes that follow stand, when what was printed just before does not show it; the source comes
   * first.
   */
  place?(path: readonly WalkStep[], isFound?: boolean): string;
  /**
   * A line of a list, indented by so many levels: in formats with one, notes that are but a line are laid out as an
   * outline.
   */
  indented?(text: string, level: number): string;
  /** Printed between the items and the pointers, in documents with a header; also when `count` is 0. */
  pointersOpening?(count: number): string;
  body(entry: PrintedEntry): string;
  groupClosing: string;
  /** Closes the list of items. */
  itemsClosing: string;
  /** Before what follows the items. */
  footerOpening: string;
  /** The closing summary: "12 items from 4 sources". */
  summary(sentence: string): string;
  leftOut(counts: LeftOut[]): string;
  sourcesOpening: string;
  source(place: SourcePlace, first: boolean): string;
  sourcesClosing: string;
  closing: string;
  /** The whole document when there is no item to print, but for the header. */
  nothing(sentence: string): string;
};

/** How the parts of one file stand together, in the layout `files`. `first`: of its list. */
export type FileFormat = {
  opening(file: FileHead, first: boolean): string;
  imports(statements: readonly string[], language: string | undefined): string;
  span(entry: PrintedEntry, first: boolean, block: BlockState): string;
  closing(block: BlockState): string;
};

/**
 * The state of a file's block before a part: open; opened by a line that names this part; or closed, since what
 * follows is no text of the file.
 */
export type BlockState = "open" | "named" | "closed";

/** Whether the lines below a part end its block. */
export function endsBlock({ uses, rest }: Pick<PrintedEntry, "uses" | "rest">): boolean {
  return uses !== undefined || rest !== undefined;
}

/** `lead`: the first part, where nothing stands before it. */
type FileHead = { path: string; language?: string; lead?: PrintedEntry };

/** One item as it is printed. `text` is data: a format delimits it so that it cannot end its own block. */
export type PrintedEntry = {
  source: SourceName;
  /** `brief`: one line instead of a heading, as in a briefing of many small pieces. Records are always brief. */
  style: "heading" | "brief";
  /** Of records: `path` and lines then mean nothing to a reader. */
  facts?: Facts;
  /**
   * Of notes: steps from where the question was answered directly (0), and the notes on the way there, the source
   * first, without itself.
   */
  distance?: number;
  way?: WalkStep[];
  /** Title of its group, for formats that do not print groups as such. */
  section?: string;
  /** With brackets: `[cod-1k3f]`. */
  citation: string;
  kind: Kind;
  name: string;
  /** Of an item in a file: the unit that contains it, where the text does not show that: the class of a method. */
  scope?: string;
  path: string;
  startLine: number;
  endLine: number;
  score: number;
  language?: string;
  level: Level;
  /** Short remarks on this text: "moved", "includes refund". */
  notes: string[];
  /** First sentence of the doc comment, where the text does not contain it. */
  doc?: string;
  related: string[];
  text: string;
  uses?: Uses;
  /** The number of each line of the text on disk, where lines are numbered; none for marks of what was left out. */
  numbers?: (number | undefined)[];
  /**
   * Where the rest of a cut text is, printed after it as "(truncated, see full at src/a.ts:12)"; "" for a bare
   * "(truncated)".
   */
  rest?: string;
};

/** One note on the way to another; `relation` is how it was reached from the one before. */
export type WalkStep = { id: string; name: string; relation?: LinkKind };

export type Use = { budget: number; used: number; included: number; summarised: number };

/** A line of the list of sources. */
export type SourcePlace = { name: string; kind: Kind; path: string; startLine: number; endLine: number };
export type LeftOut = { reason: DropReason; count: number };

/**
 * A format is made for the texts it may have to print, so that its marks differ from everything in them; and for the
 * document's title, which some have to say in their opening. `headed`: the document is about a notes graph and has a
 * header; its notes are then laid out as the tree of the ways to them. `notice`: as `Format.notice`, for the same
 * reason as the title.
 */
export type MakeFormat = (texts: Iterable<string>, title?: string, headed?: boolean, notice?: string) => Format;

export const formats: Record<(typeof formatNames)[number], MakeFormat> = { markdown, xml, plain, json };
