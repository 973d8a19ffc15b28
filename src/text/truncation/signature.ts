import { maskLine, type Open } from "./structure.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/**
 * Lines of a declaration's head, decorators included: from the first line after the comments above it to the line that
 * opens the body.
 */
export type SignatureSpan = { start: number; end: number };

/** A longer head is not a head: other code was taken for one. */
const longestHead = 60;
const longestHeadText = 6000;

/** The range of the signature of the code in `lines`, `end` exclusive. */
export function signatureSpan(lines: readonly string[], language?: string): SignatureSpan {
  const syntax = syntaxOf(language);
  const code: string[] = [];
  let open: Open | undefined;
  let start = -1;
  for (let i = 0; i < lines.length && (start < 0 || i < start + longestHead); i++) {
    const masked = maskLine(lines[i]!.slice(0, longestHeadText), i, open, syntax);
    open = masked.after;
    code.push(masked.code);
    if (start < 0 && masked.code.trim() !== "") start = i;
  }
  if (start < 0) return { start: 0, end: Math.min(1, lines.length) };
  const head = code.slice(start);
  return { start, end: start + (headLength(head, syntax, language) ?? 1) };
}

function headLength(code: readonly string[], syntax: Syntax, language?: string): number | undefined {
  if (syntax.head === "line") return lineHead(code);
  const decorated = decorators(code);
  const rest = code.slice(decorated);
  const length = syntax.head === "colon" ? colonHead(rest) : braceHead(rest, language);
  return length === undefined ? undefined : decorated + length;
}

/** How many lines at the beginning are decorators, annotations or attributes: `@x(...)`, `#[x(...)]`, `[X(...)]`. */
function decorators(code: readonly string[]): number {
  let decorated = 0;
  while (decorated < code.length) {
    const line = code[decorated]!.trim();
    if (line !== "" && !/^(@(?!interface\b)|#!?\[|\[\w)/.test(line)) break;
    const length = line === "" ? 1 : lineHead(code.slice(decorated));
    if (length === undefined) break;
    // A decorator on the declaration's own line belongs to it.
    if (line !== "" && /[{;]\s*$|\)\s*\w+.*\($/.test(code[decorated + length - 1]!.trim())) break;
    decorated += length;
  }
  return decorated < code.length ? decorated : 0;
}

/** The end of the logical line: no bracket is open, and no sign continues it. */
function lineHead(code: readonly string[]): number | undefined {
  let depth = 0;
  for (const [i, line] of code.entries()) {
    depth += bracketsIn(line);
    if (depth <= 0 && !/[,\\|]\s*$/.test(line)) return i + 1;
    if (depth === 1 && /\{\s*$/.test(line)) return i + 1;
  }
  return undefined;
}

/** The end of the head at the colon outside all brackets; the colons of annotations, defaults and slices are inside. */
function colonHead(code: readonly string[]): number | undefined {
  let depth = 0;
  for (const [i, line] of code.entries()) {
    for (const character of line) {
      if ("([{".includes(character)) depth++;
      else if (")]}".includes(character)) depth--;
      else if (character === ":" && depth <= 0) return i + 1;
    }
    // A statement without a colon is only its logical line.
    if (depth <= 0 && !/\\\s*$/.test(line)) return i + 1;
  }
  return undefined;
}

/**
 * The end of the head at the brace that opens the body, or at the semicolon of a declaration without a body. Braces
 * inside other brackets are defaults and patterns. Braces after a colon in TypeScript, after `interface` or `struct` in
 * a Go function's head, and in a C++ constructor's initialisers are types and values, so the head continues after them.
 */
function braceHead(code: readonly string[], language?: string): number | undefined {
  let depth = 0;
  let before = "";
  for (const [i, line] of code.entries()) {
    for (const character of line) {
      if (character === "{") {
        if (depth === 0 && !braceInHead(before, language)) return i + 1;
        depth++;
      } else if (character === "(" || character === "[") depth++;
      else if (character === ")" || character === "]" || character === "}") depth = Math.max(0, depth - 1);
      else if (character === ";" && depth === 0) return i + 1;
      before += character;
      if (before.length > longestHeadText) return undefined;
    }
    before += "\n";
    if (depth === 0 && endsWithoutBody(line, code[i + 1], language)) return i + 1;
  }
  return depth === 0 ? code.length : undefined;
}

function braceInHead(before: string, language?: string): boolean {
  const text = before.trimEnd();
  switch (language?.toLowerCase()) {
    case "typescript":
    case "tsx":
    case "ts":
      return /[:|&<,]$|<[^>]*\bextends$/.test(text.slice(-300)) || (text.endsWith("=") && isInTypeParameters(text));
    case "go":
      return /\b(interface|struct)$/.test(text) && /^\s*func\b/.test(before);
    case "cpp":
    case "c++":
      return /\)\s*(noexcept\s*)?:[^:]/.test(text) && /[\w>]$/.test(before);
    default:
      return false;
  }
}

/** Whether a `<` is open: then `=` introduces the default of a type parameter. */
function isInTypeParameters(text: string): boolean {
  return (text.match(/</g)?.length ?? 0) > (text.match(/(?<!=)>/g)?.length ?? 0);
}

/**
 * Whether a head ends without a body's brace: the body may be an expression (`fun f() = ...`, `def f =`), or the
 * declaration is a call or type on one line.
 */
function endsWithoutBody(line: string, next: string | undefined, language?: string): boolean {
  if (next === undefined) return true;
  if (!/^(kotlin|kt|scala|swift|groovy|javascript|typescript|tsx|jsx|js|ts)$/.test(language?.toLowerCase() ?? ""))
    return false;
  if (/(=>|=)\s*$/.test(line)) return true;
  return /=(?!>)/.test(line) && !/^\s*[{.|&?:+*/=)\]>]/.test(next) && !/[,(|&?:+*/<-]\s*$/.test(line);
}

function bracketsIn(line: string): number {
  let depth = 0;
  for (const character of line) {
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
  }
  return depth;
}
