import type { LanguageName } from "./languages.ts";
import type { Literal } from "./mask.ts";

/** A part of a message: words that are always said, or a hole that the program fills. */
export type Piece = string | { expression: string };

const printf = /%(?:\((?<key>\w+)\))?[-+#0 ]*\d*(?:\.\d+)?[sdrqvwxTifu]/;
const braces = /\{(?<inner>[^{}]*)\}/;
const dollarBraces = /\$\{(?<inner>[^{}]*)\}/;
const hashBraces = /#\{(?<inner>[^{}]*)\}/;
const phpVariable = /\{\$(?<inner>[^{}]*)\}|\$(?<name>\w+)/;

/** The words of a literal and its holes, as the language writes them. */
export function holes(text: string, literal: Literal, language: LanguageName, isFormatted: boolean): Piece[] {
  const source = text.slice(literal.start, literal.end);
  const quote = /^(?:r#*)?("""|'''|["'`])/.exec(source)?.[1] ?? '"';
  const open = source.indexOf(quote) + quote.length;
  const inner = source.slice(open, source.lastIndexOf(quote));
  const prefix = /[a-zA-Z]*$/.exec(text.slice(Math.max(0, literal.start - 2), literal.start))![0].toLowerCase();
  const pattern = holePattern(language, quote, prefix, isFormatted);
  return pattern ? split(inner, pattern) : [unescaped(inner)];
}

function holePattern(language: LanguageName, quote: string, prefix: string, isFormatted: boolean): RegExp | undefined {
  switch (language) {
    case "python":
      if (prefix.includes("f")) return braces;
      return isFormatted ? new RegExp(`${printf.source}|${braces.source}`) : undefined;
    case "javascript":
    case "typescript":
      return quote === "`" ? dollarBraces : isFormatted ? printf : undefined;
    case "rust":
      return braces;
    case "ruby":
      return quote === '"' ? hashBraces : undefined;
    case "php":
      return quote === '"' ? phpVariable : printf;
    default:
      return isFormatted ? printf : undefined;
  }
}

function split(inner: string, pattern: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of inner.matchAll(new RegExp(pattern, "g"))) {
    if (match.index > from) pieces.push(unescaped(inner.slice(from, match.index)));
    const { key, inner: own, name } = match.groups ?? {};
    pieces.push({ expression: key ?? own ?? name ?? match[0] });
    from = match.index + match[0].length;
  }
  if (from < inner.length) pieces.push(unescaped(inner.slice(from)));
  return pieces;
}

function unescaped(text: string): string {
  return text
    .replace(/\\\r?\n\s*/g, "")
    .replace(/\\[nrt]/g, " ")
    .replace(/\\(.)/g, "$1")
    .replace(/\s+/g, " ");
}

/** What a hole is likely filled with, by the words of its expression. */
const likely: [RegExp, string[]][] = [
  [/path|file|dir|folder/i, ["/srv/shop/config/settings.yaml", "reports/2024/march.csv", "./uploads/photo.png"]],
  [/url|uri|host|origin/i, ["https://shop.example.org/cart", "localhost:8443"]],
  [/count|len|size|index|num|code|line|status|depth|max|min|offset|column|port|%d|%i|%u/i, ["42", "8080", "3", "1024"]],
  [/type|class|kind|token|peek/i, ["Invoice", "BEGIN_ARRAY", "list"]],
  [/err|exc|\be\b|cause|reason/i, ["connection refused", "unexpected end of input"]],
  [/method|verb/i, ["PATCH", "GET"]],
  [/name|key|field|param|attr|endpoint|id\b/i, ["billing_address", "customer_id", "orders.show"]],
];
const otherwise = ["orders", "17", "customer_id", "blue"];

export function filled(pieces: readonly Piece[], turn: number): string {
  let hole = turn >> 1;
  const printed = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const values = likely.find(([words]) => words.test(piece.expression))?.[1] ?? otherwise;
    return values[hole++ % values.length]!;
  });
  return printed.join("").trim();
}
