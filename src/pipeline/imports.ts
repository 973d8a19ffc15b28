import type { ImportStatement } from "../item.ts";
import { identifiersIn } from "../text/identifiers.ts";

/** The import statements of a file that these lines use, verbatim, in file order; none that the lines already contain. */
export function usedImports(
  imports: ImportStatement[],
  fileLines: string[],
  shown: { startLine: number; endLine: number },
): string[] {
  if (imports.length === 0) return [];
  const words = identifiersIn(fileLines.slice(shown.startLine - 1, shown.endLine).join("\n"));
  const used: string[] = [];
  for (const statement of imports) {
    if (statement.startLine >= shown.startLine && statement.endLine <= shown.endLine) continue;
    if (!statement.names.some((name) => words.has(name))) continue;
    const text = fileLines
      .slice(statement.startLine - 1, statement.endLine)
      .join("\n")
      .trim();
    if (text !== "" && !used.includes(text)) used.push(text);
  }
  return used;
}

/** A statement of several lines without the lines that name nothing of these words: `import {`, what is used, `} from`. */
export function trimmedImport(statement: string, words: ReadonlySet<string>): string {
  const lines = statement.split("\n");
  if (lines.length < shortestTrimmed) return statement;
  const last = lines.length - 1;
  return lines
    .filter((line, i) => i === 0 || i === last || [...identifiersIn(line)].some((name) => words.has(name)))
    .join("\n");
}

const shortestTrimmed = 4;
