import type { ImportStatement } from "../item.ts";
import { hasIdentifier, identifiersIn } from "../text/analysis/identifiers.ts";

const usedByFile = new WeakMap<readonly string[], Map<string, string[]>>();

/**
 * The import statements of a file that these lines use, verbatim, in file order; none that the lines already contain.
 * Memoised per array of lines.
 */
export function usedImports(
  imports: ImportStatement[],
  fileLines: readonly string[],
  shown: { startLine: number; endLine: number },
): string[] {
  if (imports.length === 0) return [];
  let usedByLines = usedByFile.get(fileLines);
  if (!usedByLines) usedByFile.set(fileLines, (usedByLines = new Map()));
  const key = `${shown.startLine}-${shown.endLine}`;
  let used = usedByLines.get(key);
  if (!used) usedByLines.set(key, (used = findUsed(imports, fileLines, shown)));
  return used;
}

function findUsed(
  imports: readonly ImportStatement[],
  fileLines: readonly string[],
  shown: { startLine: number; endLine: number },
): string[] {
  // Only what is shown is searched: of a file, that is a small part.
  const shownText = fileLines.slice(shown.startLine - 1, shown.endLine).join("\n");
  const used: string[] = [];
  for (const statement of imports) {
    // `__future__` imports no usable name: `annotations` and `division` only switch the compiler.
    if (statement.module === "__future__") continue;
    if (statement.startLine >= shown.startLine && statement.endLine <= shown.endLine) continue;
    if (!statement.names.some((name) => hasIdentifier(shownText, name) && isActedOn(shownText, name))) continue;
    if (isConditional(fileLines, statement.startLine)) continue;
    const text = textOf(statement, fileLines);
    if (text !== "" && !onlyTypes.test(text) && !used.includes(text)) used.push(text);
  }
  return used;
}

const onlyTypes = /^(?:import|use)\s+type\b/;
/** As types and classes are written in most languages. */
const typeName = /^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/;

/**
 * Whether the text does something with a name: calls it, reads a member, makes or extends it. The type of a parameter
 * tells by its name all that the reader of a few functions needs of it.
 */
function isActedOn(text: string, name: string): boolean {
  if (!typeName.test(name)) return true;
  const before =
    /(?:\b(?:new|extends|implements|with|instanceof|raise|throw|except|catch|rescue|include|extend)\s+\(?|@|(?<![\w)>\]])<)$/;
  const declares = /^\s*(?:[a-z]+\s+)*(?:class|interface|trait|impl|struct|object|module)\b/;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (/[\w$]/.test(text[at - 1] ?? "") || /[\w$]/.test(text[end] ?? "")) continue;
    if (/^(?:<[^<>\n]{0,80}>)?(?:\(|\.|::|!|\[)/.test(text.slice(end, end + 90))) return true;
    const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
    if (before.test(line) || declares.test(line)) return true;
  }
  return false;
}

const statementsByFile = new WeakMap<readonly string[], readonly string[]>();

/** All import statements of a file, verbatim, in its order. Memoised per array of lines. */
export function allImports(imports: readonly ImportStatement[], fileLines: readonly string[]): readonly string[] {
  let all = statementsByFile.get(fileLines);
  if (!all) statementsByFile.set(fileLines, (all = imports.map((statement) => textOf(statement, fileLines))));
  return all;
}

function textOf({ startLine, endLine }: ImportStatement, fileLines: readonly string[]): string {
  return fileLines
    .slice(startLine - 1, endLine)
    .join("\n")
    .trim();
}

const conditionHead =
  /^\s*(?:(?:pub|async|export|static)\b.*\s)?(?:if|elif|else|try|except|finally|with|def|class|function|fn)\b.*[:{]\s*(?:#.*|\/\/.*)?$/;

/**
 * Whether an import stands inside a condition, a `try` or a function: without the head of its block it would say what
 * is not so.
 */
function isConditional(lines: readonly string[], startLine: number): boolean {
  const indentOf = (line: string) => /^[ \t]*/.exec(line)![0].length;
  const indent = indentOf(lines[startLine - 1] ?? "");
  if (indent === 0) return false;
  for (let at = startLine - 2; at >= 0; at--) {
    const line = lines[at]!;
    if (line.trim() !== "" && indentOf(line) < indent) return conditionHead.test(line);
  }
  return false;
}

const shortestTrimmed = 4;

/** The first line of a list of names, and its last. */
const listOpening = /[({]\s*(?:#.*|\/\/.*)?$/;
const listClosing = /^\s*[)}]/;
const bracket = /[(){}]/;

/**
 * A long import statement without the lines that name nothing used: `import {`, the used names, `} from`. Undefined
 * when no name is used. Only a plain list of names is trimmed: of `try` and `except`, or of a list in a list, each line
 * needs the others.
 */
export function trimmedImport(statement: string, isUsed: (name: string) => boolean): string | undefined {
  if (!isLong(statement)) return statement;
  const lines = statement.split("\n");
  const [head, names, end] = [lines[0]!, lines.slice(1, -1), lines.at(-1)!];
  if (!listOpening.test(head) || !listClosing.test(end) || names.some((line) => bracket.test(line))) return statement;
  const hasUsed = (line: string) => !/^\s*type\s/.test(line) && importedNames(line).some(isUsed);
  const used = names.filter(hasUsed);
  if (used.length > 0) return [head, ...used, end].join("\n");
  // `import fs, {` has a name of its own.
  const alone = /^(import\s.*\S)\s*,\s*\{\s*$/.exec(head)?.[1];
  return alone !== undefined && hasUsed(alone) ? `${alone} ${end.replace(listClosing, "").trim()}` : undefined;
}

function isLong(statement: string): boolean {
  let lines = 1;
  for (let at = statement.indexOf("\n"); at !== -1; at = statement.indexOf("\n", at + 1)) lines++;
  return lines >= shortestTrimmed;
}

const namesByText = new Map<string, readonly string[]>();
const mostCachedTexts = 5000;
const importWords = new Set(
  "import from as use using require include const let var type static pub crate self try except else pass None ImportError ModuleNotFoundError".split(
    " ",
  ),
);

/**
 * Names that an import statement, or a line of one, may bring: no comments, no module that names are taken from, no
 * name that gets another by `as`. Memoised: there are few such texts, and every print option asks again.
 */
export function importedNames(text: string): readonly string[] {
  let names = namesByText.get(text);
  if (!names) {
    if (namesByText.size >= mostCachedTexts) namesByText.clear();
    const bare = text
      .replace(/(^|\s)(?:\/\/|# ).*$/gm, "")
      .replace(/^\s*from\s+\S+\s+import\b/gm, "")
      .replace(/(?:\bfrom\s*|=\s*require\s*\(\s*)(["']).*?\1/g, "")
      .replace(/[\w$.:*]+\s+as\s+(?=[\w$])/g, "")
      // `java.io.Reader` brings `Reader`: code and comments have `java` and `io` for other reasons.
      .replace(/[\w$]+(?:\.|::|\\)(?=[\w$*])/g, "");
    namesByText.set(text, (names = [...identifiersIn(bare)].filter((name) => !importWords.has(name))));
  }
  return names;
}

/** A printed text; `within` is the longer text that it was cut from, if any. */
type PrintedText = { text: string; within?: { text: string } };

const nameInText = new WeakMap<object, Map<string, boolean>>();
const statementInText = new WeakMap<object, Map<string, boolean>>();

/** Whether a printed text contains this identifier. Memoised. */
export function hasName(printed: PrintedText, name: string): boolean {
  return memoized(nameInText, printed, name, () => hasIdentifier(printed.text, name));
}

/** Whether a printed text contains this import statement. Memoised. */
export function hasStatement(printed: PrintedText, statement: string): boolean {
  const { text, within } = printed;
  return memoized(
    statementInText,
    printed,
    statement,
    () => (!within || hasStatement(within, statement)) && text.includes(statement),
  );
}

function memoized(
  cache: WeakMap<object, Map<string, boolean>>,
  printed: PrintedText,
  key: string,
  compute: () => boolean,
): boolean {
  let answers = cache.get(printed);
  if (!answers) cache.set(printed, (answers = new Map()));
  let answer = answers.get(key);
  if (answer === undefined) answers.set(key, (answer = compute()));
  return answer;
}
