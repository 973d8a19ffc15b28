import type { ImportStatement } from "../item.ts";
import { hasIdentifier, identifiersIn, linesWithIdentifier } from "../text/analysis/identifiers.ts";

/** The import statements of a file that these lines use, verbatim, in file order; none that the lines already contain. */
export function usedImports(
  imports: ImportStatement[],
  fileLines: string[],
  shown: { startLine: number; endLine: number },
): string[] {
  if (imports.length === 0) return [];
  const uses = usesIn(fileLines, imports);
  const isUsed = (name: string) => uses.get(name)!.some((line) => line >= shown.startLine && line <= shown.endLine);
  const used: string[] = [];
  for (const statement of imports) {
    // It switches the compiler and brings no name, though `annotations` and `division` are words.
    if (statement.module === "__future__") continue;
    if (statement.startLine >= shown.startLine && statement.endLine <= shown.endLine) continue;
    if (!statement.names.some(isUsed)) continue;
    const text = fileLines
      .slice(statement.startLine - 1, statement.endLine)
      .join("\n")
      .trim();
    if (text !== "" && !used.includes(text)) used.push(text);
  }
  return used;
}

const usesByFile = new WeakMap<readonly string[], Map<string, number[]>>();

/** The lines of a file, from 1, that have each name that it imports. A file whose lines are remembered is searched once. */
function usesIn(fileLines: readonly string[], imports: readonly ImportStatement[]): ReadonlyMap<string, number[]> {
  let lineNumbers = usesByFile.get(fileLines);
  if (!lineNumbers) usesByFile.set(fileLines, (lineNumbers = new Map()));
  let text: string | undefined;
  for (const { names } of imports) {
    for (const name of names) {
      if (lineNumbers.has(name)) continue;
      text ??= fileLines.join("\n");
      lineNumbers.set(
        name,
        linesWithIdentifier(fileLines, text, name).map((line) => line + 1),
      );
    }
  }
  return lineNumbers;
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

const namesByLine = new Map<string, ReadonlySet<string>>();
const mostKnown = 5000;

/** Lines of imports are few and asked for again with every choice of what to print. */
export function namesIn(line: string): ReadonlySet<string> {
  let cached = namesByLine.get(line);
  if (!cached) {
    if (namesByLine.size >= mostKnown) namesByLine.clear();
    namesByLine.set(line, (cached = identifiersIn(line)));
  }
  return cached;
}

/** What is printed; `within` is the text that all of its lines are taken from, where it is one of many cuts of that. */
type Text = { text: string; within?: { text: string } };

const namesByText = new WeakMap<object, Map<string, boolean>>();
const shownByText = new WeakMap<object, Map<string, boolean>>();

/** Whether the text of something that is printed has this name; looked for once. */
export function names(printed: Text, name: string): boolean {
  return known(namesByText, printed, name, () => hasIdentifier(printed.text, name));
}

/** Whether the text of something that is printed has this statement; looked for once. */
export function shows(printed: Text, statement: string): boolean {
  const { text, within } = printed;
  return known(
    shownByText,
    printed,
    statement,
    () => (!within || shows(within, statement)) && text.includes(statement),
  );
}

function known(
  memory: WeakMap<object, Map<string, boolean>>,
  printed: Text,
  words: string,
  find: () => boolean,
): boolean {
  let answers = memory.get(printed);
  if (!answers) memory.set(printed, (answers = new Map()));
  let answer = answers.get(words);
  if (answer === undefined) answers.set(words, (answer = find()));
  return answer;
}
