import { indentOf, type Open, scanLine } from "./structure.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/** Lines from `start` to `end`, both inclusive, counted from 0. */
type LineRange = { start: number; end: number };

/**
 * A comment or string of several lines. `comment`: it is documentation, not code; a docstring is one too. `closes`: its
 * last line closes it, so the opening line needs that line.
 */
export type TextRange = LineRange & { comment: boolean; closes: boolean };

/** The other lines that each line of a text needs to be understood correctly. */
export type LineStructure = {
  /** Lines that must be shown with a line: the head of its scope, the other bracket, the declaration of a decorator. */
  needs(line: number): readonly number[];
  /** The comment or string of several lines that a line is in. */
  textAt(line: number): TextRange | undefined;
  /** Whether a line begins inside a comment or string that continues from the line before. */
  isInText(line: number): boolean;
  /** Whether a line contains only a comment or docstring. */
  isComment(line: number): boolean;
};

/** A call, list or table of up to this many lines is shown whole, since half of it is not a statement. */
const smallGroup = 8;
/** Decorators and attributes of up to this many lines are shown with their declaration. */
const mostDecorators = 3;

const middle = /^(?:else|elsif|elif|elseif|except|rescue|ensure|catch|finally|when|then)\b|^after\s*$/;
const handler = /^(?:except|rescue|ensure|catch|finally)\b|^after\s*$/;
const closer = /^[)\]}]|^end\b|^(?:fi|done|esac)\b/;
/** `@cached`, `@Path("/x")`, `@route(`, `#[derive(Clone)]`, `[Fact]`, and in Elixir `@doc """`. */
const decorator = /^@(?!interface\b)[\w.:]+\s*(?:\(.*)?$|^#!?\[|^\[\w[^\]]*\]$|^@(?:doc|spec|impl|deprecated)\b/;
const directive = /^#\s*(if|ifdef|ifndef|elif|else|endif)\b/;
/** A line that continues the statement above it, and one whose statement continues below. */
const continuation = /^(?:&&|\|\||\?[?.]?\s|:\s|\.\w|\?\.\w|[+*]\s|-\s|\|>|and\s|or\s)/;
const continued = /(?:[^=<>!]=|&&|\|\||\s[+?]|\\)\s*$/;
const access = /^(?:public|private|protected|signals|slots)\b[\w ]*:\s*$/;

/**
 * Reads lines by brackets, quotes, keywords and indentation. A parser would know more, but printed lines change with
 * every edit and every cut, and reading them so takes a thousandth of a second for a thousand lines.
 */
export function lineStructure(lines: readonly string[], language: string | undefined): LineStructure {
  const syntax = syntaxOf(language);
  const opens = opensOf(lines, syntax);
  const indents = lines.map((line) => (line.trim() === "" ? -1 : widthOf(line)));
  const texts = [...textsOf(lines, opens, syntax)].sort((a, b) => a.start - b.start);
  const textByLine = new Map<number, TextRange>();
  for (const text of texts) for (let line = text.start; line <= text.end; line++) textByLine.set(line, text);
  const needed: number[][] = lines.map(() => []);
  const need = (line: number, other: number) => {
    if (line !== other) needed[line]!.push(other);
  };
  const isStructured = syntax.brackets || syntax.head === "colon" || syntax.indents === true;
  if (isStructured) {
    needBrackets(lines, opens, indents, need);
    needHeads(lines, indents, (line) => insideText(opens, line), syntax, need);
    if (syntax.directives) needDirectives(lines, need);
    for (const text of texts) if (text.comment && isAbove(text, lines)) needDeclaration(text, lines, indents, need);
  }
  const isComment = (line: number) =>
    textByLine.get(line)?.comment ?? (isLineComment(lines[line]!.trim(), syntax) || commentLine.test(lines[line]!));
  return {
    needs: (line) => needed[line] ?? [],
    textAt: (line) => textByLine.get(line),
    isInText: (line) => insideText(opens, line),
    isComment,
  };
}

/** A comment needs the line below it, which it describes. */
function needDeclaration(
  { start, end }: TextRange,
  lines: readonly string[],
  indents: readonly number[],
  need: Need,
): void {
  const below = end + 1;
  if (below < lines.length && indents[below] === indents[start]) need(start, below);
}

/** True for a comment above its declaration; a docstring is below it. */
function isAbove({ start }: TextRange, lines: readonly string[]): boolean {
  return !docstring.test(lines[start]!);
}

type Need = (line: number, other: number) => void;

/** What is open before each line, and after the last. */
function opensOf(lines: readonly string[], syntax: Syntax): (Open | undefined)[] {
  const opens: (Open | undefined)[] = [undefined];
  for (const [index, line] of lines.entries()) opens.push(scanLine(line, index, opens[index], syntax));
  return opens;
}

function insideText(opens: readonly (Open | undefined)[], line: number): boolean {
  return opens[line]?.kind === "text";
}

/** The openings that a line closes. */
function* closedBy(before: Open | undefined, after: Open | undefined): Iterable<Open> {
  let kept = after;
  for (let node = before; node !== undefined; node = node.below) {
    while (kept !== undefined && kept.depth > node.depth) kept = kept.below;
    if (kept === node) return;
    yield node;
  }
}

function needBrackets(
  lines: readonly string[],
  opens: readonly (Open | undefined)[],
  indents: readonly number[],
  need: Need,
): void {
  for (let line = 0; line < lines.length; line++) {
    for (const node of closedBy(opens[line], opens[line + 1])) {
      if (node.kind !== "bracket" || node.line === line || !isPlausible(node.line, line, indents)) continue;
      const isSmall = node.close !== "}" && line - node.line < smallGroup;
      if (node.close === "}" && lines[node.line]!.trim() === "{") needHead(node.line, lines, indents, need);
      for (let inner = node.line; inner <= line; inner++) {
        need(inner, node.line);
        need(inner, line);
        if (isSmall) need(node.line, inner);
      }
    }
  }
}

/** Limit of lines of a head with its bounds. */
const longestHead = 30;
/** A line that continues a head at the same indentation. */
const goesOnWithHead = /^(?:where\b|[)\]>:]|->|=>)/;

/**
 * A brace alone on its line needs the head of the `if` or the function above it, with all lines between: base classes,
 * the values that a constructor sets, the bounds of a Rust `where`. Half of a head is useless to a reader.
 */
function needHead(brace: number, lines: readonly string[], indents: readonly number[], need: Need): void {
  const head = headAbove(brace, lines, indents);
  if (head !== undefined) needEachOther(head, brace, need);
}

/** The bounds of a declaration, which may have no body: `where T: Clone;` of a method in a trait. */
function needBounds(where: number, lines: readonly string[], indents: readonly number[], need: Need): void {
  const head = headAbove(where, lines, indents);
  if (head === undefined) return;
  let end = where;
  while (!/[;{]\s*$/.test(lines[end]!) && (indents[end + 1] ?? -1) > indents[where]! && end - head < longestHead) end++;
  needEachOther(head, end, need);
}

function needEachOther(first: number, last: number, need: Need): void {
  for (let line = first + 1; line <= last; line++) {
    need(first, line);
    need(line, first);
  }
}

/** The first line of the statement that continues at `below`: the nearest line above with the same indentation. */
function headAbove(below: number, lines: readonly string[], indents: readonly number[]): number | undefined {
  const indent = indents[below]!;
  for (let line = below - 1; line >= Math.max(0, below - longestHead) && indents[line]! >= indent; line--) {
    if (/[;{]\s*$|^\s*\}[\s,)]*$/.test(lines[line]!)) return undefined;
    if (indents[line] === indent && !goesOnWithHead.test(lines[line]!.trim())) return line;
  }
  return undefined;
}

/**
 * Whether a bracket was read correctly: if a line inside is indented less than the lines that open and close it, a
 * quote or slash was misread.
 */
function isPlausible(start: number, end: number, indents: readonly number[]): boolean {
  const least = Math.min(indents[start]!, indents[end]!);
  for (let line = start + 1; line < end; line++) {
    const indent = indents[line]!;
    // Column 0: preprocessor lines, labels, texts.
    if (indent > 0 && indent < least) return false;
  }
  return true;
}

/**
 * Adds needs for heads of scopes by indentation, blocks that end in a keyword, clauses that continue the one above, and
 * decorators.
 */
function needHeads(
  lines: readonly string[],
  indents: readonly number[],
  isInText: (line: number) => boolean,
  syntax: Syntax,
  need: Need,
): void {
  /** Heads that are open, outermost first. */
  const stack: { line: number; indent: number }[] = [];
  let previous: number | undefined;
  let decorators: number[] = [];
  /** Lines of one statement that continues without brackets. */
  let statement: number[] = [];
  for (let line = 0; line < lines.length; line++) {
    if (indents[line]! < 0 || isInText(line)) continue;
    const text = lines[line]!.trim();
    if ((syntax.directives && text.startsWith("#")) || access.test(text)) continue;
    const indent = indents[line]!;
    while (stack.length > 0 && stack.at(-1)!.indent > indent) stack.pop();
    const same = stack.at(-1)?.indent === indent ? stack.at(-1) : undefined;
    const isComment = isLineComment(text, syntax);
    if (syntax.head === "brace" && /^where\b/.test(text)) needBounds(line, lines, indents, need);
    if (!isComment && same && (middle.test(text) || closer.test(text))) {
      // For a closing bracket the opening line is known already. The nearest line above with the same indentation may
      // be another one: the body of a namespace is not indented.
      if (!syntax.brackets || !/^[)\]}]/.test(text)) need(line, same.line);
      if (closer.test(text)) {
        if (syntax.blockEnd) need(same.line, line);
      } else if (handler.test(text)) need(same.line, line);
      // The following lines belong to this clause, which needs the head.
      if (middle.test(text)) stack.push({ line, indent: indent + 0.5 });
      previous = line;
      continue;
    }
    const outer = same ? stack.at(-2) : stack.at(-1);
    if (outer) need(line, outer.line);
    if (isComment) continue;
    if (/^[{]\s*$/.test(text) && previous !== undefined && indents[previous] === indent) need(line, previous);
    if (
      previous !== undefined &&
      (continuation.test(text) || continued.test(lines[previous]!)) &&
      indent >= indents[previous]!
    )
      statement.push(line);
    else statement = [line];
    if (statement.length > 1 && statement.length <= smallGroup) for (const above of statement) need(above, line);
    if (same) stack.pop();
    stack.push({ line, indent });
    decorators = adorn(lines, line, decorators, indents, need);
    previous = line;
  }
}

/**
 * A decorator needs its declaration; a declaration needs its decorators if they are few. Returns those that are still
 * open.
 */
function adorn(
  lines: readonly string[],
  line: number,
  decorators: number[],
  indents: readonly number[],
  need: Need,
): number[] {
  const first = decorators[0];
  if (first !== undefined && indents[line]! > indents[first]!) return decorators;
  const open = first !== undefined && indents[line] === indents[first] ? decorators : [];
  if (decorator.test(lines[line]!.trim())) return [...open, line];
  for (const above of open) {
    need(above, line);
    if (open.length <= mostDecorators && !lines[above]!.includes('"""')) need(line, above);
  }
  return [];
}

/** A line between `#if` and `#endif` needs both, and the directive of its branch. */
function needDirectives(lines: readonly string[], need: Need): void {
  const open: { branches: number[]; branchOf: [line: number, branch: number][] }[] = [];
  for (let line = 0; line < lines.length; line++) {
    const word = directive.exec(lines[line]!.trim())?.[1];
    if (word?.startsWith("if")) open.push({ branches: [line], branchOf: [] });
    const group = open.at(-1);
    if (!group) continue;
    if (word === "elif" || word === "else") group.branches.push(line);
    if (word === undefined) group.branchOf.push([line, group.branches.at(-1)!]);
    if (word !== "endif") continue;
    open.pop();
    for (const [inner, branch] of group.branchOf) need(inner, branch);
    for (const branch of group.branches) {
      need(branch, group.branches[0]!);
      need(group.branches[0]!, branch);
      need(branch, line);
    }
    need(line, group.branches[0]!);
    // The enclosing group treats this group as one unit.
    open.at(-1)?.branchOf.push([group.branches[0]!, open.at(-1)!.branches.at(-1)!]);
  }
}

/** A comment or docstring that begins and ends in one line. */
const commentLine = /^\s*(?:\/\*.*\*\/|[rRuU]?"""[^"]*"""|[rRuU]?'''[^']*''')\s*$/;
const docstring = /^\s*(?:[rRuU]?(?:"""|''')|@\w*doc\b)/;

function* textsOf(lines: readonly string[], opens: readonly (Open | undefined)[], syntax: Syntax): Iterable<TextRange> {
  for (let line = 0; line < lines.length; line++) {
    const text = outermostText(opens[line + 1]);
    if (text && text !== outermostText(opens[line])) {
      let end = line + 1;
      while (end < lines.length && outermostText(opens[end + 1]) === text) end++;
      const closes = end < lines.length;
      const comment = text.text?.comment === true || docstring.test(lines[line]!);
      yield { start: line, end: Math.min(end, lines.length - 1), comment, closes };
      line = end - 1;
      continue;
    }
    if (opens[line]?.kind === "text" || !isLineComment(lines[line]!.trim(), syntax)) continue;
    const indent = indentOf(lines[line]!);
    let end = line;
    while (
      end + 1 < lines.length &&
      indentOf(lines[end + 1]!) === indent &&
      isLineComment(lines[end + 1]!.trim(), syntax)
    )
      end++;
    if (end > line) yield { start: line, end, comment: true, closes: false };
    line = end;
  }
}

/** The outermost open comment or string. Code in a template belongs to the template. */
function outermostText(open: Open | undefined): Open | undefined {
  let text: Open | undefined;
  for (let node = open; node !== undefined; node = node.below) if (node.kind === "text") text = node;
  return text;
}

const lineComments = new Map<Syntax, RegExp>();

function isLineComment(text: string, syntax: Syntax): boolean {
  let pattern = lineComments.get(syntax);
  if (!pattern) {
    pattern = new RegExp(`^(?:${syntax.lineComments.join("|") || "(?!)"})`);
    lineComments.set(syntax, pattern);
  }
  return pattern.test(text);
}

const tabWidth = 4;

function widthOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === " ") width++;
    else if (character === "\t") width += tabWidth;
    else break;
  }
  return width;
}
