import type { Item } from "../item.ts";
import { splitLines } from "../text/lines.ts";
import { extract } from "./extract.ts";
import { hashLines, itemsOf } from "./itemize.ts";

export type LineRange = { startLine: number; endLine: number };

/**
 * Where an indexed item is in a changed version of its file: the declaration of the same name and kind (the one
 * whose text is unchanged, when several share the name), else its very lines wherever they moved.
 */
export async function relocate(item: Item, freshText: string): Promise<LineRange | undefined> {
  const lines = splitLines(freshText);
  if (lines.length === 0) return undefined;
  const extraction = await extract(item.path, freshText);
  const fresh = itemsOf(item.path, extraction, lines, 0);
  const namesakes = fresh.filter((each) => each.kind === item.kind && each.qualifiedName === item.qualifiedName);
  const found = namesakes.find((each) => each.hash === item.hash) ?? namesakes.find((each) => each.id === item.id);
  if (found) return { startLine: found.startLine, endLine: found.endLine };
  return sameLines(item, lines);
}

/** The block of lines with the item's hash, nearest to where it was. */
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
