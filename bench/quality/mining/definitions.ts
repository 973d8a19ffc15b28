import { endOf } from "./definition-end.ts";
import type { LanguageName } from "./languages.ts";
import { masked } from "./mask.ts";

export const definitionKinds = ["function", "method", "class", "field", "constant"] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

/**
 * Lines are 1-based and inclusive, from the line with the name to the end of the body; decorators and comments before
 * it are not counted.
 */
export type Definition = { name: string; kind: DefinitionKind; path: string; first: number; last: number };

/**
 * `inside`: what the nearest line without indentation begins with, where a field is else no different from a variable.
 */
type Rule = { kind: DefinitionKind; pattern: RegExp; inside?: RegExp };
/** Every pattern has the name as the group `name`, and is looked for in code without comments and literals. */
const rule = (kind: DefinitionKind, pattern: RegExp, inside?: RegExp): Rule => ({
  kind,
  pattern,
  ...(inside && { inside }),
});
const ofClass = /^(?:export )?(?:default )?(?:abstract )?(?:class|interface)\b/;

const script = [
  rule("function", /^(?:export )?(?:default )?(?:async )?function\*? (?<name>\w+)/gm),
  rule(
    "function",
    /^(?:export )?const (?<name>[a-z]\w+)(?::[^=\n]+)? = (?:async )?(?:\([^()\n]*\)|\w+)(?:: [^=\n]+)? =>/gm,
  ),
  rule("method", /^(?:\w+\.)+(?<name>\w+) = (?:async )?function\b/gm),
  rule(
    "method",
    /^ {2}(?:static |async |private |protected |public )*(?!if|for|while|switch|catch|constructor|function)(?<name>\w+)\([^;{}\n]*\)(?:: [^;{}\n]+)? \{$/gm,
    ofClass,
  ),
  rule("class", /^(?:export )?(?:default )?(?:abstract )?(?:class|interface) (?<name>\w+)[^;\n]*\{/gm),
  rule("constant", /^(?:export )?(?:const|var|let) (?<name>[A-Z][A-Z0-9_]+)\b[^=\n]* = /gm),
  rule(
    "field",
    /^ {2}(?:private |protected |public |static |readonly )*(?<name>#?[a-z]\w+)(?:[?!]?: [^=(){}\n]+)(?: = [^\n]+)?;?$/gm,
    ofClass,
  ),
];

const rules: Record<LanguageName, Rule[]> = {
  python: [
    rule("function", /^(?:async )?def (?<name>\w+)\(/gm),
    rule("method", /^ {4}(?:async )?def (?<name>(?!__)\w+)\(/gm),
    rule("class", /^class (?<name>\w+)\b/gm),
    rule("constant", /^(?<name>[A-Z][A-Z0-9_]+)(?:: [^=\n]+)? = /gm),
    rule("field", /^ {8}self\.(?<name>\w+)(?:: [^=\n]+)? = /gm),
    rule("field", /^ {4}(?<name>[a-z]\w+)(?:: [^=\n]+)? = /gm, /^class\b/),
  ],
  javascript: script,
  typescript: script,
  go: [
    rule("function", /^func (?<name>\w+)[([]/gm),
    rule("method", /^func \([^)\n]+\) (?<name>\w+)\(/gm),
    rule("class", /^type (?<name>\w+) (?:struct|interface) \{/gm),
    rule("constant", /^(?:const|var) (?<name>\w+)\b[^=\n]* = /gm),
    rule("field", /^\t(?<name>[A-Za-z]\w+) +(?:\[\]|\*|map\[)?[A-Za-z][\w.[\]*]*$/gm, /^type \w+ struct\b/),
  ],
  rust: [
    rule("function", /^(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (?<name>\w+)/gm),
    rule("method", /^ {4}(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (?<name>\w+)/gm),
    rule("class", /^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) (?<name>\w+)\b[^;\n]*\{/gm),
    rule("constant", /^(?:pub(?:\([^)]*\))? )?(?:const|static) (?<name>[A-Z]\w+): /gm),
    rule(
      "field",
      /^ {4}(?:pub(?:\([^)]*\))? )?(?<name>[a-z]\w+): [A-Z&][^(){}\n]*,$/gm,
      /^(?:pub(?:\([^)]*\))? )?struct\b/,
    ),
  ],
  java: [
    rule(
      "class",
      /^ *(?:(?:public|private|protected|static|final|abstract) )*(?:class|interface|enum|@interface) (?<name>\w+)\b/gm,
    ),
    rule(
      "method",
      /^ {2}(?: {2})?(?:(?:public|private|protected|static|final|abstract|synchronized) )+(?:<[^>\n]+> )?[\w<>[\], ?.]+ (?<name>[a-z]\w+)\([^;]*?\)[^;{}]*\{/gm,
    ),
    rule(
      "constant",
      /^ {2}(?:(?:public|private|protected) )?static final [\w<>[\], ?]+ (?<name>[A-Z][A-Z0-9_]+)\b *=/gm,
    ),
    rule(
      "field",
      /^ {2}(?:(?:private|protected|public|final|volatile|transient) )+[\w<>[\], ?]+ (?<name>[a-z]\w+)(?: =[^\n]*|;)$/gm,
    ),
  ],
  ruby: [
    rule("method", /^ *def (?:self\.)?(?<name>\w+[?!]?)/gm),
    rule("class", /^ *(?:class|module) (?:\w+::)*(?<name>[A-Z]\w+)/gm),
    rule("constant", /^ *(?<name>[A-Z][A-Z0-9_]+) *= /gm),
  ],
  php: [
    rule("function", /^function (?<name>\w+)\(/gm),
    rule("method", /^ {4}(?:(?:public|private|protected|static|final|abstract) )+function (?<name>(?!__)\w+)\(/gm),
    rule("class", /^(?:(?:abstract|final|readonly) )*(?:class|interface|trait) (?<name>\w+)/gm),
    rule(
      "constant",
      /^ {4}(?:(?:public|private|protected|final) )*const (?:string |int |array )?(?<name>[A-Z]\w+) = /gm,
    ),
    rule(
      "field",
      /^ {4}(?:(?:public|private|protected|static|readonly) )+(?:\??[\w|\\]+ )?\$(?<name>\w+)(?: = [^\n]*|;)$/gm,
    ),
  ],
  c: [
    rule(
      "function",
      /^(?!typedef|return|else)(?:CJSON_PUBLIC\([^)\n]+\)|[A-Za-z_][\w *]*?[ *])\s?(?<name>\w+)\([^;{}]*\)\s*\{/gm,
    ),
    rule("class", /^(?:typedef )?(?:struct|enum|union) (?<name>\w+)\s*\{/gm),
    rule("constant", /^#define (?<name>[A-Z][A-Z0-9_]+) [^\n\\]+$/gm),
    rule("field", /^ {4}(?:const |unsigned |struct )*[a-z]\w* \*?(?<name>\w+);$/gm),
  ],
};

export function definitionsIn(path: string, text: string, language: LanguageName): Definition[] {
  const code = withoutTests(masked(text, language).code, language);
  const lineOf = lineNumbers(code);
  const definitions = rules[language].flatMap(({ kind, pattern, inside }) =>
    [...code.matchAll(pattern)].flatMap((match): Definition[] => {
      const name = match.groups!.name!;
      const at = match.index + match[0].lastIndexOf(name);
      const lineStart = code.lastIndexOf("\n", at) + 1;
      if (kind === "field" && language === "c" && !isInStruct(code, at)) return [];
      if (name === "self" || (inside && !inside.test(unindentedBefore(code, lineStart)))) return [];
      const hasBody = kind === "function" || kind === "method" || kind === "class";
      const isMacro = code.startsWith("#define", lineStart);
      const start = hasBody ? match.index : lineStart;
      const end = isMacro ? code.indexOf("\n", at) : endOf(code, Math.max(start, lineStart), language, hasBody);
      return [{ name, kind, path, first: lineOf(at), last: Math.max(lineOf(at), lineOf(Math.max(at, end - 1))) }];
    }),
  );
  return definitions.sort((a, b) => a.first - b.first || a.last - b.last);
}

/** Rust has its tests at the end of the file that they test. */
function withoutTests(code: string, language: LanguageName): string {
  const tests = language === "rust" ? code.search(/^#\[cfg\(test\)\]\s+mod /m) : -1;
  return tests < 0 ? code : code.slice(0, tests);
}

function unindentedBefore(code: string, lineStart: number): string {
  for (let end = lineStart - 1; end > 0; ) {
    const start = code.lastIndexOf("\n", end - 1) + 1;
    if (/[^\s]/.test(code[start]!)) return code.slice(start, end);
    end = start - 1;
  }
  return code.slice(0, Math.max(0, code.indexOf("\n")));
}

/** A field of C is in a struct and no variable of a function. */
function isInStruct(code: string, at: number): boolean {
  const brace = code.lastIndexOf("{", at);
  return (
    brace > code.lastIndexOf("}", at) && /(?:struct|union)\s*\w*\s*$/.test(code.slice(Math.max(0, brace - 80), brace))
  );
}

/** From an offset to its line, 1-based. */
export function lineNumbers(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
