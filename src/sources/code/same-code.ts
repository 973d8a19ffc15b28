import { hashText } from "../../text/hash.ts";
import { type GenericRules, genericRules } from "./generic-rules.ts";
import { detectLanguage, type LanguageId } from "./languages.ts";
import { findLiterals } from "./mask-literals.ts";
import type { Literal } from "./walk-tree.ts";

/** Languages in which indentation has a meaning. */
const indented = new Set<LanguageId>([
  "python",
  "starlark",
  "coffeescript",
  "nim",
  "haskell",
  "fsharp",
  "elm",
  "gdscript",
]);
/** Languages with strings in backticks, which the line-by-line rules do not list. */
const backticks = new Set<LanguageId>(["javascript", "jsx", "typescript", "tsx", "vue", "svelte", "go"]);

const token = /[\p{L}\p{N}_$]+|\S/gu;
/**
 * The same pattern for ASCII, which nearly all code is: it takes a third of the time, since it needs no Unicode
 * classes.
 */
const asciiToken = /[\w$]+|\S/g;
const onlyAscii = /^[\x00-\x7f]*$/;

/** Placeholder of a string, whose text is kept unchanged. */
const stringPlace = "\u0001";

/**
 * A hash that ignores white space and comments. Names, strings and operators count; so does the depth of lines if
 * indentation has a meaning in the language.
 */
export function codeHash(text: string, path: string): { hash: string; size: number } {
  const language = detectLanguage(path);
  const literals = literalsIn(text, language);
  const strings: string[] = [];
  let code = "";
  let at = 0;
  for (const { kind, start, end } of literals) {
    code += text.slice(at, start) + (kind === "string" ? stringPlace : " ");
    if (kind === "string") strings.push(text.slice(start, end));
    at = end;
  }
  code += text.slice(at);
  const tokens = language && indented.has(language) ? byDepth(code) : tokensIn(code);
  const normal = tokens.join(" ");
  return { hash: hashText([normal, ...strings].join("\0")), size: normal.length + strings.join("").length };
}

function tokensIn(code: string): readonly string[] {
  return code.match(onlyAscii.test(code) ? asciiToken : token) ?? [];
}

/** The tokens of each line after its indentation depth, counted in steps: two spaces, four and a tab are the same. */
function byDepth(code: string): string[] {
  const open: number[] = [];
  const pattern = onlyAscii.test(code) ? asciiToken : token;
  const lines: string[] = [];
  for (const line of code.split("\n")) {
    const tokens = line.match(pattern);
    if (!tokens) continue;
    const indent = line.length - line.trimStart().length;
    while (open.length > 0 && open.at(-1)! > indent) open.pop();
    if (open.at(-1) !== indent) open.push(indent);
    lines.push(`${open.length}> ${tokens.join(" ")}`);
  }
  return lines;
}

function literalsIn(text: string, language: LanguageId = "c"): Literal[] {
  let rules = rulesOf.get(language);
  if (!rules) {
    const known = genericRules(language);
    rules = backticks.has(language) ? { ...known, strings: [...known.strings, "`"] } : known;
    rulesOf.set(language, rules);
  }
  return findLiterals(text, rules);
}

const rulesOf = new Map<LanguageId, GenericRules>();

/**
 * The text with comments and strings blanked, offsets unchanged. Text in braces inside a string is kept, since it may
 * be code.
 */
export function withoutLiterals(text: string, path: string): string {
  let code = "";
  let at = 0;
  for (const { kind, start, end } of literalsIn(text, detectLanguage(path))) {
    const literal = text.slice(start, end);
    code += text.slice(at, start);
    code += kind === "string" && !isDocstring(text, start) ? onlyBraces(literal) : blanked(literal);
    at = end;
  }
  return code + text.slice(at);
}

/** Offsets of the strings that contain a name and nothing else. */
export function stringsSaying(name: string, text: string, path: string): number[] {
  return literalsIn(text, detectLanguage(path))
    .filter(({ kind, start, end }) => kind === "string" && text.slice(start + 1, end - 1) === name)
    .map(({ start }) => start + 1);
}

function blanked(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function onlyBraces(literal: string): string {
  let code = "";
  let at = 0;
  let depth = 0;
  for (let index = literal.indexOf("{"); index !== -1 && index < literal.length; index++) {
    if (literal[index] === "{" && depth++ === 0) {
      code += blanked(literal.slice(at, index));
      at = index;
    } else if (literal[index] === "}" && depth > 0 && --depth === 0) {
      code += literal.slice(at, index + 1);
      at = index + 1;
    }
  }
  return code + (depth > 0 ? literal.slice(at) : blanked(literal.slice(at)));
}

function isDocstring(text: string, start: number): boolean {
  return /^("""|''')/.test(text.slice(start, start + 3)) && !/[fF]/.test(text[start - 1] ?? "");
}
