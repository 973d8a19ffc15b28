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
   * The first part, in documents that have a header. If the header opens the document, `opening` is "". `use` is the
   * token use of the whole document, this part included.
   */
  header?(header: Header, use: Use): string;
  /** The document's title, after the opening, if the recipe has one ("Context"). */
  title(text: string): string;
  /** A notice for the reader in one sentence, after the title. */
  notice(sentence: string): string;
  groupOpening(title: string, first: boolean): string;
  file: FileFormat;
  /**
   * An item is printed as its head, its imports (if any) and its body, which closes it; a pointer has only a head.
   * `first`: it is the first of its list. The pointers after `pointersOpening` are a new list.
   */
  head(entry: PrintedEntry, first: boolean): string;
  imports(statements: readonly string[], language: string | undefined): string;
  /**
   * The path to the one-line notes that follow, the source first. It is printed only if the part just before does not
   * show it.
   */
  place?(path: readonly WalkStep[], isFound?: boolean): string;
  /**
   * A line of a list, indented by this many levels. Formats that have this method print one-line notes as an outline.
   */
  indented?(text: string, level: number): string;
  /** Printed between the items and the pointers, in documents with a header; also when `count` is 0. */
  pointersOpening?(count: number): string;
  body(entry: PrintedEntry): string;
  groupClosing: string;
  /** Closes the list of items. */
  itemsClosing: string;
  /** Opens the part after the items. */
  footerOpening: string;
  /** The closing summary: "12 items from 4 sources". */
  summary(sentence: string): string;
  leftOut(counts: LeftOut[]): string;
  sourcesOpening: string;
  source(place: SourcePlace, first: boolean): string;
  sourcesClosing: string;
  closing: string;
  /** The whole document (except the header) if there is no item to print. */
  nothing(sentence: string): string;
};

/** How the parts of one file are printed together, in the layout `files`. `first`: it is the first of its list. */
export type FileFormat = {
  opening(file: FileHead, first: boolean): string;
  imports(statements: readonly string[], language: string | undefined): string;
  span(entry: PrintedEntry, first: boolean, block: BlockState): string;
  closing(block: BlockState): string;
};

/**
 * The state of a file's block before a part: open; opened by a line that names this part; or closed, because the text
 * that follows is not from the file.
 */
export type BlockState = "open" | "named" | "closed";

/** Whether the lines below a part end its block. */
export function endsBlock({ uses, rest }: Pick<PrintedEntry, "uses" | "rest">): boolean {
  return uses !== undefined || rest !== undefined;
}

/** `lead`: the first part, if nothing is printed before it. */
type FileHead = { path: string; language?: string; lead?: PrintedEntry };

/** One item as it is printed. `text` is data: a format delimits it so that it cannot end its own block. */
export type PrintedEntry = {
  source: SourceName;
  /** `brief`: one line instead of a heading, as in a briefing of many small pieces. Records are always brief. */
  style: "heading" | "brief";
  /** Only records have facts. Their `path` and lines mean nothing to a reader. */
  facts?: Facts;
  /**
   * For notes: the number of links from a note that answers the question directly (0), and the notes on that path, the
   * source first, this note excluded.
   */
  distance?: number;
  way?: WalkStep[];
  /** Title of the item's group, for formats that print no group headings. */
  section?: string;
  /** With brackets: `[cod-1k3f]`. */
  citation: string;
  kind: Kind;
  name: string;
  /** For an item in a file: the unit that contains it (the class of a method), if the text does not show it. */
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
  /** If lines are numbered: the line number on disk of each line of the text; undefined for elision marks. */
  numbers?: (number | undefined)[];
  /**
   * Where the rest of a cut text is, printed after it as "(truncated, see full at src/a.ts:12)"; "" for a bare
   * "(truncated)".
   */
  rest?: string;
};

/** One note on the path to another; `relation` is the link that leads to it from the note before. */
export type WalkStep = { id: string; name: string; relation?: LinkKind };

export type Use = { budget: number; used: number; included: number; summarised: number };

/** A line of the list of sources. */
export type SourcePlace = { name: string; kind: Kind; path: string; startLine: number; endLine: number };
export type LeftOut = { reason: DropReason; count: number };

/**
 * A format is made for the texts it may have to print, so that its marks occur in none of them. It also receives the
 * document's title and its notice (see `Format.notice`), because some formats print both in their opening. `headed`:
 * the document is about a notes graph and has a header; its notes are printed as the tree of the paths to them.
 */
export type MakeFormat = (texts: Iterable<string>, title?: string, headed?: boolean, notice?: string) => Format;

export const formats: Record<(typeof formatNames)[number], MakeFormat> = { markdown, xml, plain, json };
