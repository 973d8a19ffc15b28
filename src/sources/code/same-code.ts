import { hashText } from "../../text/hash.ts";
import { genericRules } from "./generic-rules.ts";
import { detectLanguage, type LanguageId } from "./languages.ts";
import { masked } from "./mask.ts";
import type { Literal } from "./walk.ts";

/** Languages in which indentation is part of what the code says. */
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
/** Strings in backticks, which reading line by line does not need to know. */
const backticks = new Set<LanguageId>(["javascript", "jsx", "typescript", "tsx", "vue", "svelte", "go"]);

const token = /[\p{L}\p{N}_$]+|\S/gu;

/** Marks the place of a string, whose text is kept as it is. */
const stringPlace = "\u0001";

/**
 * The same for code that differs in white space and comments only: names, strings and operators count, and so does the depth of lines
 * where the language means something by it.
 */
export function codeHash(text: string, path: string): { hash: string; size: number } {
  const language = detectLanguage(path);
  const literals = literalsIn(text, language);
  const kept: string[] = [];
  let code = "";
  let at = 0;
  for (const { kind, start, end } of literals) {
    code += text.slice(at, start) + (kind === "string" ? stringPlace : " ");
    if (kind === "string") kept.push(text.slice(start, end));
    at = end;
  }
  code += text.slice(at);
  const tokens = language && indented.has(language) ? byDepth(code) : [...code.matchAll(token)].map(([each]) => each);
  const normal = tokens.join(" ");
  return { hash: hashText([normal, ...kept].join("\0")), size: normal.length + kept.join("").length };
}

/** Tokens of each line after how deep it is indented, counted in steps: two spaces, four and a tab are the same. */
function byDepth(code: string): string[] {
  const open: number[] = [];
  return code.split("\n").flatMap((line) => {
    const tokens = line.match(token);
    if (!tokens) return [];
    const indent = line.length - line.trimStart().length;
    while (open.length > 0 && open.at(-1)! > indent) open.pop();
    if (open.at(-1) !== indent) open.push(indent);
    return [`${open.length}>`, ...tokens];
  });
}

function literalsIn(text: string, language: LanguageId | undefined): Literal[] {
  const rules = genericRules(language ?? "c");
  const strings = language && backticks.has(language) ? [...rules.strings, "`"] : rules.strings;
  return masked(text, { ...rules, strings }).literals;
}

/** Comments and strings as blanks, every place unchanged. Strings with braces stay: code may be put into them. */
export function withoutLiterals(text: string, path: string): string {
  let code = "";
  let at = 0;
  for (const { kind, start, end } of literalsIn(text, detectLanguage(path))) {
    if (kind === "string" && /\{/.test(text.slice(start, end)) && !isDocstring(text, start)) continue;
    code += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    at = end;
  }
  return code + text.slice(at);
}

function isDocstring(text: string, start: number): boolean {
  return /^("""|''')/.test(text.slice(start, start + 3)) && !/[fF]/.test(text[start - 1] ?? "");
}
