import type { DropReason } from "../document.ts";
import { documentKinds, type Uses } from "../item.ts";
import { shortName } from "./characters.ts";
import type { LeftOut, PrintedEntry, SourcePlace } from "./format.ts";

/** Phrases that all formats share. */

const reasons: Record<DropReason, [one: string, many: string]> = {
  "over-budget": ["over budget", "over budget"],
  duplicate: ["duplicate", "duplicates"],
  "below-score": ["less relevant", "less relevant"],
  diversity: ["left for variety", "left for variety"],
  unreadable: ["unreadable", "unreadable"],
  empty: ["empty", "empty"],
  given: ["given before", "given before"],
  excluded: ["excluded", "excluded"],
};

/** "12 more results left out: 9 over budget, 3 less relevant". */
export function leftOutSentence(counts: LeftOut[]): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return `${total} more result${total === 1 ? "" : "s"} left out: ${reasonWords(counts)}`;
}

/** "9 over budget, 3 duplicates". */
export function reasonWords(counts: LeftOut[]): string {
  return counts.map(({ reason, count }) => `${count} ${reasons[reason][count === 1 ? 0 : 1]}`).join(", ");
}

export function lineRange({ startLine, endLine }: { startLine: number; endLine: number }): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}

/** `processPayment (function, src/a.ts:10-25)`. */
export function sourceLine(place: SourcePlace, write: (words: string) => string): string {
  return `${write(shortName(place.name))} (${place.kind}, ${write(place.path)}:${lineRange(place)})`;
}

/** The label before a text. */
export function textLabel({ kind }: PrintedEntry): "Code" | "Text" {
  return (documentKinds as readonly string[]).includes(kind) ? "Text" : "Code";
}

/** The text with the number of each line before it. */
export function numbered({ text, numbers }: PrintedEntry): string {
  if (!numbers) return text;
  const width = Math.max(...numbers.map((number) => String(number ?? "").length));
  return text
    .split("\n")
    .map((line, i) => `${String(numbers[i] ?? "").padStart(width)} ${line}`.trimEnd())
    .join("\n");
}

/** The level, when the text is not all of the item, and the notes. */
export function remarks(entry: PrintedEntry): string[] {
  return entry.level === "full" ? entry.notes : [entry.level, ...entry.notes];
}

/** Whether anything follows the head. */
export function hasBody({ text, rest }: PrintedEntry): boolean {
  return text !== "" || rest !== undefined;
}

/** Where the rest of a cut text is: "truncated, see full at src/a.ts:12". */
export function truncated(rest: string): string {
  return rest === "" ? "truncated" : `truncated, ${rest}`;
}

/**
 * The users of an item, one line each: `src/a.ts:12 total: return priceOf(order)`. `pathOnce`: the path is not
 * repeated for the next line of the same file.
 */
export function useLines(
  { uses }: PrintedEntry,
  write: { name: (words: string) => string; code: (line: string) => string; pathOnce?: boolean },
): string[] {
  if (!uses) return [];
  const list = (title: string, places: Uses["callers"]) =>
    places.length === 0
      ? []
      : [
          `${title}:`,
          ...places.map(({ path, line, name, text }, i) => {
            const isSaid = write.pathOnce && places[i - 1]?.path === path;
            return `- ${isSaid ? "" : write.name(path)}:${line} ${write.name(shortName(name))}: ${write.code(text)}`;
          }),
        ];
  return [...list("Used by", uses.callers), ...list("Tested by", uses.tests)];
}
