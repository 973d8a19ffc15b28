/**
 * Blanks the directives of split preprocessor conditions and all their branches except the first, every offset
 * unchanged. A split condition is in the middle of an expression, a head, an `else` whose statement follows, or of
 * brackets that a branch opens and another condition closes. The grammars only accept conditions around whole
 * statements, and would lose the enclosing function.
 */
export function withoutSplitConditions(text: string): string {
  const lines = text.split("\n");
  const split = splitConditions(codeOf(lines));
  if (split.length === 0) return text;
  // Brackets that only one branch opens are closed by another condition. If the kept branches would not close all
  // brackets, these conditions are left unchanged.
  const dependent = outermost(split.filter(({ isDependent }) => isDependent));
  const isClosed = dependent.reduce((sum, { kept }) => sum + kept.depth, 0) === 0;
  const dropped = new Uint8Array(lines.length);
  // Outer conditions come first, so that no line is dropped twice, however deep conditions nest.
  for (const { isDependent, directives, kept } of split.toReversed()) {
    if ((isDependent && !isClosed) || dropped[directives[0]!]) continue;
    dropped.fill(1, directives[0], kept.from).fill(1, kept.to + 1, directives.at(-1)! + 1);
    for (const directive of directives)
      for (let at = directive; at < lines.length; at++) {
        dropped[at] = 1;
        if (!/\\\r?$/.test(lines[at]!)) break;
      }
  }
  return lines.map((line, at) => (dropped[at] ? blank(line) : line)).join("\n");
}

/** The conditions that are inside no other. In `split`, each comes before its enclosing one. */
function outermost(split: readonly SplitCondition[]): SplitCondition[] {
  let begin = Number.POSITIVE_INFINITY;
  return split.toReversed().filter(({ directives }) => {
    if (directives.at(-1)! > begin) return false;
    begin = directives[0]!;
    return true;
  });
}

export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

const textOrComment = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\*.*?(?:\*\/|$)|\/\/.*/g;

/** Each line without comments and surrounding space; empty if it continues a comment or a definition. */
export function codeOf(lines: readonly string[]): string[] {
  let isComment = false;
  let isContinued = false;
  return lines.map((line) => {
    const end = isComment ? line.indexOf("*/") : -1;
    if (isComment && end === -1) return "";
    isComment = false;
    const code = line
      .slice(end === -1 ? 0 : end + 2)
      .replace(textOrComment, (all, text: string | undefined) => {
        if (text === undefined) isComment = all.startsWith("/*") && !(all.length > 3 && all.endsWith("*/"));
        return text ?? "";
      })
      .trim();
    const isInside = isContinued;
    isContinued = line.endsWith("\\") && (isInside || code.startsWith("#"));
    return isInside ? "" : code;
  });
}

/** Lines between two directives of one condition. */
type Branch = { from: number; to: number; first: string; last: string; depth: number; least: number };

type Condition = {
  before: string;
  isForBoth: boolean;
  isNever: boolean;
  hasElse: boolean;
  directives: number[];
  branches: Branch[];
};

type SplitCondition = { isDependent: boolean; directives: number[]; kept: Branch };

function splitConditions(codes: readonly string[]): SplitCondition[] {
  const split: SplitCondition[] = [];
  const open: Condition[] = [];
  let before = "";
  for (const [at, code] of codes.entries()) {
    if (code === "") continue;
    const directive = /^#\s*(if|el|endif)/.exec(code)?.[1];
    const condition = open.at(-1);
    if (directive === "if") {
      const isForBoth = code.includes("__cplusplus");
      const isNever = /^#\s*if\s+0\b/.test(code);
      open.push({ before, isForBoth, isNever, hasElse: false, directives: [at], branches: [branchAt(at)] });
    } else if (directive !== undefined && condition) {
      condition.branches.at(-1)!.to = at - 1;
      condition.directives.push(at);
      before = condition.before;
      condition.hasElse ||= /^#\s*else\b/.test(code);
      if (directive === "el") condition.branches.push(branchAt(at));
      else {
        open.pop();
        const found = splitOf(condition);
        if (found) split.push(found);
        before = condition.branches.find(({ last }) => last !== "")?.last ?? before;
      }
    } else if (!code.startsWith("#")) {
      before = code;
      addCode(open, code);
    }
  }
  return split;
}

function branchAt(directive: number): Branch {
  return { from: directive + 1, to: directive, first: "", last: "", depth: 0, least: 0 };
}

/** Limit of nesting: code in deeper conditions is not counted for conditions further out. */
const deepest = 50;

/**
 * Adds a line to its enclosing branches, up to the first branch that will be dropped: dropped code closes nothing
 * outside.
 */
function addCode(open: readonly Condition[], code: string): void {
  const [depth, least] = bracketsOf(code);
  for (let at = open.length - 1; at >= Math.max(0, open.length - deepest); at--) {
    const { branches } = open[at]!;
    const branch = branches.at(-1)!;
    if (branch.first === "") branch.first = code;
    branch.last = code;
    branch.least = Math.min(branch.least, branch.depth + least);
    branch.depth += depth;
    if (branches.length > 1) break;
  }
}

const literal = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/**
 * The number of brackets that a line opens minus those it closes, and the lowest value of this difference within the
 * line.
 */
function bracketsOf(code: string): [number, number] {
  let depth = 0;
  let least = 0;
  for (const each of code.replace(literal, "")) {
    if (each === "{" || each === "(" || each === "[") depth++;
    else if (each === "}" || each === ")" || each === "]") least = Math.min(least, --depth);
  }
  return [depth, least];
}

function splitOf({ before, isForBoth, isNever, hasElse, directives, branches }: Condition): SplitCondition | undefined {
  const written = branches.filter(({ first }) => first !== "");
  const kept = (isNever ? branches[1] : branches[0]) ?? { ...branchAt(directives[0]!), to: directives[0]! };
  const isOpen = written.some(({ depth, least }) => depth !== 0 || least < 0);
  // The grammars accept `extern "C" {` and its `}` in conditions.
  if (isOpen && isForBoth) return undefined;
  const isSplit =
    isOpen ||
    goesOn.test(before) ||
    written.some(
      ({ first, last }) =>
        goesOn.test(last) ||
        needsStatement.test(last) ||
        continues.test(first) ||
        (first.startsWith('"') && before.endsWith('"')) ||
        (first.startsWith("{") && before.endsWith(")")),
    );
  const isDependent = isOpen && !(hasElse && branches.every(({ depth }) => depth === kept.depth));
  return isSplit ? { isDependent, directives, kept } : undefined;
}

/**
 * Code that is certainly continued; code that ends with a word (`else`, `constexpr`) or lacks its statement; and code
 * that continues an expression.
 */
const goesOn = /[,(=+|&?]$|\)\s*:$|^:$/;
const needsStatement = /(?<![@\w])[a-z_][a-z0-9_]*$|^(?:\}?\s*else\s+)?(?:if|while|for)\b.*\)$/;
const continues = /^(?:\|\||&&|\||<<|[,?)\]])/;
