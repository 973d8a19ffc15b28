/**
 * The text without the macros that stand where the grammars of C and C++ allow none, every offset unchanged. Nothing is expanded, so what
 * follows such a macro would be read as part of it: the namespace after `FMT_BEGIN_NAMESPACE` as a function, the class of `class API Name {`
 * as a variable.
 */
export function withoutMacros(text: string): string {
  return withoutMacroLines(text)
    .replace(globalBase, "$1  ")
    .replace(typeAttribute, (_, head: string, macro: string) => head + blank(macro))
    .replace(leadingAttribute, (_, indentation: string, macro: string) => indentation + blank(macro))
    .replace(trailingAttribute, (_, declaration: string, macro: string) => declaration + blank(macro));
}

export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** `class FMT_API format_error : ...`, `struct alignas_macro(8) Name {`; not `struct TYPE name = {`. */
const typeAttribute =
  /\b((?:class|struct|union|enum(?:[ \t]+(?:class|struct))?)[ \t]+)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=[ \t]+[A-Za-z_][\w:]*(?:<[^<>;{}\n]{0,200}>)?(?:[ \t]+final)?\s*(?:\{|:(?!:)))/g;

/** `UV_EXTERN uv_loop_t* uv_default_loop(void);`, `MODULE_API int (*call)(void);`: a macro before a whole declaration. */
const leadingAttribute =
  /^([ \t]*(?:(?:static|extern|inline|virtual|constexpr)[ \t]+)*)([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=[ \t]+(?:(?:const|volatile|static|inline|virtual|explicit|friend|constexpr|extern|unsigned|signed|void|bool|char|short|int|long|float|double|auto|struct|class|enum|union|template|typename|using|typedef)\b|[A-Za-z_][\w:]*(?:<[^<>;{}\n]{0,200}>)?[ \t*&]+[A-Za-z_][\w:]*[ \t]*[(;=[]))/gm;

/** `int (*call)(void) MODULE_ATTR;`, `void f(int) FMT_NOEXCEPT {`; not the statement of `if (x) MACRO();`. */
const trailingAttribute =
  /^((?![ \t}]*(?:if|else|while|for|switch|return|do|case)\b)[^\n;{}=]{0,400}\)(?:[ \t]+(?:const|noexcept|override|final))*)([ \t]+[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=[ \t]*[;{])/gm;

/** `class A : public ::ns::B`, which the grammar of C++ does not know. */
const globalBase = /(\b(?:public|private|protected|virtual)[ \t]+)::(?=[A-Za-z_])/g;

const macroLine = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*(?:\((?:[^()\n]|\([^()\n]{0,100}\)){0,300}\))?[ \t]*\r?$/;
/** What may follow a macro that is a statement by itself. */
const beginsDeclaration = /^(?:[A-Za-z_~#]|::|\[\[)/;
const beginsStatement = /^(?:return|if|else|while|for|switch|do|case|break|goto|continue|default)\b/;
const trailingComment = /\s*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)\s*$/;

/** Code after which a declaration begins, and code that surely goes on. */
const endsDeclaration = /^$|[;{}>:]$|^\s*#/;
const goesOn = /[,(=+|&?]$|\)\s*:$|^\s*:$/;

/**
 * Blanks macros alone on their lines: between declarations, not among enumerators, in expressions or before a body. Of conditions in the middle
 * of a declaration or an expression the first branch stays: the grammar knows them between statements only.
 */
function withoutMacroLines(text: string): string {
  const lines = text.split("\n");
  const open: Condition[] = [];
  let before = "";
  let isContinued = false;
  let isComment = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const isInside = isContinued || isComment;
    isContinued = line.endsWith("\\");
    isComment = isComment ? !line.includes("*/") : line.lastIndexOf("/*") > line.lastIndexOf("*/");
    if (isInside) continue;
    const directive = /^\s*#\s*(if|el|endif)/.exec(line)?.[1];
    if (directive === "if") open.push({ isInside: goesOn.test(before), before, lines: [at] });
    const condition = open.at(-1);
    if (directive !== undefined && directive !== "if" && condition) {
      condition.lines.push(at);
      if (directive === "endif") {
        open.pop();
        if (condition.isInside) blankCondition(lines, condition);
      } else if (condition.isInside) before = condition.before;
    } else if (macroLine.test(line) && endsDeclaration.test(before) && isBeforeDeclaration(lines, at)) {
      lines[at] = blank(line);
    } else {
      const code = line.replace(trailingComment, "").trimEnd();
      const isCode = code.trim() !== "" && !/^\s*(?:\/\/|\/\*)/.test(code);
      if (isCode && directive === undefined) before = code;
    }
  }
  return lines.join("\n");
}

/** The lines of its directives, and the code before it. */
type Condition = { isInside: boolean; before: string; lines: number[] };

/** Its directives and all branches but the first. */
function blankCondition(lines: string[], { lines: [first, ...others] }: Condition): void {
  lines[first!] = blank(lines[first!]!);
  for (let at = others[0]!; at <= others.at(-1)!; at++) lines[at] = blank(lines[at]!);
}

function isBeforeDeclaration(lines: readonly string[], at: number): boolean {
  const isCall = lines[at]!.includes("(");
  for (let next = at + 1; next < lines.length; next++) {
    const code = lines[next]!.trim();
    if (code === "" || /^(?:\/\/|\/\*|\* |\*\/)/.test(code) || (!isCall && macroLine.test(lines[next]!))) continue;
    if (isCall && indentation(lines[next]!) !== indentation(lines[at]!)) return false;
    return beginsDeclaration.test(code) && !beginsStatement.test(code);
  }
  return !isCall;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}
