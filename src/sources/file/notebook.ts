import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { markdownLinks, markdownOutline } from "./markdown.ts";
import { decodedLine, type NotebookCell, readCells } from "./notebook-cells.ts";
import { type Heading, type MarkupOutline, sectioned } from "./sections.ts";

/** Most lines of the file between two cells without output; more lines are output of the first cell. */
const longestGap = 16;
/** The level of the section after an output: deeper than any heading. */
const outputLevel = 7;

/**
 * A Jupyter notebook as a document: its sections begin at the headings of its text, and after each output. Outputs and
 * metadata are not searched. Undefined if the file is not written line by line.
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

function outlineOf(cells: readonly NotebookCell[], decoded: readonly string[]): MarkupOutline {
  const headings: Heading[] = [];
  const lineKinds: MarkupOutline["lineKinds"] = decoded.map(() => "prose");
  let lastLine: number | undefined;
  for (const { isCode, startLine, endLine } of cells) {
    // Each cell is read separately: an unclosed fence ends with its cell, and a comment in code is not a heading.
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
  // Cells before the first heading only import and prepare, so they are not a section.
  return { headings, lineKinds, firstLine: headings[0]?.line ?? 1 };
}

function shifted({ line, lastLine, level, title }: Heading, by: number): Heading {
  return { line: line + by, lastLine: lastLine + by, level, title };
}

/** The title of the section after an output: the last heading, since its subject continues. */
function titleOf(headings: readonly Heading[]): string {
  return headings.findLast(({ level }) => level < outputLevel)?.title ?? headings.at(-1)!.title;
}
