import type { Item } from "../item.ts";
import { splitLines } from "../text/lines.ts";
import { extract } from "./extract.ts";
import { hashLines, itemsOf } from "./itemize.ts";

export type LineRange = { startLine: number; endLine: number };

/**
 * Finds an indexed item in a changed version of its file: the declaration of the same name and kind (the unchanged one,
 * if several share the name), or else its exact lines, wherever they moved.
 */
export async function relocate(item: Item, freshText: string): Promise<LineRange | undefined> {
  const lines = splitLines(freshText);
  if (lines.length === 0) return undefined;
  const extraction = await extract(item.path, freshText);
  const current = itemsOf(item.path, extraction, lines, 0);
  const namesakes = current.filter((each) => each.kind === item.kind && each.qualifiedName === item.qualifiedName);
  const match = namesakes.find((each) => each.hash === item.hash) ?? namesakes.find((each) => each.id === item.id);
  if (match) return { startLine: match.startLine, endLine: match.endLine };
  return sameLines(item, lines);
}

/** The lines with the item's hash, nearest to its old position. */
function sameLines(item: Item, lines: string[]): LineRange | undefined {
  const count = item.endLine - item.startLine + 1;
  const last = lines.length - count + 1;
  const starts = Array.from({ length: Math.max(0, last) }, (_, index) => index + 1);
  starts.sort((a, b) => Math.abs(a - item.startLine) - Math.abs(b - item.startLine) || a - b);
  for (const start of starts) {
    if (hashLines(lines, start, start + count - 1) === item.hash)
      return { startLine: start, endLine: start + count - 1 };
  }
  return undefined;
}
