import type { Literal } from "./walk.ts";

/** Comments and attributes that stand directly below each other: what may belong to the declaration after them. */
export type CommentRun = { start: number; end: number; unit: number | undefined; docs: Literal[] };

export function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** The place where the line's indentation begins, when nothing else stands before `at`. */
export function indentationBefore(text: string, at: number): number {
  let from = at;
  while (from > 0 && (text.charCodeAt(from - 1) === 32 || text.charCodeAt(from - 1) === 9)) from--;
  return from === 0 || text.charCodeAt(from - 1) === 10 ? from : at;
}

/** Comments that follow each other on their own lines are one run. */
export function continued(
  text: string,
  run: CommentRun | undefined,
  literal: Literal,
  unit: number | undefined,
  isDoc: boolean,
): CommentRun | undefined {
  // An annotation inside another that the run holds already.
  if (run && run.unit === unit && run.start <= literal.start && literal.end <= run.end) return run;
  const line = indentationBefore(text, literal.start);
  if (line !== 0 && text.charCodeAt(line - 1) !== 10) return run && run.end <= literal.start ? undefined : run;
  if (run && run.unit === unit && touches(text, run.end, literal.start)) {
    run.end = literal.end;
    if (isDoc) run.docs.push(literal);
    return run;
  }
  return { start: literal.start, end: literal.end, unit, docs: isDoc ? [literal] : [] };
}

/** Directly above; a `/** ... *\/` may have a blank line after it, unless it opens the file. */
export function belongs(text: string, run: CommentRun, start: number): boolean {
  // A decorator that is part of the declaration continues the comment above it.
  if (run.start < start && start < run.end) return true;
  if (touches(text, run.end, start)) return true;
  const isDoc = run.docs.length === 1 && text.startsWith("/**", run.start) && run.start > 0;
  return isDoc && touches(text, run.end, start, 2);
}

/** True when only blanks and at most `most` line ends stand between two places. */
function touches(text: string, from: number, to: number, most = 1): boolean {
  // A comment node may hold its line end already.
  let ends = from > 0 && text.charCodeAt(from - 1) === 10 ? 1 : 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 ? ++ends > most : !isBlank(code)) return false;
  }
  return ends <= most && from <= to;
}
