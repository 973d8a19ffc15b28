import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { markdownLinks, markdownOutline } from "./markdown.ts";
import { type Heading, type MarkupOutline, sectioned } from "./sections.ts";

/** The source of one cell: a line of the file for each line of the cell, as every Jupyter tool writes them. Lines are 1-based. */
type Cell = { isCode: boolean; startLine: number; endLine: number };

/** Lines of the file between two cells that belong together; more are the output of the first one. */
const longestGap = 16;
/** Deeper than any heading, so that it is below all of them. */
const outputLevel = 7;

/**
 * A Jupyter notebook as a document: its sections begin at the headings of its text, and after each output. Outputs and metadata are not
 * searched. Undefined for one that is not written line by line.
 */
export function extractNotebook(path: string, text: string): Extraction | undefined {
  const lines = splitLines(text);
  const cells = readCells(lines);
  if (cells.length === 0) return undefined;
  const decoded = lines.map(() => "");
  for (const { startLine, endLine } of cells)
    for (let line = startLine; line <= endLine; line++) decoded[line - 1] = decodedLine(lines[line - 1]!);
  return sectioned(path, "json", decoded, outlineOf(cells, decoded), markdownLinks);
}

/**
 * The lines, from 0, of these lines of a notebook that are text of its cells, and no output, metadata or bracket. They may begin inside a cell.
 */
export function cellLines(lines: string[]): number[] {
  let begun = 0;
  while (begun < lines.length && isText(lines[begun]!) && !isKey(lines[begun]!)) begun++;
  const cells = readCells(lines).filter(({ startLine }) => startLine > begun);
  const spans = [{ startLine: 1, endLine: begun }, ...cells];
  return spans.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine - 1 + i),
  );
}

function isKey(line: string): boolean {
  return /^\s*"(?:[^"\\]|\\.)*": /.test(line);
}

function readCells(lines: string[]): Cell[] {
  const cells: Cell[] = [];
  let indent: string | undefined;
  let isCode = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const type = /^(\s*)"cell_type": "(\w+)"/.exec(line);
    if (type) {
      indent ??= type[1]!;
      isCode = type[2] === "code";
    }
    const source = /^(\s*)"source": (\[|")(.*)$/.exec(line);
    // An output may have a key of the same name, further in.
    if (!source || source[1] !== indent) continue;
    const isOneLine = source[2] === '"' || source[3]!.includes("]");
    const start = isOneLine ? at : at + 1;
    if (!isOneLine) while (at + 1 < lines.length && isText(lines[at + 1]!)) at++;
    if (at >= start && decodedLine(lines[start]!) !== "") cells.push({ isCode, startLine: start + 1, endLine: at + 1 });
  }
  return cells;
}

function isText(line: string): boolean {
  return /^\s*"/.test(line);
}

/** The text of a line of JSON that is one string, or a key and one. */
function decodedLine(line: string): string {
  const literal = /^\s*(?:"source": \[?)?("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  if (literal === undefined) return "";
  try {
    return (JSON.parse(literal) as string).trimEnd();
  } catch (error) {
    // A broken escape: the line is searched as it stands.
    if (error instanceof SyntaxError) return literal;
    throw error;
  }
}

function outlineOf(cells: readonly Cell[], decoded: readonly string[]): MarkupOutline {
  const headings: Heading[] = [];
  const lineKinds: MarkupOutline["lineKinds"] = decoded.map(() => "prose");
  let lastLine: number | undefined;
  for (const { isCode, startLine, endLine } of cells) {
    // Each cell by itself: a fence that is not closed ends with its cell, and a comment in code is no heading.
    const { headings: inCell, lineKinds: kindsInCell } = markdownOutline(decoded.slice(startLine - 1, endLine));
    for (let line = startLine; line <= endLine; line++)
      lineKinds[line - 1] = isCode ? "code" : kindsInCell[line - startLine]!;
    const inFile = isCode ? [] : inCell.map((heading) => shifted(heading, startLine - 1));
    const isAfterOutput = lastLine !== undefined && startLine - lastLine > longestGap;
    if (isAfterOutput && inFile[0]?.line !== startLine && headings.length > 0)
      headings.push({ line: startLine, lastLine: startLine, level: outputLevel, title: titleOf(headings) });
    headings.push(...inFile);
    lastLine = endLine;
  }
  // Cells before the first heading import and prepare: they are no section.
  return { headings, lineKinds, firstLine: headings[0]?.line ?? 1 };
}

function shifted({ line, lastLine, level, title }: Heading, by: number): Heading {
  return { line: line + by, lastLine: lastLine + by, level, title };
}

/** What follows an output is still about the last heading. */
function titleOf(headings: readonly Heading[]): string {
  return headings.findLast(({ level }) => level < outputLevel)?.title ?? headings.at(-1)!.title;
}
