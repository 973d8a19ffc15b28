import { endsAtNewline, type LanguageName } from "./languages.ts";

/** Where a definition ends, in code without literals and comments: the offset after its last character. */
export function endOf(code: string, start: number, language: LanguageName, hasBody: boolean): number {
  if (language === "python") return hasBody ? endOfBlock(code, start) : endOfStatement(code, start, language, false);
  if (language === "ruby") return hasBody ? endOfKeyword(code, start) : lineEnd(code, start);
  return endOfStatement(code, start, language, hasBody);
}

function lineEnd(code: string, at: number): number {
  const end = code.indexOf("\n", at);
  return end < 0 ? code.length : end;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** Python: after the colon of the head, every line that is deeper. */
function endOfBlock(code: string, start: number): number {
  const lineStart = code.lastIndexOf("\n", start) + 1;
  const own = indentation(code.slice(lineStart, lineEnd(code, lineStart)));
  let end = endOfStatement(code, start, "python", false);
  for (let at = end + 1; at < code.length; ) {
    const stop = lineEnd(code, at);
    const line = code.slice(at, stop);
    if (line.trim() !== "") {
      if (indentation(line) <= own) break;
      // Brackets that are open at the end of a line go on at any depth.
      end = endOfStatement(code, at, "python", false);
      at = end + 1;
      continue;
    }
    at = stop + 1;
  }
  return end;
}

/** Ruby: the `end` of the same depth, or the same line where the body is on it. */
function endOfKeyword(code: string, start: number): number {
  const lineStart = code.lastIndexOf("\n", start) + 1;
  const first = code.slice(lineStart, lineEnd(code, start));
  if (/;\s*end\b/.test(first) || /^\s*def [\w.?!]+(?:\([^()]*\))? = /.test(first)) return lineEnd(code, start);
  const own = indentation(first);
  const closing = new RegExp(`^ {${own}}end\\b`, "gm");
  closing.lastIndex = lineEnd(code, start);
  const match = closing.exec(code);
  return match ? match.index + match[0].length : lineEnd(code, start);
}

const opening = new Set(["(", "[", "{"]);
const closing = new Set([")", "]", "}"]);

/** Brackets balanced: to the brace that closes the body, to `;`, or to the end of a line that goes on nowhere. */
function endOfStatement(code: string, start: number, language: LanguageName, hasBody: boolean): number {
  let depth = 0;
  let body = -1;
  let before = "";
  for (let at = start; at < code.length; at++) {
    const char = code[at]!;
    if (opening.has(char)) {
      const isType =
        (language === "typescript" && /[:|&<,]/.test(before)) || (language === "go" && code.startsWith("{}", at));
      if (char === "{" && depth === 0 && hasBody && !isType) body = depth;
      depth++;
    } else if (closing.has(char)) {
      depth--;
      if (depth < 0) return at;
      if (char === "}" && depth === body) return at + 1;
    } else if (depth === 0 && (char === ";" || (char === "," && !hasBody)) && language !== "python") {
      return at + 1;
    } else if (char === "\n" && depth === 0 && endsAtNewline(language) && !goesOn(code, at, before, language)) {
      return at;
    }
    if (char.trim() !== "") before = char;
  }
  return code.length;
}

function goesOn(code: string, newline: number, before: string, language: LanguageName): boolean {
  if (language === "python") return before === "\\";
  if (/[=|&<+?:,.(>-]/.test(before) && !(language === "typescript" && before === ">")) return true;
  if (language === "go") return false;
  return /^\s*[.?:|&+{]/.test(code.slice(newline + 1, newline + 60)) || code.slice(newline - 2, newline) === "=>";
}
