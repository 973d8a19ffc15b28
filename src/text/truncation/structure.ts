import type { EnclosedText, Syntax } from "./syntax.ts";

/**
 * The open brackets, comments, strings and fences at a position, innermost first. Nodes are immutable, so that the
 * state after each line can be kept for the price of a pointer.
 */
export type Open = {
  /** Inside "text", brackets have no meaning. */
  kind: "bracket" | "text";
  close: string;
  /** Index and indentation of the line that opened it. */
  line: number;
  indent: string;
  depth: number;
  below: Open | undefined;
  text?: EnclosedText;
};

export type Skip = (from: number, to: number, comment: boolean) => void;

const closing: Record<string, string> = { "{": "}", "(": ")", "[": "]" };
const fence = /^ {0,3}(`{3,}|~{3,})/;
const regularExpression = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\]){0,200}\]|[^\\/[]){1,500}\/[a-z]*/y;
const beforeRegularExpression =
  /(?:^|[(,=:[!&|?{};+*%~^<>-]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|if|unless|elsif|when|and|or|not|while|until))\s*$/;

/**
 * Reads one line and returns what is open after it. `skip` is called with the ranges of comments and strings. If the
 * line is cut short (`whole` is false), it leaves a string open that the end of a whole line would close.
 */
export function scanLine(
  line: string,
  index: number,
  before: Open | undefined,
  syntax: Syntax,
  skip?: Skip,
  whole = true,
): Open | undefined {
  if (syntax.fences) {
    const mark = fence.exec(line)?.[1];
    if (before?.close.startsWith("`") || before?.close.startsWith("~")) {
      return mark?.startsWith(before.close) && line.trim() === mark ? before.below : before;
    }
    if (mark !== undefined && before === undefined) return push("text", mark, before);
  }
  const token = tokenOf(syntax);
  let open = before;
  let at = 0;
  if (open?.text?.nextLine) {
    const end = indentOf(line).length + open.close.length;
    const isEnd = line.trimStart().startsWith(open.close) && !/\w/.test(line[end] ?? "");
    skip?.(0, isEnd ? end : line.length, false);
    if (!isEnd) return open;
    [open, at] = [open.below, end];
  }
  const later: { close: string; text: EnclosedText }[] = [];
  while (at < line.length) {
    if (open?.kind === "text") {
      const from = at;
      const text = open.text!;
      [open, at] = leaveText(line, at, open);
      skip?.(from, at, text.comment === true);
      continue;
    }
    token.lastIndex = at;
    const match = token.exec(line);
    if (match === null) break;
    at = match.index + match[0].length;
    const matched = match[0];
    if (match.groups!.line !== undefined) {
      skip?.(match.index, line.length, true);
      break;
    }
    if (match.groups!.bracket !== undefined) {
      if (matched in closing) open = push("bracket", closing[matched]!, open);
      else open = closeBracket(open, matched);
      continue;
    }
    if (match.groups!.slash !== undefined) {
      regularExpression.lastIndex = match.index;
      if (
        beforeRegularExpression.test(line.slice(Math.max(0, match.index - 20), match.index)) &&
        regularExpression.test(line)
      ) {
        skip?.(match.index, regularExpression.lastIndex, false);
        at = regularExpression.lastIndex;
      }
      continue;
    }
    const text = syntax.texts.find((_, i) => match.groups![`text${i}`] !== undefined)!;
    skip?.(match.index, at, text.comment === true);
    if (text.whole) continue;
    const close = typeof text.close === "string" ? text.close : text.close(matched);
    if (text.nextLine) later.unshift({ close, text });
    else open = push("text", close, open, text);
  }
  for (const { close, text } of later) open = push("text", close, open, text);
  if (whole) while (open?.kind === "text" && open.text !== undefined && !open.text.lines) open = open.below;
  return open;

  function push(kind: Open["kind"], close: string, below: Open | undefined, text?: EnclosedText): Open {
    const node: Open = { kind, close, line: index, indent: indentOf(line), depth: (below?.depth ?? 0) + 1, below };
    if (text) node.text = text;
    return node;
  }

  function leaveText(line: string, from: number, open: Open): [Open | undefined, number] {
    const text = open.text!;
    for (let i = from; i < line.length; i++) {
      if (line.startsWith(open.close, i)) return [open.below, i + open.close.length];
      if (!text.raw && line[i] === "\\") i++;
      else if (text.code !== undefined && line.startsWith(text.code, i)) {
        return [push("bracket", "}", open), i + text.code.length];
      } else if (text.nested && line.startsWith(plain(text.open), i)) {
        return [push("text", open.close, open, text), i + plain(text.open).length];
      }
    }
    return [open, line.length];
  }
}

/** A closing bracket ends the nearest opening one of its kind; an unmatched one is ignored. */
function closeBracket(open: Open | undefined, close: string): Open | undefined {
  for (let node = open; node?.kind === "bracket"; node = node.below) if (node.close === close) return node.below;
  return open;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** A line with its comments blanked and its strings filled with quotes: only code is left, with offsets unchanged. */
export function maskLine(
  line: string,
  index: number,
  before: Open | undefined,
  syntax: Syntax,
): { code: string; after: Open | undefined } {
  let code = "";
  let at = 0;
  const after = scanLine(line, index, before, syntax, (from, to, comment) => {
    code += line.slice(at, from) + (comment ? " " : '"').repeat(to - from);
    at = to;
  });
  return { code: code + line.slice(at), after };
}

function plain(pattern: string): string {
  return pattern.replaceAll("\\", "");
}

const tokens = new Map<Syntax, RegExp>();

function tokenOf(syntax: Syntax): RegExp {
  let token = tokens.get(syntax);
  if (token === undefined) {
    const parts = syntax.texts.map((text, i) => `(?<text${i}>${text.open})`);
    parts.push(`(?<line>${syntax.lineComments.join("|") || "(?!)"})`);
    parts.push(`(?<slash>${syntax.regularExpressions ? "/" : "(?!)"})`);
    parts.push(`(?<bracket>${syntax.brackets ? "[{}()[\\]]" : "(?!)"})`);
    token = new RegExp(parts.join("|"), "g");
    tokens.set(syntax, token);
  }
  return token;
}
