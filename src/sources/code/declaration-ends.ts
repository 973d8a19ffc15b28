/** How a language marks the end of a declaration. */
export type BlockStyle = "brace" | "indent" | "end" | "column" | "parenthesis" | "statement" | "marker";

/** `body`: where the body begins, if known; `end`: after the declaration's last character. */
export type CodeBlock = { body?: number; end: number };

/** A text that is searched for ends of declarations. */
export type BlockText = {
  code: string;
  starts: number[];
  /** The matching close of each `{` and `(`, by offset. */
  closing: Map<number, number>;
  /** Budget of lines: declarations without an end must not make the search quadratic. */
  left: number;
};

/** Budget of lines per line of the file, over all declarations: real code needs a handful. */
const looksPerLine = 60;

export function blockText(code: string, starts: number[]): BlockText {
  return { code, starts, closing: closings(code), left: starts.length * looksPerLine + 10_000 };
}

function closings(code: string): Map<number, number> {
  const closing = new Map<number, number>();
  const braces: number[] = [];
  const parentheses: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const character = code.charCodeAt(at);
    if (character === 123) braces.push(at);
    else if (character === 40) parentheses.push(at);
    else if (character === 125 || character === 41) {
      const open = (character === 125 ? braces : parentheses).pop();
      if (open !== undefined) closing.set(open, at + 1);
    }
  }
  return closing;
}

export function blockEnd(text: BlockText, line: number, style: BlockStyle, name: string): CodeBlock {
  if (style === "brace") return brace(text, line);
  if (style === "parenthesis") return parenthesis(text, line);
  if (style === "indent") return { body: text.starts[line + 1], end: indented(text, line) };
  if (style === "end") return closedByEnd(text, line);
  if (style === "marker") return { body: text.starts[line + 1], end: closedByMarker(text, line) };
  if (style === "statement") return { end: statement(text, line) };
  return column(text, line, name);
}

function lineEnd({ code, starts }: BlockText, line: number): number {
  return starts[line + 1] ?? code.length;
}

function lineOf(text: BlockText, line: number): string {
  return text.code.slice(text.starts[line]!, lineEnd(text, line));
}

/** The lines below, within the budget. */
function* below(text: BlockText, line: number): Generator<{ next: number; code: string; indent: number }> {
  for (let next = line + 1; next < text.starts.length && text.left > 0; next++) {
    text.left--;
    const raw = lineOf(text, next);
    const code = raw.trim();
    if (code !== "") yield { next, code, indent: indentOf(raw) };
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Braces, when one opens before the statement ends; else the indented lines below. */
function brace(text: BlockText, line: number): CodeBlock {
  const { code, starts, closing } = text;
  const from = starts[line]!;
  let depth = 0;
  for (let at = from; at < Math.min(code.length, from + 4000); at++) {
    const character = code[at]!;
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth <= 0 && character === ";") return { end: at + 1 };
    else if (depth <= 0 && character === "{") return { body: at, end: closing.get(at) ?? indented(text, line) };
    else if (character === "\n" && depth <= 0 && !continues(code, at)) break;
  }
  return { end: indented(text, line) };
}

function parenthesis(text: BlockText, line: number): CodeBlock {
  const open = text.code.indexOf("(", text.starts[line]!);
  return { end: text.closing.get(open) ?? lineEnd(text, line) };
}

/**
 * True when the declaration continues on the next line: that line starts with a brace, or this one ends in something
 * open.
 */
function continues(code: string, at: number): boolean {
  const next = /^\s*(\S)/.exec(code.slice(at + 1, at + 200))?.[1];
  const last =
    code
      .slice(Math.max(0, at - 200), at)
      .trimEnd()
      .at(-1) ?? "";
  return next === "{" || next === ":" || next === "w" || /[,:=(&|+-]/.test(last);
}

function indented(text: BlockText, line: number): number {
  const own = indentOf(lineOf(text, line));
  let last = line;
  for (const { next, code, indent } of below(text, line)) {
    const closes = indent === own && /^[)\]}]/.test(code);
    if (indent <= own && !closes) break;
    last = next;
    if (closes) break;
  }
  return lineEnd(text, last);
}

/** `end` in the declaration's own column, or on the same line for a one-liner. */
function closedByEnd(text: BlockText, line: number): CodeBlock {
  const head = lineOf(text, line);
  const own = indentOf(head);
  if (/\bend\b[\s;,)]*$/i.test(head) || /,\s*do:/.test(head)) return { end: lineEnd(text, line) };
  for (const { next, code, indent } of below(text, line)) {
    if (indent > own) continue;
    if (/^end/i.test(code)) return { body: text.starts[line + 1], end: lineEnd(text, next) };
    // Other code in the same column shows that the declaration has no body (an alias, a signature).
    if (indent < own || !/^(?:else|rescue|ensure|catch|after|when|begin|is|where|\)|\})/i.test(code)) break;
  }
  return { end: indented(text, line) };
}

/** Up to a line with `@end`. */
function closedByMarker(text: BlockText, line: number): number {
  for (const { next, code } of below(text, line)) if (/^@end\b/.test(code)) return lineEnd(text, next);
  return lineEnd(text, line);
}

/** Up to a `;` at the end of a line, outside a `$$` body and `begin ... end`. */
function statement(text: BlockText, line: number): number {
  let quoted = false;
  let depth = 0;
  const isLast = (code: string): boolean => {
    if ((code.match(/\$\w*\$/g)?.length ?? 0) % 2 === 1) quoted = !quoted;
    depth += code.match(/\b(?:begin|case)\b(?!\s*(?:;|transaction|work))/gi)?.length ?? 0;
    depth -= code.match(/\bend\b(?!\s+(?:if|loop|while|repeat))/gi)?.length ?? 0;
    return !quoted && depth <= 0 && code.endsWith(";");
  };
  if (isLast(lineOf(text, line).trim())) return lineEnd(text, line);
  for (const { next, code } of below(text, line)) if (isLast(code)) return lineEnd(text, next);
  return lineEnd(text, line);
}

/** Until another name starts in the first column; further lines for the same name belong to it. */
function column(text: BlockText, line: number, name: string): CodeBlock {
  let last = line;
  for (const { next, code, indent } of below(text, line)) {
    if (indent === 0 && !startsWithWord(code, name) && !/^(?:[)\]}|]|end\b)/.test(code)) break;
    last = next;
  }
  return { body: last > line ? lineEnd(text, line) : undefined, end: lineEnd(text, last) };
}

function startsWithWord(text: string, name: string): boolean {
  return text.startsWith(name) && !/[\p{L}\p{N}_']/u.test(text[name.length] ?? "");
}
