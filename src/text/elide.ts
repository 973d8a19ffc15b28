import { commentMark, countLines } from "./comments.ts";
import { indentOf, type Open, scanLine } from "./structure.ts";
import { syntaxOf } from "./syntax.ts";

/**
 * Keeps the chosen lines and puts one mark in the language's comment syntax in the place of each run of others,
 * indented like the run's first line that is not empty. A run of empty lines becomes one empty line.
 */
export function elide(
  lines: readonly string[],
  keep: readonly boolean[] | ((index: number) => boolean),
  language?: string,
): string[] {
  const kept = typeof keep === "function" ? keep : (index: number) => keep[index] === true;
  const syntax = syntaxOf(language);
  const result: string[] = [];
  let open: Open | undefined;
  for (let start = 0; start < lines.length; ) {
    const before = open;
    let end = start;
    while (end < lines.length && !kept(end)) open = scanLine(lines[end]!, end++, open, syntax);
    if (end > start) {
      const first = lines.slice(start, end).find((line) => line.trim() !== "");
      const mark = `... ${countLines(end - start)}`;
      // Inside a comment or string a comment's own marks could end it.
      if (first === undefined) result.push("");
      else result.push(indentOf(first) + (before?.kind === "text" ? mark : commentMark(language, mark)));
    } else {
      result.push(lines[start]!);
      open = scanLine(lines[start]!, start, open, syntax);
      end = start + 1;
    }
    start = end;
  }
  return result;
}
