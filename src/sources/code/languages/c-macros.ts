import { blank, codeOf, withoutSplitConditions } from "./split-conditions.ts";

/**
 * The text without the macros in places where the grammars of C and C++ allow none, every offset unchanged. Macros are
 * not expanded, so the code after one would be misread as part of it: the namespace after `FMT_BEGIN_NAMESPACE` as a
 * function, the class of `class API Name {` as a variable.
 */
export function withoutMacros(text: string): string {
  let classes: Set<string> | undefined;
  return withoutMacroLines(withoutSplitConditions(withoutCommentsInDefinitions(text)))
    .replace(callingConvention, blank)
    .replace(accessLabel, (_, indentation: string, macro: string) => indentation + blank(macro))
    .replace(blockMacro, (_, before: string, macro: string) => before + blank(macro))
    .replace(globalBase, "$1  ")
    .replace(templateMember, (_, access: string, word: string) => access + blank(word))
    .replace(constructedType, (_, before: string, word: string) => before + blank(word))
    .replace(operatorCall, (_, access: string, sign: string) => `${access}operator${"_".repeat(sign.length)}`)
    .replace(templateParameter, (_, head: string, macro: string) => `${head}int${blank(macro.slice(3))}`)
    .replace(typeAttribute, (_, head: string, macro: string) => head + blank(macro))
    .replace(guardAttribute, blank)
    .replace(inside, (_, type: string, macro: string) => type + blank(macro))
    .replace(numbered, (_, type: string, macro: string) => type + blank(macro))
    .replace(pointerAttribute, (_, bracket: string, macro: string) => bracket + blank(macro))
    .replace(leadingAttribute, (_, indentation: string, macro: string) => indentation + blank(macro))
    .replace(beforeOwnName, (_, indentation: string, macro: string) => indentation + blank(macro))
    .replace(beforeConstructor, (all, indentation: string, macro: string, constructed: string) => {
      classes ??= new Set(Array.from(text.matchAll(className), ([, each]) => each!));
      return classes.has(constructed) ? indentation + blank(macro) + constructed : all;
    })
    .replace(trailingAttribute, (all, declaration: string, macro: string) =>
      macro.includes("\n") && !isBalanced(declaration) ? all : declaration + blank(macro),
    );
}

function isBalanced(text: string): boolean {
  return text.split("(").length === text.split(")").length;
}

/**
 * A macro definition whose lines end in `\\`. The grammars end it at a comment inside, and would read its other lines
 * as code.
 */
const longDefinition = /^[ \t]*#[ \t]*define\b(?:[^\n]*\\[ \t]*\r?\n)+[^\n]*/gm;
const comment = /\/\*(?:[^*]|\*(?!\/))*\*\//g;

function withoutCommentsInDefinitions(text: string): string {
  return text.replace(longDefinition, (definition) =>
    definition.replace(comment, (each) => each.replace(/\\(?=[ \t]*\r?\n)|[^\n]/g, (at) => (at === "\\" ? at : " "))),
  );
}

/**
 * The name of a macro: upper case with an underscore. All quantifiers are bounded, so that no text takes long to match.
 */
const name = String.raw`[A-Z](?=[A-Z0-9]{0,40}_)[A-Z0-9_]{2,80}\b`;
const macro = String.raw`${name}(?:\([^()\n]{0,200}\))?`;

/** `class FMT_API format_error : ...`, `struct LIB_ALIGNED(8) Name {`; not `struct TYPE name = {`. */
const typeAttribute = new RegExp(
  String.raw`\b((?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+)(${macro})(?=[ \t]+[A-Za-z_][\w:]{0,200}(?:<[^<>;{}\n]{0,200}>)?(?:[ \t]+final)?\s{0,200}(?:\{|:(?!:)))`,
  "g",
);

const declarationWords =
  "const|volatile|static|inline|virtual|explicit|friend|constexpr|extern|unsigned|signed|void|bool|char|short|int|long|float|double|auto|struct|class|enum|union|template|typename|using|typedef|operator";

/**
 * `UV_EXTERN uv_loop_t* uv_default_loop(void);`, `MODULE_API int (*call)(void);`: a macro before a whole declaration.
 */
const leadingAttribute = new RegExp(
  String.raw`^([ \t]*(?:(?:static|extern|inline|virtual|constexpr)[ \t]+)*)(${macro})(?=[ \t]+(?:(?:${declarationWords})\b|~|[A-Za-z_][\w:]{0,200}(?:<[^<>;{}\n]{0,200}>)?[ \t*&]{1,40}[A-Za-z_][\w:]{0,200}[ \t]{0,40}[(;=[]))`,
  "gm",
);

/** `FMT_CONSTEXPR20 buffer(buffer&& other)`; before another name, the macro may be the result type of a function. */
const beforeConstructor = new RegExp(String.raw`^([ \t]+)(${name}[ \t]+)([A-Za-z_]\w{0,200})(?=\()`, "gm");
/** `LIB_INLINE buffer<T>::buffer(int size)`: a constructor outside the class. */
const beforeOwnName = new RegExp(
  String.raw`^([ \t]*)(${name}[ \t]+)(?=(?:\w{1,100}::){0,5}~?([A-Za-z_]\w{0,200})(?:<[^<>;{}\n]{0,200}>)?::~?\3\()`,
  "gm",
);

const className = /\b(?:class|struct)\s{1,40}(?:[A-Z][A-Z0-9_]{1,80}\s{1,40})?([A-Za-z_]\w{0,200})/g;

/** `int count GUARDED_BY(lock);`: an attribute of Clang's thread safety analysis. */
const guardAttribute = /(?<=\w\s{1,40})(?:[A-Z]{1,20}_)?(?:PT_)?GUARDED_BY\([^()\n]{0,200}\)(?=\s{0,40}[=;{])/g;

/** `int LIB_CALL main(void)`: a macro between the result type and the name of a function. */
const inside = new RegExp(
  String.raw`^([ \t]*(?:(?:static|extern|inline|const|unsigned|signed|struct|enum|union)[ \t]+)*(?!(?:static|extern|inline|const|struct|enum|union|virtual|explicit|friend|constexpr|return|else|typedef)\b)[A-Za-z_]\w{0,200}[ \t*]{1,40})(${name})(?=[ \t]+[A-Za-z_]\w{0,200}[ \t]{0,40}\()`,
  "gm",
);

/** `void printflike(2, 3)`: a macro on the line before the name of a function. */
const numbered =
  /^((?!return\b|else\b)[A-Za-z_][\w \t*]{0,100}[ \t*])([a-z_]{1,40}\(\d{1,2}(?:,[ \t]{0,4}\d{1,2}){0,3}\))(?=\s{1,40}[A-Za-z_]\w{0,200}\()/gm;

/** `void *(LIB_CALL *allocate)(size_t)`: the calling convention of a function pointer. */
const pointerAttribute = new RegExp(
  String.raw`(\()(${name})(?=[ \t]*\*[ \t]*[A-Za-z_]\w{0,200}\s{0,40}\)\s{0,40}\()`,
  "g",
);

/**
 * `int (*call)(void) MODULE_ATTR;`, `void f(int) FMT_NOEXCEPT {`: a macro after a declaration; not the statement in `if
 * (x) MACRO();`.
 */
const trailingAttribute = new RegExp(
  String.raw`^((?![ \t}]*(?:if|else|while|for|switch|return|do|case)\b)[^\n;{}=]{0,400}\)(?:[ \t]+(?:const|noexcept|override|final))*)(\s{1,80}${macro})(?=[ \t]*[;{])`,
  "gm",
);

/** `template <typename T, FMT_ENABLE_IF(is_integral<T>::value)>`: a parameter without a name. */
const templateParameter = new RegExp(
  String.raw`(\btemplate\s{0,40}<(?:[^;{}()]{0,300}[,\s])?)(${name}\((?:[^()]|\((?:[^()]|\([^()]{0,100}\)){0,200}\)){0,300}\))(?=\s{0,200}[,>])`,
  "g",
);

/**
 * `read(it).template get<T>()`, `push(typename T::value(1))` and `list->operator[](0)`: the grammar of C++ accepts none
 * of them.
 */
const templateMember = /((?:\.|->)\s{0,40})(template\s)(?=\s{0,40}[A-Za-z_])/g;
const constructedType = /((?:\(|=|\breturn)\s{0,40})(typename\s)(?=\s{0,40}(?:\w{1,100}::){1,5}\w{1,100}\()/g;
const operatorCall = /((?:\.|->)\s{0,40})operator\s{0,4}(\[\]|\(\)|[-+*/%=<>!&|^]{1,3})(?=\s{0,4}\()/g;

/** `class A : public ::ns::B`, which the grammar of C++ does not accept. */
const globalBase = /(\b(?:public|private|protected|virtual)[ \t]+)::(?=[A-Za-z_])/g;

const callingConvention = /\b__(?:cdecl|fastcall|stdcall|thiscall|vectorcall)\b/g;

/** `LIB_PRIVATE_UNLESS_TESTED:` among the members of a class, alone on its line like `private:`. */
const accessLabel = new RegExp(String.raw`^([ \t]*)(${name}[ \t]*:)(?=[ \t]*\r?$)`, "gm");

/**
 * `LIB_TRY {` and `} LIB_CATCH(...) {`: macros before a block. A macro with a string in its parentheses is a test or a
 * section.
 */
const blockMacro = new RegExp(
  String.raw`((?:[;{}]|^[ \t]*#[^\n]{0,200}\n)\s{0,200})(${name}|[A-Z0-9_]{0,40}(?:CATCH|EXCEPT|FINALLY)[A-Z0-9_]{0,40}[ \t]*\([^()"\n]{0,200}\))(?=\s{0,200}\{)`,
  "gm",
);

const macroLine = new RegExp(String.raw`^${name}\s*(?:\((?:[^()]|\([^()]{0,100}\)){0,300}\))?$`);
const isConditionDirective = /^#\s*(?:if|el|endif)/;
/** Code that may follow a macro on a line of its own. */
const beginsDeclaration = /^(?:[A-Za-z_~#]|::|\[\[)/;
const beginsStatement = /^(?:return|if|else|while|for|switch|do|case|break|goto|continue|default)\b/;
/** Code after which a declaration begins. */
const endsDeclaration = /^$|[;{}>:]$|^#/;

/**
 * Blanks macros alone on their lines: between declarations, not among enumerators, in expressions or before a body.
 */
function withoutMacroLines(text: string): string {
  const lines = text.split("\n");
  const codes = codeOf(lines);
  const following = followingCode(codes);
  let before = "";
  let isEnum = false;
  for (const [at, code] of codes.entries()) {
    if (code === "") continue;
    isEnum = !code.includes("}") && (isEnum || (/\benum\b/.test(code) && !/[;)]/.test(code)));
    if (isConditionDirective.test(code)) continue;
    if (
      macroLine.test(code) &&
      endsDeclaration.test(before) &&
      (isBeforeDeclaration(lines, codes, at, following) || (!isEnum && isLastMember(codes, at, following)))
    ) {
      lines[at] = isBelowComment(lines, codes, at) ? asComment(lines[at]!) : blank(lines[at]!);
    } else before = code;
  }
  return lines.join("\n");
}

/**
 * For each line, the next line with code (`any`) and the next one that is not only a macro (`other`); `codes.length` if
 * there is none.
 */
function followingCode(codes: readonly string[]): { any: Int32Array; other: Int32Array } {
  const any = new Int32Array(codes.length);
  const other = new Int32Array(codes.length);
  let [nextAny, nextOther] = [codes.length, codes.length];
  for (let at = codes.length - 1; at >= 0; at--) {
    any[at] = nextAny;
    other[at] = nextOther;
    if (codes[at] === "") continue;
    nextAny = at;
    if (!macroLine.test(codes[at]!)) nextOther = at;
  }
  return { any, other };
}

function isBeforeDeclaration(
  lines: readonly string[],
  codes: readonly string[],
  at: number,
  { any, other }: ReturnType<typeof followingCode>,
): boolean {
  const isCall = codes[at]!.includes("(");
  const next = isCall ? any[at]! : other[at]!;
  // `LIB_TRY` before a block in a function. Without indentation, it is the head of a function.
  if (!isCall && codes[next]?.startsWith("{") && indentation(lines[at]!) > 0) return true;
  if (next === codes.length) return !isCall;
  if (isCall && indentation(lines[next]!) !== indentation(lines[at]!)) return false;
  return beginsDeclaration.test(codes[next]!) && !beginsStatement.test(codes[next]!);
}

/** `UV_HANDLE_FIELDS` before the brace that closes a structure. */
function isLastMember(codes: readonly string[], at: number, { other }: ReturnType<typeof followingCode>): boolean {
  return !codes[at]!.includes("(") && /^\}\s*(?:\w+\s*)?;/.test(codes[other[at]!] ?? "");
}

/** Whether the line is between a comment and the function that the comment describes. */
function isBelowComment(lines: readonly string[], codes: readonly string[], at: number): boolean {
  return codes[at - 1] === "" && /\*\/\s*$|^\s*\/\//.test(lines[at - 1]!) && /\w\s*\(/.test(codes[at + 1] ?? "");
}

/** Text of the same length that is a comment. */
function asComment(line: string): string {
  return line.replace(/\S(?:.*\S)?/, (text) => (text.length < 4 ? blank(text) : `/*${"*".repeat(text.length - 4)}*/`));
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
