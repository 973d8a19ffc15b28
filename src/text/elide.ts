import { commentMark, countLines } from "./comments.ts";
import { indentOf, type Open, scanLine } from "./structure.ts";
import { syntaxOf } from "./syntax.ts";

/** The lines that are left, marks included, and which of the given lines each is. */
export type Elided = { lines: string[]; origins: (number | undefined)[] };

/** Names in a mark; more are counted. */
const mostNames = 6;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > mostNames ? `, ${names.length - mostNames} more` : "";
  return `: ${names.slice(0, mostNames).join(", ")}${more}`;
}

/**
 * Keeps the chosen lines and puts one mark in the language's comment syntax in the place of each run of others,
 * indented like the run's first line that is not empty. A run of empty lines becomes one empty line. `hidden` names what a run holds.
 */
export function elide(
  lines: readonly string[],
  keep: readonly boolean[] | ((index: number) => boolean),
  language?: string,
  hidden: (start: number, end: number) => readonly string[] = () => [],
): Elided {
  const kept = typeof keep === "function" ? keep : (index: number) => keep[index] === true;
  const syntax = syntaxOf(language);
  const result: Elided = { lines: [], origins: [] };
  const add = (line: string, origin?: number) => {
    result.lines.push(line);
    result.origins.push(origin);
  };
  let open: Open | undefined;
  let last = lines.length - 1;
  while (last >= 0 && kept(last)) last--;
  for (let start = 0; start < lines.length; ) {
    const before = open;
    let end = start;
    while (end < lines.length && !kept(end)) open = scanLine(lines[end]!, end++, open, syntax);
    if (end > start) {
      const first = lines.slice(start, end).find((line) => line.trim() !== "");
      const mark = `... ${countLines(end - start)}${listed(hidden(start, end))}`;
      // Inside a comment or string a comment's own marks could end it.
      if (first === undefined) add("");
      else add(indentOf(first) + (before?.kind === "text" ? mark : commentMark(language, mark)));
    } else {
      add(lines[start]!, start);
      // What is open matters to the marks that follow.
      if (start < last) open = scanLine(lines[start]!, start, open, syntax);
      end = start + 1;
    }
    start = end;
  }
  return result;
}
