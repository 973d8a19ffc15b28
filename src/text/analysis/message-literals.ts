import { type Open, scanLine } from "../truncation/structure.ts";
import { type Syntax, syntaxOf } from "../truncation/syntax.ts";

/** The fixed text of a string literal (or of several joined ones): the pieces between its placeholders, in order. */
export type MessageTemplate = {
  /** First and last line, 1-based. */
  startLine: number;
  endLine: number;
  pieces: TemplatePiece[];
  /** Letters and digits of all pieces. */
  letters: number;
  /** Whether something is filled in before the first piece, and after the last one. */
  openStart: boolean;
  openEnd: boolean;
};

/** `fromStart`, `toEnd`: a word may not go on before or after it, because the literal has a space there or ends. */
export type TemplatePiece = { text: string; letters: number; fromStart: boolean; toEnd: boolean };

/** Shorter literals are keys and names. */
export const leastLetters = 8;
const leastWords = 2;
/** Longer ones are texts of their own: templates, help pages, queries. */
const longestLiteral = 4_000;
/** A line this long is data. */
const longestLine = 2_000;
/** Code between two literals of one message. */
const longestGap = 160;

/**
 * The messages that a stretch of code may print, raise or log. `firstLine` is the number of its first line; it must
 * begin where no string or comment is open, as units of code do.
 */
export function messageTemplates(
  lines: readonly string[],
  language: string | undefined,
  firstLine = 1,
): MessageTemplate[] {
  const syntax = withoutHeredocs(syntaxOf(language));
  const plainValues = valueIn(language);
  if (syntax.texts.length === 0 && !plainValues) return [];
  const templates: MessageTemplate[] = [];
  const literals = plainValues ? [...unquotedValues(lines, plainValues)] : [];
  if (syntax.texts.length > 0 && language !== "xml")
    literals.push(...joinedLiterals(lines, syntax, heredocOf(language)));
  for (const { startLine, endLine, text } of literals) {
    const template = templateOf(text);
    if (template) templates.push({ startLine: startLine + firstLine, endLine: endLine + firstLine, ...template });
  }
  return templates;
}

const syntaxes = new WeakMap<Syntax, Syntax>();

/** Here a heredoc counts only where something ends it, which the scanner of single lines cannot see. */
function withoutHeredocs(syntax: Syntax): Syntax {
  let plain = syntaxes.get(syntax);
  if (!plain) {
    plain = { ...syntax, texts: syntax.texts.filter(({ nextLine }) => !nextLine) };
    syntaxes.set(syntax, plain);
  }
  return plain;
}

type Joined = { startLine: number; endLine: number; text: string };

/** Values of catalogues of messages that need no quotes: `key: text`, `key = text`, `<value>text</value>`. */
function valueIn(language: string | undefined): RegExp | undefined {
  switch (language) {
    case "yaml":
      return /^\s*(?:- )?[\w."'/-]{1,120}\s*:\s+([^"'\s&*!|>%@`{[#][^\n]*)$/;
    case "ini":
    case "properties":
      return /^\s*"?[\w./-]{1,120}"?\s*[=:]\s*([^\s][^\n]*)$/;
    case "xml":
      return />([^<>]{8,1500})<\//;
    default:
      return undefined;
  }
}

function* unquotedValues(lines: readonly string[], pattern: RegExp): Generator<Joined> {
  for (const [index, line] of lines.entries()) {
    if (line.length > longestLine) continue;
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) yield { startLine: index, endLine: index, text };
  }
}

/** A heredoc's opening, with its end as a group of its own; what follows the line up to that end is one literal. */
function heredocOf(language: string | undefined): RegExp | undefined {
  switch (language) {
    case "ruby":
    case "perl":
      return /<<[~-]?(["'`]?)([A-Z_]\w{0,40})\1(?!\w)/;
    case "php":
      return /<<<[ \t]*(["']?)([A-Za-z_]\w{0,40})\1[ \t]*$/;
    case "bash":
    case "shell":
      return /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w{0,40})\1/;
    default:
      return undefined;
  }
}

/** A placeholder for text that is only known at run time; no source contains this character. */
const hole = "\u0000";

/**
 * Literals in order, those that are one message joined: adjacent ones, and those with `+ name +` between them. Lines
 * from 0.
 */
function joinedLiterals(lines: readonly string[], syntax: Syntax, heredoc?: RegExp): Joined[] {
  const literals: Joined[] = [];
  let open: Open | undefined;
  let last: Joined | undefined;
  /** The code since the last literal. */
  let gap = "";
  let isDocumentation = false;
  /** The word that ends the heredoc which is open. */
  let ending: string | undefined;
  const lastBegin = heredoc ? lastBeginnings(lines) : undefined;
  const addText = (text: string, line: number, isNextLine: boolean, isSame: boolean) => {
    const joint = isSame ? (isNextLine ? " " : "") : jointOf(gap);
    if (last && joint !== undefined && last.text.length < longestLiteral) {
      last.text += joint + text;
      last.endLine = line;
    } else {
      last = { startLine: line, endLine: line, text };
      literals.push(last);
    }
  };
  lines.forEach((line, index) => {
    if (line.length > longestLine) {
      last = undefined;
      return;
    }
    if (ending !== undefined) {
      if (endsHeredoc(line, ending)) {
        ending = undefined;
        last = undefined;
      } else addText(line.trim(), index, true, last !== undefined);
      return;
    }
    let at = 0;
    const inString = open?.kind === "text" && open.text?.comment !== true;
    // A literal that goes on is a piece of the one before it.
    let follows = inString;
    if (!inString) gap += "\n";
    const before = open;
    open = scanLine(line, index, open, syntax, (from, to, comment) => {
      if (from > at) {
        gap += line.slice(at, from);
        follows = false;
      }
      at = to;
      if (comment) return;
      if (!follows) isDocumentation = documents(line, from, before, syntax);
      if (isDocumentation) last = undefined;
      else addText(line.slice(from, to).replace(opening, ""), index, from === 0 && inString, follows || gap === "");
      gap = "";
      follows = true;
    });
    const code = line.slice(at);
    gap += code;
    if (gap.length > longestGap) last = undefined;
    if (heredoc && open?.kind !== "text") {
      const word = heredoc.exec(line)?.[2];
      if (word !== undefined && lastBegin!.get(word)! > index) {
        ending = word;
        last = undefined;
      }
    }
  });
  return literals;
}

/** The last line that begins with each word: a heredoc without an end is none (`list <<ITEM`). */
function lastBeginnings(lines: readonly string[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const word = /^\s{0,200}(\w{1,41})(?!\w)/.exec(line)?.[1];
    if (word !== undefined) last.set(word, index);
  }
  return last;
}

/** PHP goes on after the word: `EOT;`, `EOT, $x)`. */
function endsHeredoc(line: string, ending: string): boolean {
  const text = line.trimStart();
  return text.startsWith(ending) && !/^\w/.test(text.slice(ending.length));
}

/** True for a docstring: a string of several lines (in Python of any length) that is a statement by itself. */
function documents(line: string, from: number, before: Open | undefined, { head }: Syntax): boolean {
  if (before?.kind === "bracket" || !/^\s*[a-zA-Z]?$/.test(line.slice(0, from))) return false;
  return /^("""|''')/.test(line.slice(from)) || (head === "colon" && /["']\s*$/.test(line));
}

/** The beginning of a raw literal besides its quote. */
const opening = /^(?:b?r#*"|R"[^("]{0,16}\(|[$@]{1,2}")/;
const prefix = /^\s*[a-zA-Z@$]{0,2}$/;
const operator = /^\s*(\+|\.{1,2}|<<|<>|&|\|\||\+\+|\\)\s*/;
const operatorAtEnd = /(\+|\.{1,2}|<<|<>|&|\|\||\+\+|\\)\s*[a-zA-Z@$]{0,2}$/;
const interpolated = /^[^\n]{1,100}\}$/;
/** `"%" PRIu64 " bytes"` */
const macro = /^[ \t]*[A-Z]\w{2,20}\s*$/;

/** The text that joins two literals with this code between them; undefined when they are not one message. */
function jointOf(gap: string): string | undefined {
  if (prefix.test(gap)) return "";
  if (operator.test(gap)) {
    const rest = gap.replace(operator, "");
    if (prefix.test(rest)) return "";
    return operatorAtEnd.test(rest) && !hasComma(rest) ? hole : undefined;
  }
  if (interpolated.test(gap)) return hole;
  return macro.test(gap) ? hole : undefined;
}

/** A comma outside brackets begins another argument. */
function hasComma(code: string): boolean {
  let depth = 0;
  for (const character of code) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    else if ((character === "," || character === ";") && depth <= 0) return true;
    if (depth < 0) return true;
  }
  return false;
}

// Placeholders of all languages: a literal that only looks like another language's placeholder does no harm.
const placeholder = new RegExp(
  [
    String.raw`%(?:\([\w.]{1,60}\)|\{[\w.]{1,60}\}|<[\w.]{1,60}>|\d{1,2}\$)?[-+#0,']{0,4}[\d*]{0,4}(?:\.[\d*]{1,4})?(?:hh|ll|[hlLzjtq])?[a-zA-Z@%]`,
    String.raw`%[{<][\w.]{1,60}[}>]`,
    String.raw`%[-+#0,'\d*.]{0,8}(?=")`,
    String.raw`[$#]\{[^{}\0]{0,200}(?:\{[^{}]{0,100}\}[^{}]{0,100})?\}?`,
    String.raw`\{\{?[^{}]{0,200}(?:\{[^{}]{0,100}\}[^{}]{0,100})?\}\}?`,
    String.raw`\\\([^()]{0,100}(?:\([^()]{0,100}\)[^()]{0,100})?\)`,
    String.raw`\$[A-Za-z_]\w{0,60}(?:->\w{1,60}|\[[^\]]{0,60}\])?`,
    String.raw`\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})`,
  ].join("|"),
  "g",
);
/** A message is often pasted without its last sentences, and one with line ends line by line. */
const sentenceEnd = /(?<=[.!?;:])\s+|\\[nr]|\n/;

/** `"cannot read " + path`: a literal that ends in a space or a colon is seldom the whole message. */
const openStart = /^["'`]*[\s,;:)\]]*\0|^["'`]+\s/;
const openEnd = /\0[\s.!)\]]*(?:\\n)?["'`]*$|[\s:=([](?:\\?["'`])*$/;

function templateOf(literal: string): Omit<MessageTemplate, "startLine" | "endLine"> | undefined {
  if (literal.length < leastLetters) return undefined;
  const pieces: TemplatePiece[] = [];
  const filled = literal.slice(0, longestLiteral).replace(placeholder, hole);
  for (const fixed of filled.split(hole)) {
    const parts = fixed.split(sentenceEnd);
    parts.forEach((part, i) => {
      const plain = plainText(part.replace(/\\[tfv]/g, " "));
      const text = withoutEdges(plain);
      const letters = countLetters(text);
      if (letters < 2) return;
      // Quotes are removed by now: inside quotes, too, no word continues across a placeholder.
      const isFirst = i === 0 && literal.startsWith(fixed);
      const isLast = i === parts.length - 1 && literal.endsWith(fixed);
      pieces.push({
        text,
        letters,
        fromStart: i > 0 || isFirst || !plain.startsWith(text),
        toEnd: i < parts.length - 1 || isLast || !plain.endsWith(text),
      });
    });
  }
  const letters = pieces.reduce((sum, piece) => sum + piece.letters, 0);
  const words = pieces.reduce((sum, { text }) => sum + wordsOf(text), 0);
  return letters >= leastLetters && words >= leastWords
    ? { pieces, letters, openStart: openStart.test(filled), openEnd: openEnd.test(filled) }
    : undefined;
}

/**
 * How texts are compared: quotes and backslashes are written in many ways, so they are left out; white space is one
 * space.
 */
export function plainText(text: string): string {
  return text
    .replace(/["'`‘’“”«»\\]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

/** Without the punctuation around it, which is often not pasted. */
export function withoutEdges(plain: string): string {
  return plain.replace(/^[^\p{L}\p{N}]+/u, "").replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, "");
}

export function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

export function wordsOf(text: string): number {
  return text.split(" ").filter((word) => /\p{L}{2}/u.test(word)).length;
}
