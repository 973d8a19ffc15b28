import type { Included } from "../../item.ts";
import { hashText } from "../../text/hash.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import type { Unique } from "../unique.ts";
import { ownPrintable } from "./levels/print-levels.ts";

/**
 * Keys of what the reader already has, so that nothing is sent twice. There is a key for every line (path and text): a
 * method is known if its class was printed before, whatever the item was then, and an edited line is new.
 */
export type SentKeys = ReadonlySet<string>;

/** The keys of these items and of their printed lines. */
export function sentKeysOf(items: readonly Included[]): string[] {
  return items.flatMap(({ id, citation, text }) => [hashText(id), ...wordLines(text).map(lineKey(citation.path))]);
}

/** Whether the reader already has every line of this print level. */
export function isAlreadySent(
  { unique, printLevel: { text } }: { unique: Unique; printLevel: PrintLevel },
  sentKeys: SentKeys,
): boolean {
  const own = new Set(wordLines(ownPrintable(unique)));
  // Marks for elided lines are not lines of the item.
  const lines = wordLines(text).filter((line) => own.has(line));
  if (lines.length === 0) return sentKeys.has(hashText(unique.item.id));
  return lines.map(lineKey(unique.citation.path)).every((key) => sentKeys.has(key));
}

/** Lines that contain a word: a lone brace occurs everywhere. */
function wordLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function lineKey(path: string): (line: string) => string {
  return (line) => hashText(`${path}\n${line}`);
}
