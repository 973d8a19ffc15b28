import type { Literal } from "./walk-tree.ts";

/** Consecutive comments and attributes, which may belong to the declaration after them. */
export type CommentRun = { start: number; end: number; unit: number | undefined; docs: Literal[] };

export function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** Start of the line's indentation, when nothing else is before `at`; else `at`. */
export function indentationBefore(text: string, at: number): number {
  let from = at;
  while (from > 0 && (text.charCodeAt(from - 1) === 32 || text.charCodeAt(from - 1) === 9)) from--;
  return from === 0 || text.charCodeAt(from - 1) === 10 ? from : at;
}

/** Extends a run of comments on consecutive lines of their own. */
export function continued(
  text: string,
  run: CommentRun | undefined,
  literal: Literal,
  unit: number | undefined,
  isDoc: boolean,
): CommentRun | undefined {
  // The run already contains this annotation as part of another one.
  if (run && run.unit === unit && run.start <= literal.start && literal.end <= run.end) return run;
  const line = indentationBefore(text, literal.start);
  if (line !== 0 && text.charCodeAt(line - 1) !== 10) return run && run.end <= literal.start ? undefined : run;
  // An attribute continues any run of the declaration; a comment continues only a comment directly above it.
  if (
    run &&
    run.unit === unit &&
    (isDoc ? isAdjacent(text, run.end, literal.start) : belongs(text, run, literal.start))
  ) {
    run.end = literal.end;
    if (isDoc) run.docs.push(literal);
    return run;
  }
  return { start: literal.start, end: literal.end, unit, docs: isDoc ? [literal] : [] };
}

/**
 * True for a run directly above; a doc comment (`/** ... *\/`, `///`) may have a blank line after it, unless it opens
 * the file.
 */
export function belongs(text: string, run: CommentRun, start: number): boolean {
  // A decorator that is part of the declaration continues the comment above it.
  if (run.start < start && start < run.end) return true;
  if (isAdjacent(text, run.end, start)) return true;
  const isDoc =
    run.start > 0 && (run.docs.length === 1 ? text.startsWith("/**", run.start) : isLineDoc(text, run.start));
  return isDoc && isAdjacent(text, run.end, start, 2);
}

/** `/// Adds.`, not the line of `////////`. */
function isLineDoc(text: string, at: number): boolean {
  return text.startsWith("///", at) && text[at + 3] !== "/";
}

/** True when there are only blanks and at most `most` line ends between two offsets. */
function isAdjacent(text: string, from: number, to: number, most = 1): boolean {
  // A comment node may include its line end.
  let ends = from > 0 && text.charCodeAt(from - 1) === 10 ? 1 : 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 ? ++ends > most : !isBlank(code)) return false;
  }
  return ends <= most && from <= to;
}
