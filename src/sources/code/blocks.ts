/** How a language shows where a declaration ends. */
export type BlockStyle = "brace" | "indent" | "end" | "column" | "parenthesis" | "statement" | "marker";

/** `body` is where the body begins when that can be told; `end` is past the declaration's last character. */
export type Block = { body?: number; end: number };

/** Declarations that never close end here at the latest, so that one lost brace does not make a search quadratic. */
const longestBlock = 400_000;

export function blockEnd(code: string, starts: number[], line: number, style: BlockStyle, name: string): Block {
  if (style === "brace") return brace(code, starts, line);
  if (style === "parenthesis") return { end: balanced(code, starts[line]!, "(", ")") ?? lineEnd(code, starts, line) };
  if (style === "indent") return { body: starts[line + 1], end: indented(code, starts, line) };
  if (style === "end") return closedByEnd(code, starts, line);
  if (style === "marker") return { body: starts[line + 1], end: closedByMarker(code, starts, line) };
  if (style === "statement") return { end: statement(code, starts, line) };
  return column(code, starts, line, name);
}

function lineEnd(code: string, starts: number[], line: number): number {
  return starts[line + 1] ?? code.length;
}

function indentOf(code: string, starts: number[], line: number): number | undefined {
  const text = code.slice(starts[line]!, lineEnd(code, starts, line));
  const written = text.trimStart();
  return written.trimEnd() === "" ? undefined : text.length - written.length;
}

/** Braces, when one opens before the statement is over; else what is indented below. */
function brace(code: string, starts: number[], line: number): Block {
  const from = starts[line]!;
  let depth = 0;
  for (let at = from; at < Math.min(code.length, from + 4000); at++) {
    const character = code[at]!;
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth <= 0 && character === ";") return { end: at + 1 };
    else if (depth <= 0 && character === "{") {
      const end = balanced(code, at, "{", "}");
      return end === undefined ? { body: at, end: indented(code, starts, line) } : { body: at, end };
    } else if (character === "\n" && depth <= 0 && !continues(code, at)) break;
  }
  return { end: indented(code, starts, line) };
}

/** The declaration goes on in the next line: it starts with a brace, or this one ends in something open. */
function continues(code: string, at: number): boolean {
  const next = /^\s*(\S)/.exec(code.slice(at + 1, at + 200))?.[1];
  const last =
    code
      .slice(Math.max(0, at - 200), at)
      .trimEnd()
      .at(-1) ?? "";
  return next === "{" || next === ":" || next === "w" || /[,:=(&|+-]/.test(last);
}

function balanced(code: string, from: number, open: string, close: string): number | undefined {
  let depth = 0;
  const until = Math.min(code.length, from + longestBlock);
  for (let at = from; at < until; at++) {
    if (code[at] === open) depth++;
    else if (code[at] === close && --depth <= 0) return at + 1;
  }
  return undefined;
}

function indented(code: string, starts: number[], line: number): number {
  const own = indentOf(code, starts, line) ?? 0;
  let last = line;
  for (let next = line + 1; next < starts.length && starts[next]! - starts[line]! < longestBlock; next++) {
    const indent = indentOf(code, starts, next);
    if (indent === undefined) continue;
    const closes = indent === own && /^\s*[)\]}]/.test(code.slice(starts[next]!, lineEnd(code, starts, next)));
    if (indent <= own && !closes) break;
    last = next;
    if (closes) break;
  }
  return lineEnd(code, starts, last);
}

/** `end` in the declaration's own column, or on its own line when the whole is one line. */
function closedByEnd(code: string, starts: number[], line: number): Block {
  const own = indentOf(code, starts, line) ?? 0;
  const text = code.slice(starts[line]!, lineEnd(code, starts, line));
  if (/\bend\b[\s;,)]*$/i.test(text) || /,\s*do:/.test(text)) return { end: lineEnd(code, starts, line) };
  for (let next = line + 1; next < starts.length && starts[next]! - starts[line]! < longestBlock; next++) {
    const indent = indentOf(code, starts, next);
    if (indent === undefined || indent > own) continue;
    const closing = /^\s*end/i.test(code.slice(starts[next]!, lineEnd(code, starts, next)));
    if (closing) return { body: starts[line + 1], end: lineEnd(code, starts, next) };
    // Something else in the same column: the declaration had no body (an alias, a signature).
    if (
      indent < own ||
      !/^\s*(?:else|rescue|ensure|catch|after|when|begin|is|where|\)|\})/i.test(
        code.slice(starts[next]!, lineEnd(code, starts, next)),
      )
    )
      break;
  }
  return { end: indented(code, starts, line) };
}

/** Up to a line that says `@end`. */
function closedByMarker(code: string, starts: number[], line: number): number {
  const close = /^@end\b/gm;
  close.lastIndex = starts[line]!;
  const found = close.exec(code.slice(0, starts[line]! + longestBlock));
  return found ? found.index + found[0].length : lineEnd(code, starts, line);
}

/** Up to a `;` at the end of a line that no `$$` body and no `begin ... end` holds back. */
function statement(code: string, starts: number[], line: number): number {
  let quoted = false;
  let depth = 0;
  for (let next = line; next < starts.length && starts[next]! - starts[line]! < longestBlock; next++) {
    const text = code.slice(starts[next]!, lineEnd(code, starts, next));
    if ((text.match(/\$\w*\$/g)?.length ?? 0) % 2 === 1) quoted = !quoted;
    depth +=
      (text.match(/\b(?:begin|case)\b(?!\s*(?:;|transaction|work))/gi)?.length ?? 0) -
      (text.match(/\bend\b(?!\s+(?:if|loop|while|repeat))/gi)?.length ?? 0);
    if (!quoted && depth <= 0 && /;\s*$/.test(text)) return lineEnd(code, starts, next);
  }
  return lineEnd(code, starts, line);
}

/** Until something else starts in the first column; further lines for the same name belong to it. */
function column(code: string, starts: number[], line: number, name: string): Block {
  let last = line;
  for (let next = line + 1; next < starts.length && starts[next]! - starts[line]! < longestBlock; next++) {
    const indent = indentOf(code, starts, next);
    if (indent === undefined) continue;
    const text = code.slice(starts[next]!, lineEnd(code, starts, next));
    if (indent === 0 && !startsWithWord(text, name) && !/^(?:[)\]}|]|end\b)/.test(text)) break;
    last = next;
  }
  const body = lineEnd(code, starts, line);
  return { body: last > line ? body : undefined, end: lineEnd(code, starts, last) };
}

function startsWithWord(text: string, name: string): boolean {
  return text.startsWith(name) && !/[\p{L}\p{N}_']/u.test(text[name.length] ?? "");
}
