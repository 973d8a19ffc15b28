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

const shortestTrimmed = 4;

/** A statement of several lines without the lines that name nothing that is used: `import {`, what is used, `} from`. */
export function trimmedImport(statement: string, isUsed: (name: string) => boolean): string {
  if (!isLong(statement)) return statement;
  const lines = statement.split("\n");
  const last = lines.length - 1;
  return lines.filter((line, i) => i === 0 || i === last || [...namesIn(line)].some(isUsed)).join("\n");
}

function isLong(statement: string): boolean {
  let lines = 1;
  for (let at = statement.indexOf("\n"); at !== -1; at = statement.indexOf("\n", at + 1)) lines++;
  return lines >= shortestTrimmed;
}

const known = new Map<string, ReadonlySet<string>>();
const mostKnown = 5000;

/** Lines of imports are few and asked for again with every choice of what to print. */
function namesIn(line: string): ReadonlySet<string> {
  let names = known.get(line);
  if (!names) {
    if (known.size >= mostKnown) known.clear();
    known.set(line, (names = identifiersIn(line)));
  }
  return names;
}

const wordsByText = new WeakMap<object, ReadonlySet<string>>();

/** The names in the text of something that is printed, found once. */
export function namesOf(printed: { text: string }): ReadonlySet<string> {
  let names = wordsByText.get(printed);
  if (!names) wordsByText.set(printed, (names = identifiersIn(printed.text)));
  return names;
}
