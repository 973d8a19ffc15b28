/**
 * The text without the macros that stand where the grammars of C and C++ allow none, every offset unchanged. Nothing is expanded, so what
 * follows such a macro would be read as part of it: the namespace after `FMT_BEGIN_NAMESPACE` as a function, the class of `class API Name {`
 * as a variable.
 */
export function withoutMacros(text: string): string {
  let classes: Set<string> | undefined;
  return withoutMacroLines(withoutCommentsInDefinitions(text))
    .replace(globalBase, "$1  ")
    .replace(templateParameter, (_, head: string, macro: string) => `${head}int${blank(macro.slice(3))}`)
    .replace(typeAttribute, (_, head: string, macro: string) => head + blank(macro))
    .replace(guardAttribute, blank)
    .replace(inside, (_, type: string, macro: string) => type + blank(macro))
    .replace(pointerAttribute, (_, bracket: string, macro: string) => bracket + blank(macro))
    .replace(leadingAttribute, (_, indentation: string, macro: string) => indentation + blank(macro))
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

/** A definition whose lines end in `\\`. A comment inside would end it for the grammars, and its other lines would be code. */
const longDefinition = /^[ \t]*#[ \t]*define\b(?:[^\n]*\\[ \t]*\r?\n)+[^\n]*/gm;
const comment = /\/\*(?:[^*]|\*(?!\/))*\*\//g;

function withoutCommentsInDefinitions(text: string): string {
  return text.replace(longDefinition, (definition) =>
    definition.replace(comment, (each) => each.replace(/\\(?=[ \t]*\r?\n)|[^\n]/g, (at) => (at === "\\" ? at : " "))),
  );
}

export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** The name of a macro: upper case with an underscore. All quantifiers are bounded, so that no text takes long to match. */
const name = String.raw`[A-Z](?=[A-Z0-9]{0,40}_)[A-Z0-9_]{2,80}\b`;
const macro = String.raw`${name}(?:\([^()\n]{0,200}\))?`;

/** `class FMT_API format_error : ...`, `struct LIB_ALIGNED(8) Name {`; not `struct TYPE name = {`. */
const typeAttribute = new RegExp(
  String.raw`\b((?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+)(${macro})(?=[ \t]+[A-Za-z_][\w:]{0,200}(?:<[^<>;{}\n]{0,200}>)?(?:[ \t]+final)?\s{0,200}(?:\{|:(?!:)))`,
  "g",
);

const declarationWords =
  "const|volatile|static|inline|virtual|explicit|friend|constexpr|extern|unsigned|signed|void|bool|char|short|int|long|float|double|auto|struct|class|enum|union|template|typename|using|typedef|operator";

/** `UV_EXTERN uv_loop_t* uv_default_loop(void);`, `MODULE_API int (*call)(void);`: a macro before a whole declaration. */
const leadingAttribute = new RegExp(
  String.raw`^([ \t]*(?:(?:static|extern|inline|virtual|constexpr)[ \t]+)*)(${macro})(?=[ \t]+(?:(?:${declarationWords})\b|~|[A-Za-z_][\w:]{0,200}(?:<[^<>;{}\n]{0,200}>)?[ \t*&]{1,40}[A-Za-z_][\w:]{0,200}[ \t]{0,40}[(;=[]))`,
  "gm",
);

/** `FMT_CONSTEXPR20 buffer(buffer&& other)`; with another name, the macro may be the type that a function returns. */
const beforeConstructor = new RegExp(String.raw`^([ \t]+)(${name}[ \t]+)([A-Za-z_]\w{0,200})(?=\()`, "gm");

const className = /\b(?:class|struct)\s{1,40}(?:[A-Z][A-Z0-9_]{1,80}\s{1,40})?([A-Za-z_]\w{0,200})/g;

/** `int count GUARDED_BY(lock);`, of Clang's analysis of threads. */
const guardAttribute = /(?<=\w\s{1,40})(?:[A-Z]{1,20}_)?(?:PT_)?GUARDED_BY\([^()\n]{0,200}\)(?=\s{0,40}[=;{])/g;

/** `int LIB_CALL main(void)`: between the type and the name of a function. */
const inside = new RegExp(
  String.raw`^([ \t]*(?:(?:static|extern|inline|const|unsigned|signed|struct|enum|union)[ \t]+)*(?!(?:static|extern|inline|const|struct|enum|union|virtual|explicit|friend|constexpr|return|else|typedef)\b)[A-Za-z_]\w{0,200}[ \t*]{1,40})(${name})(?=[ \t]+[A-Za-z_]\w{0,200}[ \t]{0,40}\()`,
  "gm",
);

/** `void *(LIB_CALL *allocate)(size_t)`: how a function behind a pointer is called. */
const pointerAttribute = new RegExp(
  String.raw`(\()(${name})(?=[ \t]*\*[ \t]*[A-Za-z_]\w{0,200}\s{0,40}\)\s{0,40}\()`,
  "g",
);

/** `int (*call)(void) MODULE_ATTR;`, `void f(int) FMT_NOEXCEPT {`; not the statement of `if (x) MACRO();`. */
const trailingAttribute = new RegExp(
  String.raw`^((?![ \t}]*(?:if|else|while|for|switch|return|do|case)\b)[^\n;{}=]{0,400}\)(?:[ \t]+(?:const|noexcept|override|final))*)(\s{1,80}${macro})(?=[ \t]*[;{])`,
  "gm",
);

/** `template <typename T, FMT_ENABLE_IF(is_integral<T>::value)>`: a parameter without a name. */
const templateParameter = new RegExp(
  String.raw`(\btemplate\s{0,40}<(?:[^;{}()]{0,300}[,\s])?)(${name}\((?:[^()]|\((?:[^()]|\([^()]{0,100}\)){0,200}\)){0,300}\))(?=\s{0,200}[,>])`,
  "g",
);

/** `class A : public ::ns::B`, which the grammar of C++ does not know. */
const globalBase = /(\b(?:public|private|protected|virtual)[ \t]+)::(?=[A-Za-z_])/g;

const macroLine = new RegExp(String.raw`^${name}\s*(?:\((?:[^()]|\([^()]{0,100}\)){0,300}\))?$`);
/** What may follow a macro that is a statement by itself. */
const beginsDeclaration = /^(?:[A-Za-z_~#]|::|\[\[)/;
const beginsStatement = /^(?:return|if|else|while|for|switch|do|case|break|goto|continue|default)\b/;
/** Code after which a declaration begins, and code that surely goes on. */
const endsDeclaration = /^$|[;{}>:]$|^#/;
const goesOn = /[,(=+|&?]$|\)\s*:$|^:$/;

/**
 * Blanks macros alone on their lines: between declarations, not among enumerators, in expressions or before a body. Of conditions in the middle
 * of a declaration or an expression the first branch stays: the grammar knows them between statements only.
 */
function withoutMacroLines(text: string): string {
  const lines = text.split("\n");
  const codes = codeOf(lines);
  const following = followingCode(codes);
  const open: Condition[] = [];
  let before = "";
  let isEnum = false;
  for (const [at, code] of codes.entries()) {
    if (code === "") continue;
    isEnum = !code.includes("}") && (isEnum || (/\benum\b/.test(code) && !/[;)]/.test(code)));
    const directive = /^#\s*(if|el|endif)/.exec(code)?.[1];
    const condition = open.at(-1);
    if (directive === "if") {
      open.push({ isInside: goesOn.test(before), before, lines: [at] });
    } else if (directive !== undefined && condition) {
      condition.lines.push(at);
      if (directive === "el" && condition.isInside) before = condition.before;
      if (directive === "endif") open.pop();
      if (directive === "endif" && condition.isInside) blankCondition(lines, condition);
    } else if (
      macroLine.test(code) &&
      endsDeclaration.test(before) &&
      (isBeforeDeclaration(lines, codes, at, following) || (!isEnum && isLastMember(codes, at, following)))
    ) {
      lines[at] = isBelowComment(lines, codes, at) ? asComment(lines[at]!) : blank(lines[at]!);
    } else before = code;
  }
  return lines.join("\n");
}

/** Each line without comments and the space around it; empty where it goes on with a comment or a definition. */
function codeOf(lines: readonly string[]): string[] {
  let isComment = false;
  let isContinued = false;
  return lines.map((line) => {
    const end = isComment ? line.indexOf("*/") : -1;
    if (isComment && end === -1) return "";
    const rest = end === -1 ? line : line.slice(end + 2);
    isComment = rest.lastIndexOf("/*") > rest.lastIndexOf("*/");
    const code = rest.replace(/\/\*.*?(?:\*\/|$)|\/\/.*/g, "").trim();
    const isInside = isContinued;
    isContinued = line.endsWith("\\");
    return isInside ? "" : code;
  });
}

/** The lines of its directives, and the code before it. */
type Condition = { isInside: boolean; before: string; lines: number[] };

/** Its directives and all branches but the first. */
function blankCondition(lines: string[], { lines: [first, ...others] }: Condition): void {
  lines[first!] = blank(lines[first!]!);
  for (let at = others[0]!; at <= others.at(-1)!; at++) lines[at] = blank(lines[at]!);
}

/** For each line the next one with code, and the next one that is no macro alone; `codes.length` where there is none. */
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
  if (next === codes.length) return !isCall;
  if (isCall && indentation(lines[next]!) !== indentation(lines[at]!)) return false;
  return beginsDeclaration.test(codes[next]!) && !beginsStatement.test(codes[next]!);
}

/** `UV_HANDLE_FIELDS` before the brace that closes a structure. */
function isLastMember(codes: readonly string[], at: number, { other }: ReturnType<typeof followingCode>): boolean {
  return !codes[at]!.includes("(") && /^\}\s*(?:\w+\s*)?;/.test(codes[other[at]!] ?? "");
}

/** Whether it stands between a comment and the function that is about. */
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
