import type { Included } from "../../item.ts";
import { hashText } from "../../text/hash.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import type { Unique } from "../unique.ts";
import { ownPrintable } from "./print-levels.ts";

/**
 * What a reader has already, so that nothing is paid for twice. It is remembered line by line, by what the line says and where: a method of
 * a class that was printed is known, whatever was its item then, and a line that was edited since is news.
 */
export type Given = ReadonlySet<string>;

/** What these items add to what was given. */
export function sentKeysOf(items: readonly Included[]): string[] {
  return items.flatMap(({ id, citation, text }) => [hashText(id), ...linesToldBy(text).map(keyAt(citation.path))]);
}

/** Whether a reader has all that this way to print an item tells. */
export function isAlreadySent(
  { unique, printLevel: { text } }: { unique: Unique; printLevel: PrintLevel },
  given: Given,
): boolean {
  const own = new Set(linesToldBy(ownPrintable(unique)));
  // What stands for elided lines is no line of the item.
  const lines = linesToldBy(text).filter((line) => own.has(line));
  if (lines.length === 0) return given.has(hashText(unique.item.id));
  return lines.map(keyAt(unique.citation.path)).every((key) => given.has(key));
}

/** Lines with a word in them: a lone brace is the same everywhere. */
function linesToldBy(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function keyAt(place: string): (line: string) => string {
  return (line) => hashText(`${place}\n${line}`);
}
