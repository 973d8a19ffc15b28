import { signatureSpan } from "../../text/truncation/signature.ts";
import { type Open, scanLine } from "../../text/truncation/structure.ts";
import { syntaxOf } from "../../text/truncation/syntax.ts";
import type { OpenedFile } from "../open-file.ts";

type Lines = { startLine: number; endLine: number };

/** A line that only closes a block: a bracket, `end`. */
const closing = /^\s*(?:end|[)\]}]+)[;,.)]*\s*(?:(?:\/\/|#|--).*)?$/;
/** A line that holds for what follows: `private`, `public slots:`. */
const modifier = /^\s*(?:\w+|[\w ]+:)\s*$/;
/** The same, or a comment. */
const heading = /^\s*(?:\w+|[\w ]+:|(?:#|\/\/|\/?\*|--|;|%).*)\s*$/;
/** A line of a comment, and one that goes on with a statement above it. */
const comment = /^\s*(?:#(?![[!]|\s*(?:if|else|elif|endif|define|include|pragma))|\/\/|\/\*|\*(?:\s|\/|$)|--|;|%)/;
const goesOn =
  /^\s*(?:[{)\]}]|(?:else|elsif|elif|elseif|except|rescue|ensure|catch|finally|when|then|end)\b|#\s*(?:else|elif|endif)\b)/;

/**
 * Adds context lines: up to `limit` on either side, but no fragments of another unit, statement or comment, and no
 * imports, which are printed separately. The head of a class only with what closes it: where the class has hardly more
 * than this unit.
 */
export function withContextLines(place: Lines, limit: number, file: OpenedFile, language?: string): Lines {
  let first = Math.max(1, place.startLine - limit);
  let last = Math.min(file.lines.length, place.endLine + limit);
  let [unitBefore, container, containerEnd] = [0, 1, Number.POSITIVE_INFINITY];
  for (const [start, end, name] of file.spans) {
    if (end < place.startLine) first = Math.max(first, end + 1);
    if (end < place.startLine && name !== "") unitBefore = Math.max(unitBefore, end);
    if (start > place.endLine) last = Math.min(last, start - 1);
    // Inside a class: the context of a method does not go beyond the class.
    if (start <= place.startLine && end >= place.endLine && end - start > place.endLine - place.startLine) {
      first = Math.max(first, start);
      last = Math.min(last, end);
      container = Math.max(container, start);
      containerEnd = Math.min(containerEnd, end);
    }
  }
  const isWhole = first === container && last === containerEnd;
  if (isWhole && container < place.startLine) return { startLine: container, endLine: containerEnd };
  if (unitBefore >= container) first = afterStatements(file.lines, first, place.startLine);
  const closes = (line: number) => closing.test(file.lines[line - 1] ?? "");
  for (let line = first; line < place.startLine; line++) if (closes(line)) first = line + 1;
  for (let line = last; line > place.endLine; line--) if (closes(line)) last = line - 1;
  if (first > container) first = afterHead(file.lines, container, first, place.startLine, language);
  first = wholeAbove(file.lines, first, place.startLine);
  first = belowOpenScopes(file.lines, first, place.startLine, language);
  last = wholeBelow(file.lines, place, last);
  const blank = (line: number) => file.lines[line - 1]?.trim() === "";
  while (first < place.startLine && blank(first)) first++;
  while (last > place.endLine && blank(last)) last--;
  return { startLine: first, endLine: last };
}

/** Below the head of a class that is torn at `first`: its bounds and bases without its name say nothing. */
function afterHead(
  lines: readonly string[],
  container: number,
  first: number,
  start: number,
  language: string | undefined,
): number {
  const head = signatureSpan(lines.slice(container - 1, start - 1), language);
  const [from, end] = [container + head.start, container + head.end];
  return first > from && first < end ? end : first;
}

/** The first line from `first` on where no comment, docstring or statement is torn. */
function wholeAbove(lines: readonly string[], first: number, start: number): number {
  const text = (line: number) => lines[line - 1] ?? "";
  let from = first;
  let quotes: number | undefined;
  for (let line = start - 1; line >= first; line--) {
    if (/^(?:(?!""").)*"""(?:(?!""").)*$|^(?:(?!''').)*'''(?:(?!''').)*$/.test(text(line)))
      quotes = quotes === undefined ? line : undefined;
  }
  if (quotes !== undefined) from = quotes + 1;
  const indent = indentOf(text(start));
  for (let line = from; line < start; line++) {
    const isTornComment = line === from && comment.test(text(line)) && comment.test(text(line - 1)) && line > 1;
    if (isTornComment) while (from < start && comment.test(text(from))) from++;
    else if (line === from && (goesOn.test(text(line)) || (text(line).trim() !== "" && indentOf(text(line)) > indent)))
      from++;
  }
  return from;
}

/** The first line from `first` on after which nothing is open at `start`: what closes it is far below. */
function belowOpenScopes(lines: readonly string[], first: number, start: number, language: string | undefined): number {
  const syntax = syntaxOf(language);
  let open: Open | undefined;
  for (let line = first; line < start; line++) open = scanLine(lines[line - 1] ?? "", line, open, syntax);
  if (open) return Math.max(first, open.line + 1);
  if (!syntax.blockEnd) return first;
  const indent = indentOf(lines[start - 1] ?? "");
  for (let line = start - 1; line >= first; line--) {
    const text = lines[line - 1] ?? "";
    if (text.trim() !== "" && indentOf(text) < indent && !comment.test(text)) return line + 1;
  }
  return first;
}

/**
 * The last line up to `last` after which a statement begins, not counting comments and modifiers, which are about what
 * follows them.
 */
function wholeBelow(lines: readonly string[], place: Lines, last: number): number {
  const text = (line: number) => lines[line - 1] ?? "";
  const indent = indentOf(text(place.startLine));
  let end = place.endLine;
  for (let line = place.endLine + 1; line <= last; line++) {
    if (text(line).trim() === "") continue;
    if (comment.test(text(line)) || modifier.test(text(line))) break;
    if (goesOn.test(text(line)) || indentOf(text(line)) < indent) break;
    if (/^\s*#\s*if/.test(text(line))) break;
    let next = line + 1;
    while (next <= lines.length && text(next).trim() === "") next++;
    const isEnd = next > lines.length || (indentOf(text(next)) <= indent && !/^\s*[{)\]]/.test(text(next)));
    if (isEnd) end = line;
  }
  return end;
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)![0].length;
}

/**
 * The first line from `first` on that belongs to the unit at `start` when another unit precedes it. A statement with a
 * blank line below belongs to the one before: Django writes `get.alters_data = True` after the method `get`.
 */
function afterStatements(lines: readonly string[], first: number, start: number): number {
  let line = start - 1;
  while (line >= first && lines[line - 1]?.trim() !== "") line--;
  while (line >= first && (lines[line - 1]?.trim() === "" || heading.test(lines[line - 1] ?? ""))) line--;
  return Math.max(first, line + 1);
}
