import { productKind } from "../grounding/products.ts";
import { type Clause, type ClauseToken, mostWords } from "./clauses.ts";
import { compareQuantities } from "./quantities.ts";
import * as table from "./word-lists.ts";

/** What two statements disagree on, as each of them says it. */
export type Difference = { here: string; there: string };

/** Limit of words that two statements do not share: a value of at most three in each, and one generic word. */
export const mostDifferent = 7;

/** The words of two statements aligned: those they share, and those in only one. */
type Alignment = {
  shared: { a: number; b: number }[];
  gaps: { a: ClauseToken[]; b: ClauseToken[] /** How many shared words come before. */; after: number }[];
};

/** Undefined unless both are about the same subject and cannot both be true. */
export function difference(a: Clause, b: Clause): Difference | undefined {
  if (a.event || b.event) return undefined;
  const { shared, gaps } = align(a.tokens, b.tokens);
  const common = shared.map(({ a: index }) => a.tokens[index]!);
  const content = common.filter(({ kind }) => kind !== "relation");
  if (content.length === 0 || ((!a.first || !b.first) && content.length < 3)) return undefined;

  const open = gaps.filter((gap) => !saysNothing(gap.a, gap.b));
  if (open.length === 0) return denial(a, b, content);
  const [slot] = open;
  if (open.length > 1 || a.negative !== b.negative || slot!.a.length === 0 || slot!.b.length === 0) return undefined;
  const context = { before: common.slice(0, slot!.after), after: common.slice(slot!.after), content, a, b };
  if (!exclude(slot!.a, slot!.b, context)) return undefined;
  const label = slot!.a[0]!.kind === "number" ? labelOf(context.before) : "";
  return { here: label + shownOf(slot!.a), there: label + shownOf(slot!.b) };
}

function shownOf(tokens: ClauseToken[]): string {
  return tokens.map(({ shown }) => shown).join(" ");
}

/** `port` of "listens on port 8080". */
function labelOf(before: ClauseToken[]): string {
  const last = before.at(-1);
  return last?.kind === "word" ? `${last.word} ` : "";
}

/** Length of the common run that begins at each pair of positions; overwritten by each alignment. */
const lengths = new Uint8Array((2 * mostWords + 1) ** 2);

function align(a: ClauseToken[], b: ClauseToken[]): Alignment {
  const width = b.length + 1;
  lengths.fill(0, 0, (a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const next = lengths[(i + 1) * width + j + 1]!;
      lengths[i * width + j] =
        a[i]!.key === b[j]!.key ? next + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const alignment: Alignment = { shared: [], gaps: [] };
  let [i, j, fromA, fromB] = [0, 0, 0, 0];
  const close = () => {
    if (i > fromA || j > fromB) {
      alignment.gaps.push({ a: a.slice(fromA, i), b: b.slice(fromB, j), after: alignment.shared.length });
    }
  };
  while (i < a.length && j < b.length) {
    if (a[i]!.key === b[j]!.key) {
      close();
      alignment.shared.push({ a: i++, b: j++ });
      [fromA, fromB] = [i, j];
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  [i, j] = [a.length, b.length];
  close();
  return alignment;
}

/** True for extra words that do not change the subject, and for two words for one thing. */
function saysNothing(a: ClauseToken[], b: ClauseToken[]): boolean {
  if (a.length === 0 || b.length === 0) {
    const more = [...a, ...b];
    return more.length === 1 && table.generic.has(more[0]!.word);
  }
  if (a.length !== 1 || b.length !== 1) return false;
  const [one, other] = [a[0]!, b[0]!];
  if (table.compareWords(one.word, other.word) === "same") return true;
  if (one.quantity && other.quantity) return compareQuantities(one.quantity, other.quantity) === "same";
  return false;
}

/**
 * "Postgres" and "PostgreSQL": the shorter is a prefix of the longer. They may be one thing, so they are no
 * contradiction.
 */
function isSameName(a: ClauseToken, b: ClauseToken): boolean {
  const [short, long] = a.word.length < b.word.length ? [a.word, b.word] : [b.word, a.word];
  return a.kind !== "number" && b.kind !== "number" && short.length >= 4 && long.startsWith(short);
}

/** One asserts what the other denies. */
function denial(a: Clause, b: Clause, content: ClauseToken[]): Difference | undefined {
  if (a.negative === b.negative || a.partial || b.partial || content.length < 2) return undefined;
  return a.negative ? { here: "denied", there: "said" } : { here: "said", there: "denied" };
}

type Context = { before: ClauseToken[]; after: ClauseToken[]; content: ClauseToken[]; a: Clause; b: Clause };

function exclude(a: ClauseToken[], b: ClauseToken[], context: Context): boolean {
  if (isRejected(a, context.b, context) || isRejected(b, context.a, context)) return true;
  if (a.length > 3 || b.length > 3 || [...a, ...b].some(({ kind }) => kind === "relation")) return false;
  if (context.before.length === 0)
    return a.length === 1 && b.length === 1 && table.opposites.get(a[0]!.word) === b[0]!.word;
  const numbers = [a, b].map((tokens) => tokens.filter(({ kind }) => kind === "number"));
  if (a.length === 1 && b.length === 1 && numbers[0]!.length === 1 && numbers[1]!.length === 1) {
    return numbersExclude(a[0]!, b[0]!, context);
  }
  if (wordsExclude(a, b)) return hasVerb(context.before);
  if (numbers[0]!.length > 0 || numbers[1]!.length > 0) return false;
  if (isSameName(a[0]!, b[0]!)) return false;
  return namesExclude(a, b, context.before, context.after);
}

/** The other explicitly rejects the same thing. */
function isRejected(tokens: ClauseToken[], { rejected }: Clause, { content }: Context): boolean {
  const rest = rejected.filter(({ key }) => !content.some((token) => token.key === key));
  return rest.length === tokens.length && rest.every(({ key }, index) => key === tokens[index]!.key);
}

/** A number before the verb identifies the subject: issue 12, line 40. After the verb it is the value. */
function numbersExclude(a: ClauseToken, b: ClauseToken, { before, after, a: left, b: right }: Context): boolean {
  if (compareQuantities(a.quantity!, b.quantity!) !== "different") return false;
  const last = before.at(-1)!;
  if (table.numbered.has(last.word) || before.some(({ word }) => table.inexact.has(word))) return false;
  if (before.some(({ word }) => table.comparing.has(word)) && !(left.obliges && right.obliges)) return false;
  if (before.some(({ word }) => table.additiveNumbers.has(word))) return false;
  return (
    hasVerb(before) ||
    /^be (requir|need|recommend|mandatori|default|min|max)/.test(after.map(({ key }) => key).join(" "))
  );
}

/** Words that exclude each other; a number beside them is a count: tabs, 2 spaces. */
function wordsExclude(a: ClauseToken[], b: ClauseToken[]): boolean {
  const [left, right] = [a, b].map((tokens) => tokens.filter(({ kind }) => kind !== "number")) as [
    ClauseToken[],
    ClauseToken[],
  ];
  if (left.length !== 1 || right.length !== 1) return false;
  return table.compareWords(left[0]!.word, right[0]!.word) === "exclusive";
}

/** True when a word before the value relates it to the subject: "on", "is", "uses", "fits". */
function hasVerb(before: ClauseToken[]): boolean {
  const last = before.at(-1)!;
  if (before.length > 1 && last.kind === "word" && /[^s]s$/.test(last.word)) return true;
  return before.some(({ kind, word }) => kind === "relation" || table.verbs.test(word));
}

/** Kinds of which a project uses one: "we use npm" excludes the others. */
const oneAtATime = /^(packages js|formatter|hosting)$/;
/** Kinds of which several are used at the same time. */
const manyAtATime = /^(system|chat|editor|shell|watching)$/;
/** Participles after which one tool excludes the others: made, stored or run by one thing. */
const participle =
  /^(written|managed|built|hosted|stored|owned|maintained|generated|rendered|packaged|published|served|formatted|based|powered|handled|led|reviewed|approved|implemented|secured|signed|sent|tracked|documented|translated|provisioned|orchestrated|compiled|bundled|linted|run)$/;
const placing = /^(in|on|at|from|to|with|by|via|using|into|as|under|through)$/;

/** True when only one of two names can be true in this place: after "is", in "written in", or for one purpose. */
function namesExclude(a: ClauseToken[], b: ClauseToken[], before: ClauseToken[], after: ClauseToken[]): boolean {
  const relation = before.at(-1)!;
  if ([...before, ...after].some(({ word }) => table.additive.has(word))) return false;
  const isSingle = before.some(({ word }) => table.single.has(word));
  const isDirect = relation.key === "be" || isSingle;
  const isName = (tokens: ClauseToken[]) => tokens.every(({ kind }) => kind === "name");
  const isPath = (tokens: ClauseToken[]) => tokens.length === 1 && tokens[0]!.kind === "path";
  if (isPath(a) && isPath(b)) return isDirect || placing.test(relation.key);
  if (!isName(a) || !isName(b)) return isSingle && a.length === 1 && b.length === 1 && isDirect;
  const [left, right] = [kindOf(a), kindOf(b)];
  const [role] = /^(for|as)$/.test(after[0]?.key ?? "") ? after.slice(1) : [];
  if (left === undefined && right === undefined) return unknownNames(a, b, before, isDirect, role);
  if (isDirect && (left === undefined || right === undefined)) return true;
  if (left === undefined || right === undefined) return false;
  if (role !== undefined && !table.broadRoles.has(role.word)) return broad(left) === broad(right);
  if (left !== right) return isDirect && broad(left) === broad(right);
  if (/^(use|uses)$/.test(relation.word)) return oneAtATime.test(left);
  if (manyAtATime.test(left) && !before.some(({ word }) => /^(based|written|built)$/.test(word))) return isDirect;
  return isDirect || placing.test(relation.key) || table.verbs.test(relation.word);
}

function kindOf(tokens: ClauseToken[]): string | undefined {
  return productKind(tokens.map(({ word }) => word).join("")) ?? productKind(tokens[0]!.word);
}

function broad(kind: string): string {
  return kind.split(" ")[0]!;
}

function unknownNames(
  a: ClauseToken[],
  b: ClauseToken[],
  before: ClauseToken[],
  isDirect: boolean,
  role: ClauseToken | undefined,
): boolean {
  const relation = before.at(-1)!;
  if (isDirect) return true;
  if (role !== undefined && /^(use|uses|using)$/.test(relation.word)) return !table.broadRoles.has(role.word);
  if (placing.test(relation.key) && participle.test(before.at(-2)?.word ?? "")) return true;
  // Hosts and regions that differ in their number: db-staging-1, db-staging-4.
  const shape = (tokens: ClauseToken[]) => tokens.map(({ word }) => word.replace(/\d+/g, "0")).join(" ");
  return placing.test(relation.key) && /\d/.test(a[0]!.word) && shape(a) === shape(b);
}
