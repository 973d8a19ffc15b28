import { commentMark, countLines } from "./comments.ts";
import { indentOf, type Open, scanLine } from "./structure.ts";
import { syntaxOf } from "./syntax.ts";

/** The remaining lines, marks included, and the index of each among the given lines. */
export type Elided = { lines: string[]; origins: (number | undefined)[] };

/** Most names in a mark; the others are only counted. If there is just one more, it is named too. */
const mostNames = 6;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "";
  const most = names.length === mostNames + 1 ? names.length : mostNames;
  const more = names.length > most ? `, ${names.length - most} more` : "";
  return `: ${names.slice(0, most).join(", ")}${more}`;
}

/**
 * Keeps the chosen lines and replaces each run of other lines by one mark in the language's comment syntax, indented
 * like the run's first line that is not empty. A run of empty lines becomes one empty line. `hidden` returns the names
 * for a run's mark.
 */
export function elide(
  lines: readonly string[],
  keep: readonly boolean[] | ((index: number) => boolean),
  language?: string,
  hidden: (start: number, end: number) => readonly string[] = () => [],
  isInText: IsInText = inTexts(lines, language),
): Elided {
  const isKept = typeof keep === "function" ? keep : (index: number) => keep[index] === true;
  const result: Elided = { lines: [], origins: [] };
  const add = (line: string, origin?: number) => {
    result.lines.push(line);
    result.origins.push(origin);
  };
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && !isKept(end)) end++;
    if (end > start) {
      const first = lines.slice(start, end).find((line) => line.trim() !== "");
      const mark = `... ${countLines(end - start)}${listed(hidden(start, end))}`;
      // Inside a comment or string, the mark is plain text, since comment syntax could end it.
      if (first === undefined) add("");
      else add(indentOf(first) + (isInText(start) ? star(first) + mark : commentMark(language, mark)));
    } else {
      add(lines[start]!, start);
      end = start + 1;
    }
    start = end;
  }
  return result;
}

/** A mark begins with a star inside a comment whose lines do. */
function star(line: string): string {
  return /^\s*\*(?!\/)/.test(line) ? "* " : "";
}

/** Whether a line begins inside a comment or string that continues from the line before. */
type IsInText = (line: number) => boolean;

/** Lines are read once, only as far as needed: a caller that elides in several ways passes this on. */
function inTexts(lines: readonly string[], language: string | undefined): IsInText {
  const syntax = syntaxOf(language);
  const before: boolean[] = [];
  let open: Open | undefined;
  return (line) => {
    while (before.length <= line) {
      const next = before.length;
      if (next > 0) open = scanLine(lines[next - 1]!, next - 1, open, syntax);
      before.push(open?.kind === "text");
    }
    return before[line]!;
  };
}
