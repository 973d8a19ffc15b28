import type { Enriched, Level } from "../item.ts";

export type Span = { startLine: number; endLine: number };

/** Evidence that no other item repeats: what dedupe leaves for the budget. */
export type Unique = Enriched & {
  /** Lines (as numbered on disk) of better or merged items inside this one: kept when the rest is cut. */
  focus?: Span[];
  /** Items that were merged into it, as they were: printed instead of it where it is left out. */
  absorbed?: Unique[];
  /** Parts of it are items of their own, so it is printed as an outline only, never in full. */
  outline?: boolean;
  /** The item that was asked for: printed before everything else, whole if it fits alone. */
  lead?: boolean;
  /** A better item names it, and is not understood without it: a constant, a short helper. */
  companion?: boolean;
  /** Does the work of a function that was asked for by name. */
  works?: boolean;
  /** The caller wants it printed, at `wantedLevel` if one is given. */
  pinned?: boolean;
  wantedLevel?: Level;
};

/** The item's own lines and those of items merged into it, without context lines. */
export function ownSpan({ citation, startLine, endLine }: Enriched): Span {
  const start = Math.max(startLine, citation.startLine);
  const end = Math.min(endLine, citation.endLine);
  return start <= end ? { startLine: start, endLine: end } : { startLine, endLine };
}

export function sizeOf({ startLine, endLine }: Span): number {
  return endLine - startLine + 1;
}

export function contains(outer: Span, inner: Span): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}

/** True when they share a line. */
export function overlap(a: Span, b: Span): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine;
}

/** True when they share a line or follow one another without a line between. */
export function touch(a: Span, b: Span): boolean {
  return a.startLine <= b.endLine + 1 && b.startLine <= a.endLine + 1;
}
